import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type AwsJsonOperations,
  type AwsJsonResponse,
  type AwsJsonServer,
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
}

const EncryptionContext = z._default(z.record(z.string(), z.string()), {});
const encryptSchema = z.object({ KeyId: z.string(), Plaintext: z.base64(), EncryptionContext });
const decryptSchema = z.object({
  KeyId: z.optional(z.string()),
  CiphertextBlob: z.base64(),
  EncryptionContext,
});

const maxPlaintextBytes = 4096;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Serves the two operations of AWS KMS that functions use, over keys that its caller keeps: Encrypt and Decrypt with
 * AES-256-GCM, the encryption context authenticated with the text as KMS does it.
 */
export function startKms(keys: readonly LocalKey[]): Promise<AwsJsonServer> {
  return startAwsJson(operationsOf(keys));
}

/** Answers one request without a connection. */
export function answerKms(target: string, text: string, keys: readonly LocalKey[]): AwsJsonResponse {
  return respondAwsJson(target, text, operationsOf(keys));
}

function operationsOf(keys: readonly LocalKey[]): AwsJsonOperations {
  return new Map([
    ['TrentService.Encrypt', (content: unknown) => encrypt(content, keys)],
    ['TrentService.Decrypt', (content: unknown) => decrypt(content, keys)],
  ]);
}

function encrypt(content: unknown, keys: readonly LocalKey[]): AwsJsonResponse {
  const parsed = encryptSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'KeyId and Plaintext are required');
  const { KeyId: keyId, Plaintext: plaintext, EncryptionContext: context } = parsed.data;
  const key = keys.find(({ id, arn }) => id === keyId || arn === keyId);
  if (key === undefined) return failure('NotFoundException', `Key ${keyId} does not exist`);
  const secret = Buffer.from(plaintext, 'base64');
  if (secret.length === 0 || secret.length > maxPlaintextBytes) {
    return failure('ValidationException', `Plaintext must be from 1 to ${maxPlaintextBytes} bytes long`);
  }
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
  return success(key, { CiphertextBlob: blob.toString('base64') });
}

function decrypt(content: unknown, keys: readonly LocalKey[]): AwsJsonResponse {
  const parsed = decryptSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'CiphertextBlob is required');
  const { KeyId: keyId, CiphertextBlob, EncryptionContext: context } = parsed.data;
  const blob = Buffer.from(CiphertextBlob, 'base64');
  const nonceAt = 1 + (blob[0] ?? 0);
  const key = keys.find(({ id }) => id === blob.toString('utf8', 1, nonceAt));
  if (key === undefined) return failure('InvalidCiphertextException', 'the ciphertext is of no key here');
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
