import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { hashApiKey } from '../../shared/api-keys/key-format.ts';
import { isUsableApiKey } from '../../shared/domain/api-key.ts';
import { Role } from '../../shared/domain/person.ts';
import { createProject, type ProjectServices } from '../../shared/projects/create-project.ts';
import { getApiKey } from '../../shared/table/api-key.ts';
import type { Table } from '../../shared/table/client.ts';
import { changeEndpoint } from '../../shared/webhooks/change-endpoint.ts';
import { demoPeople } from './identity/demo-people.ts';
import { LocalStackError } from './local-stack-error.ts';
import { writeWholeJson } from './whole-file.ts';

/** What a client needs to use the demo project. The service stores only the key's hash, so the key is kept here. */
const DemoProject = z.object({
  project_id: z.string(),
  api_key: z.string(),
  webhook_id: z.string(),
  webhook_signing_secret: z.string(),
});
export type DemoProject = z.infer<typeof DemoProject>;

/**
 * The demo project of a data directory, created on the first start and reused until its key ends, as by a grant. Its
 * webhooks go to `webhookUrl` from now on, because the receiver of an earlier start used another port.
 */
export async function openDemoProject(
  services: ProjectServices,
  dataDirectory: string,
  webhookUrl: string,
): Promise<DemoProject> {
  const path = join(dataDirectory, 'demo-project.json');
  const saved = await readSaved(path);
  if (saved !== null) {
    await redirectWebhooks(services.table, saved, webhookUrl, path);
    if (await opensProject(services.table, saved.api_key)) return saved;
  }
  const created = await createProject(services, {
    name: 'Demo',
    carrier: 'sandbox',
    webhook: { url: webhookUrl, events: ['task.completed', 'call.completed'] },
    // The model that this stack was started with; default: the built-in one.
    agent: { language_model: 'language-model' },
    members: Role.options.map((role) => ({ email: demoPeople[role].email, role })),
  });
  if (created.webhook === null) throw new Error('the demo project was created without its webhook');
  const project: DemoProject = {
    project_id: created.project.id,
    api_key: created.apiKey,
    webhook_id: created.webhook.endpoint.id,
    webhook_signing_secret: created.webhook.signingSecret,
  };
  await writeWholeJson(path, project);
  return project;
}

async function opensProject(table: Table, apiKey: string): Promise<boolean> {
  const stored = await getApiKey(table, hashApiKey(apiKey));
  return stored !== null && isUsableApiKey(stored, Date.now());
}

async function redirectWebhooks(
  table: Table,
  { project_id, webhook_id }: DemoProject,
  url: string,
  path: string,
): Promise<void> {
  try {
    const endpoint = await changeEndpoint(
      table,
      { projectId: project_id, webhookId: webhook_id },
      () => ({
        settings: { url, enabled: true, disabled_reason: null, disabled_at: null, failing_since: null },
      }),
      new Date(),
    );
    if (endpoint !== null) return;
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error;
    throw new Error(
      `${path} names a webhook that this version cannot read, stored by a version before 2026-11-22, or damaged; ` +
        'use another data directory, or remove this one to start over',
    );
  }
  throw new Error(
    `${path} names a project that the table does not hold; remove the data directory to start over`,
  );
}

async function readSaved(path: string): Promise<DemoProject | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return DemoProject.parse(JSON.parse(text));
  } catch {
    throw new LocalStackError(
      `${path} is damaged; use another data directory, or remove this one to start over`,
    );
  }
}
