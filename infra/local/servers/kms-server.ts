import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { listenOnLoopback, loopback } from './loopback.ts';

/** A symmetric key as KMS keeps it. */
export interface LocalKey {
  readonly id: string;
  readonly arn: string;
  /** 32 bytes. */
  readonly material: Buffer;
}

export interface KmsServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
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
export async function startKms(keys: readonly LocalKey[]): Promise<KmsServer> {
  const server = createServer((request, response) => {
    void answer(request, response, keys);
  });
  const port = await listenOnLoopback(server, 0);
  return {
    endpoint: `http://${loopback}:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  keys: readonly LocalKey[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { status, body } = answerKms(
    String(request.headers['x-amz-target']),
    Buffer.concat(chunks).toString('utf8'),
    keys,
  );
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

/** Answers one request of the JSON protocol of KMS. */
export function answerKms(target: string, text: string, keys: readonly LocalKey[]): Answer {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return failure('SerializationException', 'the body is not JSON');
  }
  switch (target) {
    case 'TrentService.Encrypt':
      return encrypt(content, keys);
    case 'TrentService.Decrypt':
      return decrypt(content, keys);
    default:
      return failure('UnknownOperationException', `the local KMS does not know ${target}`);
  }
}

function encrypt(content: unknown, keys: readonly LocalKey[]): Answer {
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

function decrypt(content: unknown, keys: readonly LocalKey[]): Answer {
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

function success({ arn }: LocalKey, body: Record<string, unknown>): Answer {
  return { status: 200, body: { ...body, KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' } };
}

function failure(type: string, message: string): Answer {
  return { status: 400, body: { __type: type, message } };
}
