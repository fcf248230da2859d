import {
  CreateKeyCommand,
  DecryptCommand,
  EnableKeyRotationCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  KMSClient,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import { clientLimits } from '#shared/aws/client-limits.ts';

/*
 * Each project has its own key in AWS KMS, which encrypts its data key. The data key is stored beside the project in
 * the table, and so in every backup; the KMS key is in none of them, so deleting it makes every backup unreadable.
 */

/** A data key as stored: encrypted by its project's key, for that project and table only. */
export interface EncryptedDataKey {
  readonly project_id: string;
  readonly table_name: string;
  readonly kms_key_arn: string;
  /** Base64. */
  readonly encrypted: string;
}

/** Limits a stack's eraser to the keys of its own projects. */
export const tableTag = 'voice-agent-table';
const projectTag = 'voice-agent-project';
/**
 * Roles may decrypt by this condition. Not by a tag: tags take minutes to apply (KMS developer guide, "ABAC for KMS").
 */
export const tableContext = 'table_name';

/** KMS's shortest waiting period, during which the key is unusable. */
const deletionWaitDays = 7;

type Owner = Pick<EncryptedDataKey, 'project_id' | 'table_name'>;

function contextOf({ project_id, table_name }: Owner): Record<string, string> {
  return { project_id, [tableContext]: table_name };
}

/** Three tries leave half of a request's time for its work. */
function newKmsClient(): KMSClient {
  return new KMSClient(clientLimits(1_500));
}

/** Creates a project's KMS key, which rotates every year, and the data key it encrypts. */
async function createDataKey(client: KMSClient, owner: Owner): Promise<EncryptedDataKey> {
  const { project_id, table_name } = owner;
  const { KeyMetadata } = await client.send(
    new CreateKeyCommand({
      Description: 'Seals the data of a project',
      Tags: [
        { TagKey: tableTag, TagValue: table_name },
        { TagKey: projectTag, TagValue: project_id },
      ],
    }),
  );
  const arn = KeyMetadata?.Arn;
  if (arn === undefined) throw new Error('KMS created no key');
  await client.send(new EnableKeyRotationCommand({ KeyId: arn }));
  const { CiphertextBlob } = await client.send(
    new GenerateDataKeyWithoutPlaintextCommand({
      KeyId: arn,
      KeySpec: 'AES_256',
      EncryptionContext: contextOf(owner),
    }),
  );
  if (CiphertextBlob === undefined) throw new Error('KMS generated no data key');
  return {
    project_id,
    table_name,
    kms_key_arn: arn,
    encrypted: Buffer.from(CiphertextBlob).toString('base64'),
  };
}

/** The decrypted data key. */
async function decryptDataKey(client: KMSClient, dataKey: EncryptedDataKey): Promise<Uint8Array> {
  const { Plaintext } = await client.send(
    new DecryptCommand({
      KeyId: dataKey.kms_key_arn,
      CiphertextBlob: Buffer.from(dataKey.encrypted, 'base64'),
      EncryptionContext: contextOf(dataKey),
    }),
  );
  if (Plaintext === undefined) throw new Error('KMS decrypted nothing');
  return Plaintext;
}

/** Schedules the key's deletion: unusable at once, gone in a week. Idempotent. */
async function deleteKmsKey(client: KMSClient, kmsKeyArn: string): Promise<void> {
  try {
    await client.send(
      new ScheduleKeyDeletionCommand({ KeyId: kmsKeyArn, PendingWindowInDays: deletionWaitDays }),
    );
  } catch (error) {
    const isGone =
      error instanceof Error && ['KMSInvalidStateException', 'NotFoundException'].includes(error.name);
    if (!isGone) throw error;
  }
}

/** Creates and deletes projects' keys. */
export interface ProjectKeyMaker {
  create(projectId: string): Promise<EncryptedDataKey>;
  delete(kmsKeyArn: string): Promise<void>;
}

/** Decrypts data keys with a client. */
export function dataKeyOpener(
  client: KMSClient = newKmsClient(),
): (dataKey: EncryptedDataKey) => Promise<Uint8Array> {
  return (dataKey) => decryptDataKey(client, dataKey);
}

/** Keys for the projects of a table. */
export function openProjectKeyMaker(tableName: string, client: KMSClient = newKmsClient()): ProjectKeyMaker {
  return {
    create: (projectId) => createDataKey(client, { project_id: projectId, table_name: tableName }),
    delete: (kmsKeyArn) => deleteKmsKey(client, kmsKeyArn),
  };
}
