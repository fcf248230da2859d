import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { RunningServer } from '../../loopback.ts';
import { keyArn } from '../template/resource-types.ts';
import {
  type AwsJsonOperations,
  type AwsJsonResponse,
  failure,
  respondAwsJson,
  startAwsJson,
} from './aws-json-server.ts';

/** A symmetric key as KMS keeps it. */
export interface LocalKey {
  readonly id: string;
  readonly arn: string;
  /** 32 bytes. */
  readonly material: Buffer;
  readonly tags?: Readonly<Record<string, string>>;
  /** Scheduled for deletion, and unusable from then on. */
  readonly isPendingDeletion?: boolean;
}

/** Where keys are kept. */
export interface LocalKeys {
  find(id: string): LocalKey | undefined;
  /** A new key, or one that has changed. */
  put(key: LocalKey): void;
}

export function keysInMemory(...keys: LocalKey[]): LocalKeys {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return { find: (id) => byId.get(id), put: (key) => byId.set(key.id, key) };
}

const EncryptionContext = z._default(z.record(z.string(), z.string()), {});
const encryptSchema = z.object({ KeyId: z.string(), Plaintext: z.base64(), EncryptionContext });
const decryptSchema = z.object({
  KeyId: z.optional(z.string()),
  CiphertextBlob: z.base64(),
  EncryptionContext,
});

const generateSchema = z.object({ KeyId: z.string(), KeySpec: z.literal('AES_256'), EncryptionContext });
const createSchema = z.object({
  Description: z.optional(z.string()),
  Tags: z._default(z.array(z.object({ TagKey: z.string(), TagValue: z.string() })), []),
});
const deletionSchema = z.object({ KeyId: z.string(), PendingWindowInDays: z._default(z.int(), 30) });
const dataKeyBytes = 32;

const maxPlaintextBytes = 4096;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Serves the AWS KMS operations that the service uses, over keys stored by its caller: AES-256-GCM with the encryption
 * context authenticated, as in KMS. A key scheduled for deletion is unusable at once, but kept.
 */
export function startKms(keys: LocalKeys): Promise<RunningServer> {
  return startAwsJson(operationsOf(keys));
}

/** Answers one request without a connection. */
export function answerKms(target: string, text: string, keys: LocalKeys): AwsJsonResponse {
  return respondAwsJson(target, text, operationsOf(keys));
}

function operationsOf(keys: LocalKeys): AwsJsonOperations {
  return new Map([
    ['TrentService.Encrypt', (content: unknown) => encrypt(content, keys)],
    ['TrentService.Decrypt', (content: unknown) => decrypt(content, keys)],
    ['TrentService.GenerateDataKeyWithoutPlaintext', (content: unknown) => generate(content, keys)],
    ['TrentService.CreateKey', (content: unknown) => create(content, keys)],
    ['TrentService.EnableKeyRotation', (content: unknown) => enableRotation(content, keys)],
    ['TrentService.ScheduleKeyDeletion', (content: unknown) => scheduleDeletion(content, keys)],
  ]);
}

/** By ID or ARN; returns an error response for a key that cannot be used. */
export function usableKey(keys: LocalKeys, idOrArn: string): LocalKey | AwsJsonResponse {
  const key = keys.find(idOrArn.split('/').at(-1) ?? '');
  if (key === undefined || (idOrArn !== key.id && idOrArn !== key.arn)) {
    return failure('NotFoundException', `Key ${idOrArn} does not exist`);
  }
  return key.isPendingDeletion === true
    ? failure('KMSInvalidStateException', `${key.arn} is pending deletion.`)
    : key;
}

export function isKey(found: LocalKey | AwsJsonResponse): found is LocalKey {
  return 'material' in found;
}

function create(content: unknown, keys: LocalKeys): AwsJsonResponse {
  const parsed = createSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'Tags have a TagKey and a TagValue');
  const tags = Object.fromEntries(parsed.data.Tags.map(({ TagKey, TagValue }) => [TagKey, TagValue]));
  const id = randomUUID();
  const key = { id, arn: keyArn(id), material: randomBytes(dataKeyBytes), tags };
  keys.put(key);
  const KeyMetadata = { KeyId: id, Arn: key.arn, KeyState: 'Enabled', Enabled: true };
  return { status: 200, body: { KeyMetadata } };
}

/** No effect: keys here are never rotated. */
function enableRotation(content: unknown, keys: LocalKeys): AwsJsonResponse {
  const parsed = z.object({ KeyId: z.string() }).safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'KeyId is required');
  const key = usableKey(keys, parsed.data.KeyId);
  return isKey(key) ? { status: 200, body: {} } : key;
}

function scheduleDeletion(content: unknown, keys: LocalKeys): AwsJsonResponse {
  const parsed = deletionSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'KeyId is required');
  const { KeyId, PendingWindowInDays: days } = parsed.data;
  if (days < 7 || days > 30) return failure('ValidationException', 'PendingWindowInDays is from 7 to 30');
  const key = usableKey(keys, KeyId);
  if (!isKey(key)) return key;
  keys.put({ ...key, isPendingDeletion: true });
  const DeletionDate = Math.floor(Date.now() / 1000) + days * 24 * 60 * 60;
  return { status: 200, body: { KeyId: key.arn, KeyState: 'PendingDeletion', DeletionDate } };
}

function generate(content: unknown, keys: LocalKeys): AwsJsonResponse {
  const parsed = generateSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'KeyId and KeySpec AES_256 are required');
  const { KeyId, EncryptionContext: context } = parsed.data;
  const key = usableKey(keys, KeyId);
  return isKey(key)
    ? success(key, { CiphertextBlob: encrypted(key, randomBytes(dataKeyBytes), context) })
    : key;
}

function encrypt(content: unknown, keys: LocalKeys): AwsJsonResponse {
  const parsed = encryptSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'KeyId and Plaintext are required');
  const { KeyId: keyId, Plaintext: plaintext, EncryptionContext: context } = parsed.data;
  const key = usableKey(keys, keyId);
  if (!isKey(key)) return key;
  const secret = Buffer.from(plaintext, 'base64');
  if (secret.length === 0 || secret.length > maxPlaintextBytes) {
    return failure('ValidationException', `Plaintext must be from 1 to ${maxPlaintextBytes} bytes long`);
  }
  return success(key, { CiphertextBlob: encrypted(key, secret, context) });
}

/** Base64. */
function encrypted(key: LocalKey, secret: Buffer, context: Readonly<Record<string, string>>): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key.material, nonce).setAAD(additionalData(key, context));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  const blob = Buffer.concat([
    Buffer.of(key.id.length),
    Buffer.from(key.id),
    nonce,
    cipher.getAuthTag(),
    sealed,
  ]);
  return blob.toString('base64');
}

function decrypt(content: unknown, keys: LocalKeys): AwsJsonResponse {
  const parsed = decryptSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'CiphertextBlob is required');
  const { KeyId: keyId, CiphertextBlob, EncryptionContext: context } = parsed.data;
  const blob = Buffer.from(CiphertextBlob, 'base64');
  const nonceAt = 1 + (blob[0] ?? 0);
  const keyIdOfBlob = blob.toString('utf8', 1, nonceAt);
  if (keys.find(keyIdOfBlob) === undefined) {
    return failure('InvalidCiphertextException', 'No key here made the ciphertext');
  }
  const key = usableKey(keys, keyIdOfBlob);
  if (!isKey(key)) return key;
  if (keyId !== undefined && keyId !== key.id && keyId !== key.arn) {
    return failure('IncorrectKeyException', 'the ciphertext is of another key');
  }
  const tagAt = nonceAt + nonceBytes;
  const sealedAt = tagAt + tagBytes;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.material, blob.subarray(nonceAt, tagAt))
      .setAAD(additionalData(key, context))
      .setAuthTag(blob.subarray(tagAt, sealedAt));
    const secret = Buffer.concat([decipher.update(blob.subarray(sealedAt)), decipher.final()]);
    return success(key, { Plaintext: secret.toString('base64') });
  } catch {
    return failure('InvalidCiphertextException', 'the ciphertext was changed, or the context is another one');
  }
}

function additionalData({ arn }: LocalKey, context: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(JSON.stringify([arn, Object.entries(context).sort()]));
}

function success({ arn }: LocalKey, body: Record<string, unknown>): AwsJsonResponse {
  return { status: 200, body: { ...body, KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' } };
}
