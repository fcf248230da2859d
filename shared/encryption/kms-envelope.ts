import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { failFastLimits } from '#shared/aws/client-limits.ts';

/** The owner of a secret. Not secret itself; a sealed secret opens only in exactly the same context. */
export type SealContext = Readonly<Record<string, string>>;

/** Seals secrets that the service must read again, so that reading the table reveals none. */
export interface KmsEnvelope {
  /** @returns text that only this envelope opens, in the same context */
  seal(secret: string, context: SealContext): Promise<string>;
  /**
   * Throws a `SecretNotOpenedError` when the text was sealed by another envelope or in another context, or access is
   * denied; other errors are transient.
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

/** Errors of Decrypt that persist until a person acts; any other is transient (its API reference lists them). */
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
 * An envelope whose key never leaves AWS KMS. The context is KMS's encryption context, which its usage log shows: an
 * item copied to another project or endpoint does not open there.
 *
 * @param keyId ID or ARN of a symmetric key
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

/** Both tries together leave the worker enough time for an attempt. */
function newKmsClient(): KMSClient {
  return new KMSClient(failFastLimits());
}

/**
 * An envelope that caches recently opened secrets, which saves requests to KMS. Sealed secrets never change, so the
 * cache is never stale.
 *
 * @param capacity the most secrets kept in memory
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
