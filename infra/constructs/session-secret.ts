import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** What session cookies are sealed with. It is generated and nobody has to know it; a new one signs everybody out. */
export class SessionSecret extends Construct {
  private readonly secret: Secret;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Seals the session cookies of the dashboard',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  get arn(): string {
    return this.secret.secretArn;
  }

  letRead(reader: ServiceFunction): void {
    reader.allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn]);
  }
}
