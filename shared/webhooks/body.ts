import { toEntry } from '#shared/audit/access-entry.ts';
import { taskSent } from '#shared/audit/actions.ts';
import type { Addresses } from '#shared/domain/addresses.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { isSentSequence, type WebhookDelivery, type WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { OpenBudget } from '#shared/lists/response-budget.ts';
import { writeAuditEntry } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { getTask } from '#shared/tasks/get-task.ts';
import type { TaskResource } from '#shared/tasks/task-resource.ts';

export interface BodyServices {
  readonly table: Table;
  /** Base URL of the client API. */
  readonly addresses: Addresses;
  readonly openBudget: OpenBudget;
  readonly now: () => Date;
}

/**
 * The body of a webhook for its endpoint's current settings. A full payload's task is read here, so that queues and
 * stored deliveries never hold health information and each attempt sends the current state.
 */
export async function webhookBody(
  services: BodyServices,
  endpoint: WebhookEndpoint,
  { payload, sequence }: WebhookDelivery,
): Promise<string> {
  if (!isSentSequence(endpoint)) return JSON.stringify(payload);
  const ordered = sequence === null ? payload : { ...payload, sequence };
  if (endpoint.payload === 'minimal') return JSON.stringify(ordered);
  return JSON.stringify({ ...ordered, task: await taskToSend(services, endpoint, payload.task_id) });
}

const deliveryWorker = { kind: 'service', function: 'webhook-delivery' } as const;

/** The task, audited before it is sent; null when it was erased and for test events. */
async function taskToSend(
  services: BodyServices,
  { id, project_id }: WebhookEndpoint,
  taskId: string,
): Promise<TaskResource | null> {
  const task = await findTask(services, project_id, taskId);
  if (task === null) return null;
  const entry = toEntry(
    { actor: deliveryWorker, origin: null },
    project_id,
    taskSent(task, id),
    services.now(),
  );
  await writeAuditEntry(services.table, entry);
  return task;
}

/** As in `GET /v1/task/{task_id}` with results and all calls, without transcripts. */
async function findTask(
  services: BodyServices,
  projectId: string,
  taskId: string,
): Promise<TaskResource | null> {
  try {
    const { resource } = await getTask(services, projectId, {
      taskId,
      includeTranscript: false,
      includeResult: true,
      includeAllCalls: true,
      position: null,
      openBudget: services.openBudget,
    });
    return resource;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}
