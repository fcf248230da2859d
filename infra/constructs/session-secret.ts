import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ServiceFunction } from './service-function.ts';

/** Seals session cookies. Generated; replacing it signs everyone out. */
export class SessionSecret extends Construct {
  private readonly secret: Secret;
  private readonly key: IKey;

  constructor(scope: Construct, id: string, key: IKey) {
    super(scope, id);
    this.key = key;
    this.secret = new Secret(this, 'Secret', {
      encryptionKey: key,
      description: 'Seals the session cookies of the dashboard',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const reason =
      'No person knows it, and a new value signs everyone out, so operators replace it only with cause.';
    acknowledge(this.secret, {
      'AwsSolutions-SMG4': reason,
      'HIPAA.Security-SecretsManagerRotationEnabled': reason,
    });
  }

  get arn(): string {
    return this.secret.secretArn;
  }

  letRead(reader: ServiceFunction): void {
    reader.allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn]);
    const { region, urlSuffix } = Stack.of(this);
    reader.allow(['kms:Decrypt'], [this.key.keyArn], `secretsmanager.${region}.${urlSuffix}`);
  }
}
