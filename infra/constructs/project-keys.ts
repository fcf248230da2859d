import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ArnFormat, type Stack } from 'aws-cdk-lib/core';
import { tableContext, tableTag } from '#shared/encryption/kms-data-key.ts';
import type { ServiceFunction } from './service-function.ts';
import type { ServiceTable } from './service-table.ts';

const why =
  'Each project has its own key, which the service creates; conditions allow only keys of this stack.';

/** The projects' KMS keys, which the service creates and deletes itself. A tag names their table. */
export class ProjectKeys {
  readonly #tableName: string;
  readonly #everyKey: string;

  constructor(stack: Stack, { table }: ServiceTable) {
    this.#tableName = table.tableName;
    this.#everyKey = stack.formatArn({
      service: 'kms',
      resource: 'key',
      resourceName: '*',
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  }

  /** Allows the function to decrypt only this table's data keys. */
  letUse(user: ServiceFunction): void {
    this.#allow(user, ['kms:Decrypt'], { [`kms:EncryptionContext:${tableContext}`]: this.#tableName });
  }

  /** Lets the function create a new project's key, and delete it if creating the project fails. */
  letCreate(maker: ServiceFunction): void {
    maker.grant(
      new PolicyStatement({
        actions: ['kms:CreateKey', 'kms:TagResource'],
        resources: ['*'],
        conditions: { StringEquals: { [`aws:RequestTag/${tableTag}`]: this.#tableName } },
      }),
    );
    maker.explainWildcard('*', 'A key that is created has no ARN yet; it must have the tag of this stack.');
    // A new key's tags take minutes to apply, and rotation harms no key.
    this.#allow(maker, ['kms:EnableKeyRotation'], null);
    this.#allow(maker, ['kms:GenerateDataKeyWithoutPlaintext'], {
      [`kms:EncryptionContext:${tableContext}`]: this.#tableName,
    });
    this.letDelete(maker);
  }

  /** Lets the function schedule deletion of this stack's project keys. */
  letDelete(eraser: ServiceFunction): void {
    this.#allow(eraser, ['kms:ScheduleKeyDeletion'], { [`aws:ResourceTag/${tableTag}`]: this.#tableName });
  }

  /** Lets the function use the keys through S3, for objects of this bucket. */
  letUseForObjects(user: ServiceFunction, actions: readonly string[], bucketArn: string): void {
    user.grant(
      new PolicyStatement({
        actions: [...actions],
        resources: [this.#everyKey],
        conditions: { StringLike: { 'kms:EncryptionContext:aws:s3:arn': `${bucketArn}*` } },
      }),
    );
    user.explainWildcard(this.#everyKey, why);
  }

  #allow(
    user: ServiceFunction,
    actions: readonly string[],
    condition: Readonly<Record<string, string>> | null,
  ): void {
    user.grant(
      new PolicyStatement({
        actions: [...actions],
        resources: [this.#everyKey],
        ...(condition === null ? {} : { conditions: { StringEquals: condition } }),
      }),
    );
    user.explainWildcard(this.#everyKey, why);
  }
}
