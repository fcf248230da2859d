import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashApiKey } from '#shared/api-keys/key-format.ts';
import type { ProjectServices } from '#shared/projects/create-project.ts';
import { getApiKey, revokeApiKeyItem } from '#shared/table/api-key.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { type DemoProject, openDemoProject } from '../../../infra/local/demo-project.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { projectServices } from '../../support/project-services.ts';

let embedded: EmbeddedTable;
let directory: string;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
  directory = await mkdtemp(join(tmpdir(), 'voice-agent-demo-project-'));
});
afterAll(async () => {
  await embedded.stop();
  await rm(directory, { recursive: true, force: true });
});

let data: string;
let services: ProjectServices;
beforeEach(async () => {
  data = await mkdtemp(join(directory, 'data-'));
  services = projectServices(embedded.table);
});

const open = (url = 'http://127.0.0.1:8080/'): Promise<DemoProject> => openDemoProject(services, data, url);
const path = (): string => join(data, 'demo-project.json');

describe('the demo project of a data directory', () => {
  test('is the same at every start, and sends webhooks to the current listener', async () => {
    const first = await open();
    expect(await open('http://127.0.0.1:8081/')).toEqual(first);
    expect(await getWebhookEndpoint(embedded.table, first.project_id, first.webhook_id)).toMatchObject({
      url: 'http://127.0.0.1:8081/',
      enabled: true,
    });
  });

  test('is another one once its key is revoked, as by a grant', async () => {
    const first = await open();
    const key = await getApiKey(embedded.table, hashApiKey(first.api_key));
    if (key === null) throw new Error('no key');
    const revoked = revokeApiKeyItem(embedded.table, key, new Date().toISOString());
    await writeTransaction(embedded.table, [revoked]);
    const second = await open();
    expect(second.project_id).not.toBe(first.project_id);
    expect(await open()).toEqual(second);
  });

  test('from an earlier version explains what to do', async () => {
    const { project_id, webhook_id } = await open();
    // Like endpoints before their secrets were sealed.
    await embedded.table.client.send(
      new PutCommand({
        TableName: embedded.table.name,
        Item: {
          pk: `PROJECT#${project_id}`,
          sk: `WEBHOOK#${webhook_id}`,
          type: 'webhook-endpoint',
          id: webhook_id,
          project_id,
          url: 'http://127.0.0.1:8080/',
          events: ['task.completed'],
          signing_secret: 'whsec_of_an_earlier_version',
          created_at: '2026-01-01T00:00:00.000Z',
        },
      }),
    );
    await expect(open()).rejects.toThrow(`${path()} names a webhook that this version cannot read`);
  });

  test('in a damaged file names the file', async () => {
    await writeFile(path(), '{"project_id": 7');
    await expect(open()).rejects.toThrow(`${path()} is damaged`);
  });

  test('missing from the table explains what to do', async () => {
    await open();
    services = projectServices(await embedded.newTable());
    await expect(open()).rejects.toThrow(
      `${path()} names a project that the table does not hold; remove the data directory to start over`,
    );
  });
});
