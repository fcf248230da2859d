import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

/** The key that seals secrets inside items, such as those that sign webhooks. */
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

  /** Names the key to the function and lets it open what is sealed. */
  letOpen(reader: ServiceFunction): void {
    this.let(reader, ['kms:Decrypt']);
  }

  /** Names the key to the function and lets it seal, and open what is sealed. */
  letSealAndOpen(keeper: ServiceFunction): void {
    this.let(keeper, ['kms:Encrypt', 'kms:Decrypt']);
  }

  private let(user: ServiceFunction, actions: readonly string[]): void {
    user.setEnvironment('SECRETS_KEY_ID', this.key.keyArn);
    user.allow(actions, [this.key.keyArn]);
  }
}
