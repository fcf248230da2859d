import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { generateApiKey, hashApiKey } from '#shared/api-keys/key-format.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { openTable } from '#shared/table/client.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { projectServices } from '../../support/project-services.ts';

let embedded: EmbeddedTable;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
});
afterAll(() => embedded.stop());

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
  test('gives the project of the key', async () => {
    const { projectId, key } = await newKey();
    expect(await apiKeyAuthentication(embedded.table)(bearer(key))).toEqual({ projectId });
  });

  test('refuses what cannot be a key without asking the table', async () => {
    // A table nobody answers for: any read would fail in another way than by `Invalid API key`.
    const client = new DynamoDBClient({
      endpoint: 'http://127.0.0.1:1',
      region: 'us-east-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const authenticate = apiKeyAuthentication(openTable('unreachable', client));
    const key = generateApiKey('sandbox');
    await expect(authenticate(bearer(key))).rejects.not.toMatchObject(invalid);
    const mistyped = `${key.slice(0, 20)}${key.charAt(20) === 'a' ? 'b' : 'a'}${key.slice(21)}`;
    for (const headers of [bearer(mistyped).headers, { authorization: `Basic ${key}` }, {}]) {
      await expect(authenticate({ headers })).rejects.toMatchObject(invalid);
    }
  });

  test('believes a key for 10 s and not longer, so revoking it works within 10 s', async () => {
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

  test('refuses a key from the moment it expires, looked up before or not', async () => {
    const { key, set } = await newKey();
    let nowMs = Date.now();
    await set('expires_at', new Date(nowMs + 5_000).toISOString());
    const authenticate = apiKeyAuthentication(embedded.table, () => nowMs);
    nowMs += 4_999;
    await authenticate(bearer(key));
    nowMs += 1;
    await expect(authenticate(bearer(key))).rejects.toMatchObject(invalid);
  });

  test('does not remember that a key was unknown', async () => {
    const authenticate = apiKeyAuthentication(embedded.table);
    await expect(authenticate(bearer(generateApiKey('sandbox')))).rejects.toMatchObject(invalid);
    const { key } = await newKey();
    await authenticate(bearer(key));
  });
});
