import type { Call } from '#shared/domain/call.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import type { Table } from '#shared/table/client.ts';
import { getConversation, type StoredTurn, turnPages } from '#shared/table/conversation.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getTaskWithCalls } from '#shared/table/task.ts';
import { getWebhookDelivery, webhookDeliveryKey } from '#shared/table/webhook-delivery.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { taskEnd, webhookMessageId } from '#shared/webhooks/events.ts';
import { auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';
import { isOptedOut } from './opt-outs.ts';

export interface CallHistory {
  readonly call: Call;
  readonly turns: readonly StoredTurn[];
  /** False when the transcript continues beyond what is shown here. */
  readonly isWhole: boolean;
}

export interface TaskDelivery {
  readonly endpoint: Pick<WebhookEndpoint, 'id' | 'url'>;
  readonly delivery: WebhookDelivery;
}

/** Everything about a task, for one page. */
export interface TaskHistory {
  readonly task: Task;
  readonly patient: Pick<Patient, 'id' | 'first_name' | 'last_name'> | null;
  /** Whether the project's Do Not Call list has the task's number. */
  readonly isOptedOut: boolean;
  /** The newest ones, in chronological order. */
  readonly calls: readonly CallHistory[];
  readonly hasMoreCalls: boolean;
  /** The deliveries of the task's `task.completed` event. */
  readonly deliveries: readonly TaskDelivery[];
  /** Whether an endpoint that subscribes to `task.completed` has no delivery of it (yet). */
  readonly lacksDelivery: boolean;
  /** Equals the result of `readTaskVersion` until any of this changes. */
  readonly version: string;
}

const callsAtMost = 10;

/** Limit for all transcripts together, as JSON; the page around them stays far below the response limit. */
const transcriptBytesAtMost = 1_000_000;

/** A task with its patient, calls and transcripts; audited as seen by the caller. Throws `not_found`. */
export async function viewTaskHistory(
  table: Table,
  access: ProjectAccess,
  taskId: string,
  now: Date = new Date(),
): Promise<TaskHistory> {
  // Read first, so that a change during the other reads is noticed afterwards.
  const version = await readTaskVersion(table, access, taskId, now);
  const { task, calls, hasMoreCalls } = await findTask(table, access, taskId);
  await auditView(table, access, {
    action: 'transcript.viewed',
    target: { type: 'task', id: task.id },
    after: { patient_id: task.patient_id, call_ids: calls.map(({ id }) => id) },
    patientIds: [task.patient_id],
  });
  const [patient, isNumberOptedOut, transcripts, { deliveries, lacksDelivery }] = await Promise.all([
    getPatient(table, task.patient_id),
    isOptedOut(table, access, task.phone_number),
    Promise.all(calls.map((call) => readTurns(table, call, transcriptBytesAtMost / calls.length))),
    findDeliveries(table, task, now),
  ]);
  return {
    task,
    patient,
    isOptedOut: isNumberOptedOut,
    calls: calls
      .map((call, position) => ({ call, turns: [], isWhole: true, ...transcripts[position] }))
      .toReversed(),
    hasMoreCalls,
    deliveries,
    lacksDelivery,
    version,
  };
}

/**
 * A version of the task's history that changes with it. Reveals nothing about the patient, so that pages can poll it.
 * Throws `not_found`.
 */
export async function readTaskVersion(
  table: Table,
  access: ProjectAccess,
  taskId: string,
  now: Date = new Date(),
): Promise<string> {
  const { task, calls } = await findTask(table, access, taskId);
  const [newest] = calls;
  const [conversation, { deliveries }] = await Promise.all([
    newest === undefined ? null : getConversation(table, newest.id),
    findDeliveries(table, task, now),
  ]);
  return [
    task.updated_at,
    // Of all calls: one's recording may arrive during the next one.
    ...calls.map((call) => `${call.version}/${call.recording.version}`),
    conversation?.epoch ?? 0,
    ...deliveries.map(({ delivery }) => `${delivery.status}${delivery.attempt_count}`),
  ].join(' ');
}

async function findTask(table: Table, { project }: ProjectAccess, taskId: string) {
  const found = await getTaskWithCalls(table, taskId, { limit: callsAtMost });
  if (found === null || found.task.project_id !== project.id) {
    throw new ServiceError('not_found', 'Task not found');
  }
  return found;
}

async function readTurns(
  table: Table,
  call: Call,
  bytesAtMost: number,
): Promise<Pick<CallHistory, 'turns' | 'isWhole'>> {
  const turns: StoredTurn[] = [];
  let bytes = 0;
  for await (const page of turnPages(table, call.id, 0)) {
    for (const turn of page) {
      bytes += Buffer.byteLength(JSON.stringify(turn));
      if (bytes > bytesAtMost) return { turns, isWhole: false };
      turns.push(turn);
    }
  }
  return { turns, isWhole: true };
}

async function findDeliveries(
  table: Table,
  task: Task,
  now: Date,
): Promise<Pick<TaskHistory, 'deliveries' | 'lacksDelivery'>> {
  if (!isTerminalTaskStatus(task.status)) return { deliveries: [], lacksDelivery: false };
  const { payload } = taskEnd(task, 'task.completed');
  const endpoints = await listWebhookEndpoints(table, task.project_id);
  const found = await Promise.all(
    endpoints.map(async (endpoint) => {
      const id = webhookMessageId(payload, endpoint.id);
      const delivery = await getWebhookDelivery(
        table,
        webhookDeliveryKey({ webhook_id: endpoint.id, id }),
        now,
      );
      return { endpoint, delivery };
    }),
  );
  return {
    deliveries: found.flatMap(({ endpoint, delivery }) =>
      delivery === null ? [] : [{ endpoint, delivery }],
    ),
    lacksDelivery: found.some(
      ({ endpoint, delivery }) =>
        delivery === null && endpoint.events.some((event) => event === payload.event),
    ),
  };
}
