import { createHash } from 'node:crypto';
import type { Call } from '#shared/domain/call.ts';
import { isTerminalTaskStatus, Task } from '#shared/domain/task.ts';
import type { WebhookEvent } from '#shared/domain/webhook.ts';
import { callFromItem } from '#shared/table/call.ts';

/** An event of one project, before its endpoints are known. */
export interface ProjectEvent {
  readonly projectId: string;
  readonly payload: WebhookEvent;
}

/** The event that a change of an item means for clients, or null when it means none. */
export function completedEvent(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): ProjectEvent | null {
  return eventOfCompleted(before) === null ? eventOfCompleted(after) : null;
}

/** What clients are told about a task or call that is over; null for one that is not, and for any other item. */
export function eventOfCompleted(item: Record<string, unknown>): ProjectEvent | null {
  if (item.type === 'call') return completedCall(callFromItem(item));
  return item.type === 'task' ? completedTask(Task.parse(item)) : null;
}

function completedCall({ id, task_id, project_id, completed_at }: Call): ProjectEvent | null {
  if (completed_at === null) return null;
  return {
    projectId: project_id,
    payload: { event: 'call.completed', task_id, call_id: id, timestamp: completed_at },
  };
}

function completedTask(task: Task): ProjectEvent | null {
  return isTerminalTaskStatus(task.status)
    ? { projectId: task.project_id, payload: taskCompletedPayload(task) }
    : null;
}

/** The webhook body for a task that is over. */
export function taskCompletedPayload({ id, last_call_id, updated_at }: Task): WebhookEvent {
  return { event: 'task.completed', task_id: id, call_id: last_call_id, timestamp: updated_at };
}

/**
 * The `webhook-id`: the same for this event and endpoint however often the stream brings it, and sorted by the time of
 * the event, so that receivers and lists can put events in order by it.
 */
export function webhookMessageId(payload: WebhookEvent, webhookId: string): string {
  const entityId = payload.event === 'call.completed' ? payload.call_id : payload.task_id;
  const digest = createHash('sha256').update(`${payload.event} ${entityId} ${webhookId}`).digest('hex');
  return `${firstMessageIdAt(Date.parse(payload.timestamp))}${digest.slice(0, 20)}`;
}

/** How the `webhook-id` of an event begins that happened at a time, in Unix milliseconds. */
export function firstMessageIdAt(timeMs: number): string {
  return `msg_${timeMs.toString(16).padStart(12, '0')}`;
}
