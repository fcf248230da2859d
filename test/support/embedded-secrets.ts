import { KMSClient } from '@aws-sdk/client-kms';
import { type KmsEnvelope, openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { keysInMemory, type LocalKey, startKms } from '../../infra/local/servers/kms-server.ts';
import type { RunningServer } from '../../infra/loopback.ts';

export const secretsKey: LocalKey = {
  id: 'secrets',
  arn: 'arn:aws:kms:us-east-1:000000000000:key/secrets',
  material: Buffer.alloc(32, 5),
};

/** A secret box with the test's own KMS server. */
export interface EmbeddedSecrets {
  readonly kms: RunningServer;
  readonly envelope: KmsEnvelope;
  stop(): Promise<void>;
}

export async function startEmbeddedSecrets(): Promise<EmbeddedSecrets> {
  const kms = await startKms(keysInMemory(secretsKey));
  const client = kmsClient(kms.endpoint);
  return {
    kms,
    envelope: openKmsEnvelope(secretsKey.arn, client),
    stop: async () => {
      client.destroy();
      await kms.stop();
    },
  };
}

export function kmsClient(endpoint: string): KMSClient {
  return new KMSClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
}
