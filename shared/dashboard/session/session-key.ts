import { createHash } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientLimits } from '#shared/aws/client-limits.ts';

/**
 * The 256-bit key of the session cookies, derived from a secret that no person needs to know. Read on first use and
 * cached; the next request retries a failed read.
 */
export function sessionKey(secretId: string): () => Promise<Uint8Array> {
  const client = new SecretsManagerClient(clientLimits());
  let reading: Promise<Uint8Array> | null = null;
  return () => {
    reading ??= readKey(client, secretId).catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
  };
}

async function readKey(client: SecretsManagerClient, secretId: string): Promise<Uint8Array> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  if (SecretString.length < 32) throw new Error('the session secret is too short');
  return createHash('sha256').update(SecretString).digest();
}
