import { describe, expect, test, vi } from 'vitest';
import {
  type KmsEnvelope,
  openKmsEnvelope,
  rememberOpened,
  SecretNotOpenedError,
} from '#shared/encryption/kms-envelope.ts';
import { keysInMemory, startKms } from '../../../infra/local/servers/kms-server.ts';
import { kmsClient, secretsKey, startEmbeddedSecrets } from '../../support/embedded-secrets.ts';
import { startTestServer } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';

const secrets = await forThisFile(startEmbeddedSecrets());

const context = { project_id: 'p', webhook_id: 'w' };

describe('a secret box', () => {
  test('opens what it sealed, and the sealed text hides the secret', async () => {
    const sealed = await secrets.envelope.seal('whsec_example', context);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('example');
    expect(await secrets.envelope.open(sealed, { webhook_id: 'w', project_id: 'p' })).toBe('whsec_example');
  });

  test('seals the same secret differently every time', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => secrets.envelope.seal('whsec_example', context)),
    );
    expect(first).not.toBe(second);
  });

  test.each([{ project_id: 'p', webhook_id: 'another' }, { project_id: 'p' }, {}])(
    'does not open in the context %j',
    async (other) => {
      const sealed = await secrets.envelope.seal('whsec_example', context);
      await expect(secrets.envelope.open(sealed, { ...other })).rejects.toThrow(SecretNotOpenedError);
    },
  );

  test('refuses sealed text with one changed byte', async () => {
    const sealed = Buffer.from(await secrets.envelope.seal('whsec_example', context), 'base64');
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    await expect(secrets.envelope.open(sealed.toString('base64'), context)).rejects.toThrow(
      SecretNotOpenedError,
    );
  });

  test('reports a missing key', async () => {
    const client = kmsClient(secrets.kms.endpoint);
    await expect(openKmsEnvelope('no-such-key', client).seal('x', context)).rejects.toMatchObject({
      name: 'NotFoundException',
    });
    client.destroy();
  });

  test('opens text sealed before a server restart with the same key', async () => {
    const sealed = await secrets.envelope.seal('whsec_example', context);
    const restarted = await startKms(keysInMemory(secretsKey));
    const client = kmsClient(restarted.endpoint);
    expect(await openKmsEnvelope(secretsKey.id, client).open(sealed, context)).toBe('whsec_example');
    client.destroy();
    await restarted.stop();
  });
});

describe('a caching box', () => {
  function counting(): { envelope: KmsEnvelope; opened: string[] } {
    const opened: string[] = [];
    return {
      opened,
      envelope: {
        seal: async (secret) => secret,
        open: async (sealed) => {
          opened.push(sealed);
          if (sealed === 'broken') throw new Error('does not open');
          return sealed.toUpperCase();
        },
      },
    };
  }

  test('calls KMS once per secret and context, and evicts the oldest beyond its capacity', async () => {
    const { envelope, opened } = counting();
    const remembering = rememberOpened(envelope, 2);
    for (const sealed of ['a', 'a', 'b', 'a', 'c', 'b', 'a']) {
      expect(await remembering.open(sealed, context)).toBe(sealed.toUpperCase());
    }
    expect(opened).toEqual(['a', 'b', 'c', 'a']);
    await remembering.open('a', { project_id: 'another' });
    expect(opened).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  test('retries after a failure', async () => {
    const { envelope, opened } = counting();
    const remembering = rememberOpened(envelope);
    await expect(remembering.open('broken', context)).rejects.toThrow();
    await expect(remembering.open('broken', context)).rejects.toThrow();
    expect(opened).toEqual(['broken', 'broken']);
  });
});

describe('an unresponsive KMS', () => {
  test('is called twice, and fails before the function times out', async () => {
    const silent = await startTestServer(() => undefined);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
    vi.stubEnv('AWS_ENDPOINT_URL_KMS', silent.origin);
    const envelope = openKmsEnvelope('key');
    const startedAt = performance.now();
    await expect(envelope.open('c2VhbGVk', context)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(silent.requests.length).toBeGreaterThan(1);
    await silent.stop();
    vi.unstubAllEnvs();
  });
});
