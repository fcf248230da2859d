import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { CallState } from '#shared/domain/call.ts';
import { isTerminalTaskStatus, needsReview, Task } from '#shared/domain/task.ts';
import type { WebhookEvent, WebhookEventName } from '#shared/domain/webhook.ts';
import { callStateFromItem } from '#shared/table/call.ts';

/** An event of one project, before its endpoints are known. */
export interface ProjectEvent {
  readonly projectId: string;
  readonly payload: WebhookEvent;
  /** Orders the events of a task: higher than every earlier event's, with gaps. */
  readonly sequence: number;
}

/** The part of a task that events contain. */
const TaskState = z.pick(Task, {
  id: true,
  project_id: true,
  status: true,
  attempts: true,
  last_call_id: true,
  started_at: true,
  updated_at: true,
});
type TaskState = z.infer<typeof TaskState>;

/** A task from the table's stream, without its sealed results. */
const TaskImage = z.extend(TaskState, {
  needs_review: z.optional(z.boolean()),
  result: z.optional(Task.shape.result),
});
type TaskImage = z.infer<typeof TaskImage>;

/** The events that a change of an item causes for clients, in order. */
export function newEvents(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): readonly ProjectEvent[] {
  const known = new Set(eventsOf(before).map(({ payload }) => payload.event));
  // Review may change after a task ended; only its end is an event, and that of the call during which it was canceled.
  if (known.has('task.completed') && (before.current_call_id ?? null) === null) return [];
  return eventsOf(after).filter(({ payload }) => !known.has(payload.event));
}

/**
 * All events that the current state of a task or call implies, in order; none for other items. Events keep
 * their time, so every later state of the item implies them again.
 */
export function eventsOf(item: Record<string, unknown>): readonly ProjectEvent[] {
  if (item.type === 'call') return callEvents(callStateFromItem(item));
  return item.type === 'task' ? taskEvents(TaskImage.parse(item)) : [];
}

/** The events that the current state of a call implies. */
export function callEvents(call: CallState): readonly ProjectEvent[] {
  const { id, task_id, project_id, completed_at } = call;
  const event = (name: WebhookEventName, timestamp: string): ProjectEvent => ({
    projectId: project_id,
    payload: { event: name, task_id, call_id: id, timestamp },
    sequence: sequenceOf(name, call.attempt) + (call.outlived_task ? afterTask : 0),
  });
  // The start is the claim, which precedes any end of its task; it counts once the carrier accepted the call.
  const started = {
    ...event('call.started', call.created_at),
    sequence: sequenceOf('call.started', call.attempt),
  };
  return [
    ...(call.carrier_call_sid === null ? [] : [started]),
    ...(completed_at !== null && call.status === 'FAILED' ? [event('call.failed', completed_at)] : []),
    ...(completed_at === null ? [] : [event('call.completed', completed_at)]),
  ];
}

/** The events that the current state of a task implies. */
export function taskEvents(task: TaskImage): readonly ProjectEvent[] {
  const { started_at, result, needs_review = false } = task;
  const isOver = isTerminalTaskStatus(task.status);
  return [
    ...(started_at === undefined ? [] : [taskStarted(task, started_at)]),
    ...(isOver && (result === undefined ? needs_review : needsReview(result))
      ? [taskEnd(task, 'task.needs_review')]
      : []),
    ...(isOver ? [taskEnd(task, 'task.completed')] : []),
  ];
}

function taskStarted({ id, project_id }: TaskState, timestamp: string): ProjectEvent {
  return {
    projectId: project_id,
    payload: { event: 'task.started', task_id: id, call_id: null, timestamp },
    sequence: sequenceOf('task.started', 1),
  };
}

/** The event that ends a task; for finished tasks only. */
export function taskEnd(task: TaskState, event: 'task.completed' | 'task.needs_review'): ProjectEvent {
  const { id, project_id, status, last_call_id, updated_at, attempts } = task;
  return {
    projectId: project_id,
    payload: { event, task_id: id, call_id: last_call_id, timestamp: updated_at },
    // A canceled task may need review only once its current call has ended.
    sequence:
      sequenceOf(event, attempts) + (event === 'task.needs_review' && status === 'CANCELLED' ? afterTask : 0),
  };
}

/** The order of one attempt's events and of the task's end after it. */
const order: Readonly<Record<WebhookEventName, number>> = {
  'task.started': 0,
  'call.started': 1,
  'call.failed': 2,
  'call.completed': 3,
  'task.needs_review': 4,
  'task.completed': 5,
};
/** Added for the end of a call that outlives its task. */
const afterTask = 4;
const sequenceStride = 10;

/** Derived from the attempt number, so it needs no counter and never changes. */
function sequenceOf(event: WebhookEventName, attempt: number): number {
  return attempt * sequenceStride + order[event];
}

/**
 * The `webhook-id`: the same whenever the stream redelivers this event for this endpoint, and sortable by event time,
 * for receivers and lists.
 */
export function webhookMessageId(payload: WebhookEvent, webhookId: string): string {
  const entityId = payload.event.startsWith('call.') ? payload.call_id : payload.task_id;
  const digest = createHash('sha256').update(`${payload.event} ${entityId} ${webhookId}`).digest('hex');
  return `${firstMessageIdAt(Date.parse(payload.timestamp))}${digest.slice(0, 20)}`;
}

/** The prefix of the `webhook-id` of an event at a time in Unix milliseconds. */
export function firstMessageIdAt(timeMs: number): string {
  return `msg_${timeMs.toString(16).padStart(12, '0')}`;
}
