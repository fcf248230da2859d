import { KMSClient, type ServiceOutputTypes } from '@aws-sdk/client-kms';
import { dataKeyOpener, openProjectKeyMaker, type ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import type { OpenDataKey } from '#shared/table/client.ts';
import { answerKms, type LocalKeys } from '../../infra/local/servers/kms-server.ts';

export interface LocalKms {
  readonly openDataKey: OpenDataKey;
  keyMaker(tableName: string): ProjectKeyMaker;
}

/** The local KMS for projects' keys, called without a connection. */
export function localKms(keys: LocalKeys): LocalKms {
  const client = new KMSClient({ region: 'us-east-1', maxAttempts: 1 });
  client.middlewareStack.add(
    (_, { commandName }) =>
      async ({ input }) => ({ output: answer(String(commandName), input, keys), response: {} }),
    { step: 'initialize', name: 'local' },
  );
  return {
    openDataKey: dataKeyOpener(client),
    keyMaker: (tableName) => openProjectKeyMaker(tableName, client),
  };
}

const bytes = ['CiphertextBlob', 'Plaintext'];

/** Bytes are base64 in transit, and bytes for the client. */
function answer(commandName: string, input: object, keys: LocalKeys): ServiceOutputTypes {
  const sent = Object.entries(input).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ]);
  const target = `TrentService.${commandName.replace(/Command$/, '')}`;
  const { status, body } = answerKms(target, JSON.stringify(Object.fromEntries(sent)), keys);
  if (status !== 200) throw Object.assign(new Error(String(body.message)), { name: String(body.__type) });
  const members = Object.entries(body).map(([name, value]) => [
    name,
    bytes.includes(name) ? Buffer.from(String(value), 'base64') : value,
  ]);
  return { $metadata: {}, ...Object.fromEntries(members) };
}
