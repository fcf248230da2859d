import * as z from 'zod/mini';
import { listProjectApiKeys } from '#shared/table/api-key.ts';
import { listCalls } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject } from '#shared/table/project.ts';
import { projectItemIds } from '#shared/table/project-items.ts';
import { getTask } from '#shared/table/task.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';

/** The day of the oldest version whose data this one reads; test/infra/data-of-earlier-versions.json has some. */
const oldestReadable = '2026-11-22';

/**
 * Throws if this version cannot read a project's settings, webhooks or API keys, or its first patient or task: a
 * migration would change what no version could read then.
 */
export async function checkReadable(table: Table, projectId: string): Promise<void> {
  const [patientId, taskId] = await Promise.all([
    firstId(table, projectId, 'PATIENT'),
    firstId(table, projectId, 'TASK'),
  ]);
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    settings: () => getProject(table, projectId),
    'a webhook': () => listWebhookEndpoints(table, projectId),
    'an API key': () => listProjectApiKeys(table, projectId, { limit: 100, before: null }),
    ...(patientId === null ? {} : { 'the first patient': () => getPatient(table, patientId) }),
    ...(taskId === null
      ? {}
      : { 'the first task': () => getTask(table, taskId), 'its calls': () => listCalls(table, taskId) }),
  };
  for (const [what, read] of Object.entries(reads)) {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof z.core.$ZodError)) throw error;
      throw new Error(
        `this version cannot read ${what} of project ${projectId}, stored by a version before ${oldestReadable}, or ` +
          'damaged; nothing was changed',
      );
    }
  }
}

async function firstId(table: Table, projectId: string, type: 'PATIENT' | 'TASK'): Promise<string | null> {
  for await (const [id] of projectItemIds(table, projectId, type)) if (id !== undefined) return id;
  return null;
}
