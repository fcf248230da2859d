import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { createProject } from '../../shared/projects/create-project.ts';
import type { Table } from '../../shared/table/client.ts';
import { writeTransaction } from '../../shared/table/transaction.ts';
import { getWebhookEndpoint, putWebhookEndpointItem } from '../../shared/table/webhook-endpoint.ts';
import { writeWholeJson } from './whole-file.ts';

/** What a client needs to use the demo project. The key is stored hashed by the service, so it is kept here too. */
const DemoProject = z.object({
  project_id: z.string(),
  api_key: z.string(),
  webhook_id: z.string(),
  webhook_signing_secret: z.string(),
});
export type DemoProject = z.infer<typeof DemoProject>;

/**
 * The demo project of a data directory: made on the first start, the same on every later one. Its webhooks go to
 * `webhookUrl` from now on, because the receiver of an earlier start listened on another port.
 */
export async function openDemoProject(
  table: Table,
  dataDirectory: string,
  webhookUrl: string,
): Promise<DemoProject> {
  const path = join(dataDirectory, 'demo-project.json');
  const saved = await readSaved(path);
  if (saved !== null) {
    const endpoint = await getWebhookEndpoint(table, saved.project_id, saved.webhook_id);
    if (endpoint === null) {
      throw new Error(
        `${path} names a project that the table does not hold; remove the data directory to start anew`,
      );
    }
    await writeTransaction(table, [
      putWebhookEndpointItem(table, { ...endpoint, url: webhookUrl, enabled: true }),
    ]);
    return saved;
  }
  const created = await createProject(table, {
    name: 'Demo',
    carrier: 'sandbox',
    webhook: { url: webhookUrl, events: ['task.completed', 'call.completed'] },
  });
  if (created.webhook === null) throw new Error('the demo project was created without its webhook');
  const project: DemoProject = {
    project_id: created.project.id,
    api_key: created.apiKey,
    webhook_id: created.webhook.id,
    webhook_signing_secret: created.webhook.signing_secret,
  };
  await writeWholeJson(path, project);
  return project;
}

async function readSaved(path: string): Promise<DemoProject | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return DemoProject.parse(JSON.parse(text));
}
