import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

/** The key that seals secrets inside items, such as webhook signing secrets. */
export class SecretsKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, id: string, { stage }: ServiceContext) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Seals the signing secrets of webhook endpoints',
      enableKeyRotation: true,
      removalPolicy: stage.dataRemoval,
    });
  }

  letDecrypt(user: ServiceFunction): void {
    user.allow(['kms:Decrypt'], [this.key.keyArn]);
  }

  letEncrypt(user: ServiceFunction): void {
    user.allow(['kms:Encrypt'], [this.key.keyArn]);
  }
}
