import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { failFastLimits } from '#shared/aws/client-limits.ts';

/** What a secret belongs to. It is not secret itself, and a sealed secret opens in exactly the same context only. */
export type SealContext = Readonly<Record<string, string>>;

/** Seals secrets that the service must be able to read again, so that reading the table reveals none. */
export interface KmsEnvelope {
  /** @returns text that only this box opens, and only with the same context */
  seal(secret: string, context: SealContext): Promise<string>;
  /**
   * Throws a `SecretNotOpenedError` when the text was sealed by another box or in another context, or this
   * box must not be opened; any other error passes.
   */
  open(sealed: string, context: SealContext): Promise<string>;
}

/** A sealed secret does not open, and a retry will not help. */
export class SecretNotOpenedError extends Error {
  override readonly name = 'SecretNotOpenedError';

  constructor(cause: Error) {
    super('the sealed secret cannot be opened', { cause });
  }
}

/** Errors of Decrypt that stay until a person acts; any other passes (its API reference lists them). */
const lastingErrorNames = new Set([
  'InvalidCiphertextException',
  'IncorrectKeyException',
  'InvalidKeyUsageException',
  'NotFoundException',
  'DisabledException',
  'KMSInvalidStateException',
  'AccessDeniedException',
]);

/**
 * A box whose key never leaves AWS KMS. The context is KMS's encryption context, which its log of uses shows: an item
 * copied to another project or endpoint does not open there.
 *
 * @param keyId id or ARN of a symmetric key
 */
export function openKmsEnvelope(keyId: string, client: KMSClient = newKmsClient()): KmsEnvelope {
  return {
    async seal(secret, context) {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: Buffer.from(secret, 'utf8'),
          EncryptionContext: { ...context },
        }),
      );
      if (CiphertextBlob === undefined) throw new Error('KMS encrypted nothing');
      return Buffer.from(CiphertextBlob).toString('base64');
    },
    async open(sealed, context) {
      const decrypt = new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: { ...context },
      });
      const { Plaintext } = await client.send(decrypt).catch((error: unknown) => {
        const isLasting = error instanceof Error && lastingErrorNames.has(error.name);
        throw isLasting ? new SecretNotOpenedError(error) : error;
      });
      if (Plaintext === undefined) throw new Error('KMS decrypted nothing');
      return Buffer.from(Plaintext).toString('utf8');
    },
  };
}

/**
 * Both tries together leave the worker the time that it needs for an attempt, which it must not spend waiting
 * for a key.
 */
function newKmsClient(): KMSClient {
  return new KMSClient(failFastLimits());
}

/**
 * A box that remembers what it opened last, so that not every use asks KMS. What is sealed never changes its meaning,
 * so nothing remembered becomes wrong.
 *
 * @param capacity how many secrets are kept in memory at most
 */
export function rememberOpened(envelope: KmsEnvelope, capacity = 200): KmsEnvelope {
  const opened = new Map<string, Promise<string>>();
  return {
    seal: (secret, context) => envelope.seal(secret, context),
    open(sealed, context) {
      const key = JSON.stringify([sealed, Object.entries(context).sort()]);
      const known = opened.get(key);
      if (known !== undefined) return known;
      const opening = envelope.open(sealed, context);
      opened.set(key, opening);
      // Failures are not cached.
      opening.catch(() => opened.delete(key));
      const [oldest] = opened.keys();
      if (opened.size > capacity && oldest !== undefined) opened.delete(oldest);
      return opening;
    },
  };
}
