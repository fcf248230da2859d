import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { generateApiKey, hashApiKey } from '#shared/api-keys/key-format.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { getApiKey, noteApiKeyUse } from '#shared/table/api-key.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { projectServices } from '../../support/project-services.ts';
import { startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const invalid = { code: 'unauthenticated', detail: 'Invalid API key' };

async function newKey(): Promise<{
  projectId: string;
  key: string;
  set(name: string, value: string): Promise<void>;
}> {
  const { project, apiKey } = await createProject(projectServices(embedded.table), {
    name: 'Test',
    carrier: 'sandbox',
    webhook: null,
  });
  return {
    projectId: project.id,
    key: apiKey,
    async set(name, value) {
      await embedded.table.client.send(
        new UpdateCommand({
          TableName: embedded.table.name,
          Key: { pk: `APIKEY#${hashApiKey(apiKey)}`, sk: 'APIKEY' },
          UpdateExpression: 'SET #name = :value',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':value': value },
        }),
      );
    },
  };
}

describe('authentication by API key', () => {
  test('returns the project of the key', async () => {
    const { projectId, key } = await newKey();
    expect(await apiKeyAuthentication(embedded.table)(bearer(key))).toMatchObject({ projectId });
  });

  test('refuses a malformed key without a read of the table', async () => {
    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    try {
      const authenticate = apiKeyAuthentication(proxy.table);
      const key = generateApiKey('sandbox');
      const mistyped = `${key.slice(0, 20)}${key.charAt(20) === 'a' ? 'b' : 'a'}${key.slice(21)}`;
      for (const headers of [bearer(mistyped).headers, { authorization: `Basic ${key}` }, {}]) {
        await expect(authenticate({ headers })).rejects.toMatchObject(invalid);
      }
      expect(proxy.operations).toEqual([]);
      await expect(authenticate(bearer(key))).rejects.toMatchObject(invalid);
      expect(proxy.operations).toEqual(['GetItem']);
    } finally {
      await proxy.stop();
    }
  });

  test('caches a key for 10 s, so revoking it takes effect within 10 s', async () => {
    const { key, set } = await newKey();
    let nowMs = Date.now();
    const authenticate = apiKeyAuthentication(embedded.table, () => nowMs);
    await authenticate(bearer(key));
    await set('revoked_at', new Date(nowMs).toISOString());
    nowMs += 9_999;
    await authenticate(bearer(key));
    nowMs += 1;
    await expect(authenticate(bearer(key))).rejects.toMatchObject(invalid);
    await expect(apiKeyAuthentication(embedded.table)(bearer(key))).rejects.toMatchObject(invalid);
  });

  test('refuses an expired key at once, cached or not', async () => {
    const { key, set } = await newKey();
    let nowMs = Date.now();
    await set('expires_at', new Date(nowMs + 5_000).toISOString());
    const authenticate = apiKeyAuthentication(embedded.table, () => nowMs);
    nowMs += 4_999;
    await authenticate(bearer(key));
    nowMs += 1;
    await expect(authenticate(bearer(key))).rejects.toMatchObject(invalid);
  });

  test('a key revoked while in use works for at most 10 s', async () => {
    const { key, set } = await newKey();
    const authenticate = apiKeyAuthentication(embedded.table);
    await authenticate(bearer(key));
    await set('revoked_at', new Date().toISOString());
    const revokedAtMs = Date.now();
    const isTaken = (): Promise<boolean> =>
      authenticate(bearer(key)).then(
        () => true,
        () => false,
      );
    let lastTakenAfterMs = 0;
    for (;;) {
      const askedAtMs = Date.now();
      if (!(await isTaken())) break;
      lastTakenAfterMs = askedAtMs - revokedAtMs;
      await sleep(100);
    }
    expect(lastTakenAfterMs).toBeLessThan(10_000);
  });

  test('does not cache that a key was unknown', async () => {
    const authenticate = apiKeyAuthentication(embedded.table);
    await expect(authenticate(bearer(generateApiKey('sandbox')))).rejects.toMatchObject(invalid);
    const { key } = await newKey();
    await authenticate(bearer(key));
  });
});

describe('the last use of a key', () => {
  const lastUsed = async (key: string): Promise<string | null | undefined> =>
    (await getApiKey(embedded.table, hashApiKey(key)))?.last_used_at;

  test('is unknown for a new key, and known to the minute for one in use', async () => {
    const { key } = await newKey();
    expect(await lastUsed(key)).toBeNull();
    const startMs = Date.parse('2026-03-02T15:00:00.000Z');
    let nowMs = startMs;
    const authenticate = apiKeyAuthentication(embedded.table, () => nowMs);
    for (; nowMs < startMs + 59_999; nowMs += 6_000) await authenticate(bearer(key));
    expect(await lastUsed(key)).toBe('2026-03-02T15:00:00.000Z');
    nowMs = startMs + 60_000;
    await authenticate(bearer(key));
    expect(await lastUsed(key)).toBe('2026-03-02T15:01:00.000Z');
  });

  test('is written at most once a minute, however many instances and requests there are', async () => {
    const { key } = await newKey();
    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    try {
      const nowMs = Date.parse('2026-03-02T15:00:00.000Z');
      const first = apiKeyAuthentication(proxy.table, () => nowMs);
      await first(bearer(key));
      expect(proxy.operations).toEqual(['GetItem', 'UpdateItem']);
      await Promise.all(Array.from({ length: 20 }, () => first(bearer(key))));
      const second = apiKeyAuthentication(proxy.table, () => nowMs + 30_000);
      await second(bearer(key));
      expect(proxy.operations).toEqual(['GetItem', 'UpdateItem', 'GetItem']);
    } finally {
      await proxy.stop();
    }
  });

  test('stays unchanged if another instance has written it since the read', async () => {
    const { key } = await newKey();
    const apiKey = await getApiKey(embedded.table, hashApiKey(key));
    if (apiKey === null) throw new Error('the key was not stored');
    await noteApiKeyUse(embedded.table, apiKey, '2026-03-02T15:00:30.000Z', '2026-03-02T14:59:30.000Z');
    await noteApiKeyUse(embedded.table, apiKey, '2026-03-02T15:00:31.000Z', '2026-03-02T14:59:31.000Z');
    expect(await lastUsed(key)).toBe('2026-03-02T15:00:30.000Z');
  });

  test('does not block the response if it cannot be written', async () => {
    const { projectId, key } = await newKey();
    const proxy = await startTableProxy(embedded, async (operation, forward, response) => {
      if (operation !== 'UpdateItem') return forward();
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end('{"__type":"com.amazonaws.dynamodb.v20120810#AccessDeniedException"}');
    });
    try {
      const authenticate = apiKeyAuthentication(proxy.table);
      const text = await capturedLog(async () => {
        expect(await authenticate(bearer(key))).toMatchObject({ projectId });
      });
      expect(text).toContain('"event":"api-key-use-not-noted"');
      expect(text).not.toContain(key.slice(20));
      expect(await lastUsed(key)).toBeNull();
    } finally {
      await proxy.stop();
    }
  });
});
