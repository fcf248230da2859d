import * as z from 'zod/mini';
import type { KmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import type { ProjectServices } from '#shared/projects/create-project.ts';
import type { Table } from '#shared/table/client.ts';
import type { WebhookNetwork } from '#shared/webhooks/address.ts';
import { answerKms, keysInMemory, type LocalKey } from '../../infra/local/servers/kms-server.ts';
import { secretsKey } from './embedded-secrets.ts';

/** What creating a project requires besides a table, for tests in which no webhook leaves the machine. */
export function projectServices(table: Table): ProjectServices {
  return { table, secrets: localKmsEnvelope(), network: machineNetwork, keys: null };
}

/** A network where every name has one address, and receivers on this machine can be reached. */
export const machineNetwork: WebhookNetwork = {
  allowsLoopback: true,
  resolve: async (hostname) => [hostname === 'localhost' ? '127.0.0.1' : '1.1.1.1'],
};

const Sealed = z.object({ CiphertextBlob: z.string() });
const Opened = z.object({ Plaintext: z.string() });

/** The local KMS's secret box, called without a connection. */
export function localKmsEnvelope(key: LocalKey = secretsKey): KmsEnvelope {
  const ask = (operation: string, input: object): unknown =>
    answerKms(`TrentService.${operation}`, JSON.stringify(input), keysInMemory(key)).body;
  return {
    seal: async (secret, EncryptionContext) => {
      const Plaintext = Buffer.from(secret).toString('base64');
      return Sealed.parse(ask('Encrypt', { KeyId: key.id, Plaintext, EncryptionContext })).CiphertextBlob;
    },
    open: async (CiphertextBlob, EncryptionContext) => {
      const { Plaintext } = Opened.parse(ask('Decrypt', { CiphertextBlob, EncryptionContext }));
      return Buffer.from(Plaintext, 'base64').toString();
    },
  };
}
