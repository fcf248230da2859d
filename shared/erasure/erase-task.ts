import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { erasePatientExport, exportAppeared } from '#shared/patient-exports/erase-export.ts';
import { listCalls } from '#shared/table/call.ts';
import { deleteNameItems, taskName } from '#shared/table/external-id.ts';
import { checkNoPatientExport } from '#shared/table/patient-export.ts';
import { changeSearchTerms } from '#shared/table/search-term.ts';
import { deleteTaskItem, getTask } from '#shared/table/task.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { taskEvents } from '#shared/webhooks/events.ts';
import { eraseCall } from './erase-call.ts';
import { eraseDeliveries } from './erase-deliveries.ts';
import { type ErasureCause, erasedItem } from './erasure-audit.ts';
import type { Delay, ErasureServices } from './erasure-services.ts';

/**
 * Erases a task and all its calls, canceling it first if unfinished. The task itself goes last, together with the
 * audit entry of its erasure. Also erases its patient's export. Returns what blocks it, or null when nothing is left;
 * idempotent, also when concurrent.
 */
export async function eraseTask(
  services: ErasureServices,
  taskId: string,
  cause: ErasureCause,
): Promise<Delay | null> {
  const task = await findEndedTask(services, taskId);
  if (task === null) return null;
  // Wait for the run that may have read the task to give up its lease.
  const exported = await erasePatientExport(services, task.patient_id);
  if (exported !== null) return exported;
  const { table } = services;
  const calls = await listCalls(table, taskId);
  for (const call of calls) {
    const delay = await eraseCall(services, call);
    if (delay !== null) return delay;
  }
  await eraseDeliveries(table, task.project_id, taskEvents(task));
  // Left to the stream, they could outlive the project's key, without which they cannot be recognized.
  await changeSearchTerms(table, { type: 'task', ...task }, null);
  const { id, project_id: projectId, patient_id: patientId } = task;
  const thing = { projectId, type: 'task', id, patientId, cause } as const;
  try {
    await writeTransaction(table, [
      deleteTaskItem(table, task.id),
      checkNoPatientExport(table, patientId),
      ...deleteNameItems(table, taskName(task), task.id),
      erasedItem(table, { ...thing, counts: { calls: task.attempts } }, services.now()),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    // Otherwise another worker was faster.
    if ((await getTask(table, task.id)) !== null) return exportAppeared;
  }
  return null;
}

/** The ended task, canceled if necessary; null when it is gone. */
async function findEndedTask(services: ErasureServices, taskId: string): Promise<Task | null> {
  const { table } = services;
  const task = await getTask(table, taskId);
  if (task === null || isTerminalTaskStatus(task.status)) return task;
  try {
    const cancelled = await cancelTask(table, { projectId: task.project_id, taskId, now: services.now });
    const { callToEnd } = cancelled;
    if (callToEnd !== null) {
      const message = { kind: 'call-due', task_id: taskId, call_id: callToEnd.id } as const;
      await enqueueCallMessage(services.queue, message, task.project_id);
    }
    return cancelled.task;
  } catch (error) {
    // It has ended or been erased meanwhile.
    if (error instanceof ServiceError) return getTask(table, taskId);
    throw error;
  }
}
