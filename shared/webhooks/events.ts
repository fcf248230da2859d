import { createHash } from 'node:crypto';
import type { Call } from '#shared/domain/call.ts';
import { isTerminalTaskStatus, needsReview, Task } from '#shared/domain/task.ts';
import type { WebhookEvent, WebhookEventName } from '#shared/domain/webhook.ts';
import { callFromItem } from '#shared/table/call.ts';

/** An event of one project, before its endpoints are known. */
export interface ProjectEvent {
  readonly projectId: string;
  readonly payload: WebhookEvent;
  /** Its place among the events of its task: higher than that of whatever happened before, with gaps. */
  readonly sequence: number;
}

/** The events that a change of an item means for clients, in the order in which they happened. */
export function newEvents(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): readonly ProjectEvent[] {
  const known = new Set(eventsOf(before).map(({ payload }) => payload.event));
  return eventsOf(after).filter(({ payload }) => !known.has(payload.event));
}

/**
 * All that clients are told of a task or call as it stands, in order; nothing of any other item. What has happened once
 * stays so, with the same time, so that an event is found again in every later state of its item.
 */
export function eventsOf(item: Record<string, unknown>): readonly ProjectEvent[] {
  if (item.type === 'call') return callEvents(callFromItem(item));
  return item.type === 'task' ? taskEvents(Task.parse(item)) : [];
}

/** What clients are told of a call as it stands. */
export function callEvents(call: Call): readonly ProjectEvent[] {
  const { id, task_id, project_id, completed_at } = call;
  const event = (name: WebhookEventName, timestamp: string): ProjectEvent => ({
    projectId: project_id,
    payload: { event: name, task_id, call_id: id, timestamp },
    sequence: sequenceOf(name, call.attempt) + (call.outlived_task ? afterTask : 0),
  });
  // It began when it was claimed, which no end of its task comes before; the carrier's taking it proves that.
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

/** What clients are told of a task as it stands. */
export function taskEvents(task: Task): readonly ProjectEvent[] {
  const { started_at } = task;
  const isOver = isTerminalTaskStatus(task.status);
  return [
    ...(started_at === undefined ? [] : [taskStarted(task, started_at)]),
    ...(isOver && needsReview(task.result) ? [taskEnd(task, 'task.needs_review')] : []),
    ...(isOver ? [taskEnd(task, 'task.completed')] : []),
  ];
}

function taskStarted({ id, project_id }: Task, timestamp: string): ProjectEvent {
  return {
    projectId: project_id,
    payload: { event: 'task.started', task_id: id, call_id: null, timestamp },
    sequence: sequenceOf('task.started', 1),
  };
}

/** What the end of a task means; the task is over. */
export function taskEnd(task: Task, event: 'task.completed' | 'task.needs_review'): ProjectEvent {
  const { id, project_id, last_call_id, updated_at, attempts } = task;
  return {
    projectId: project_id,
    payload: { event, task_id: id, call_id: last_call_id, timestamp: updated_at },
    sequence: sequenceOf(event, attempts),
  };
}

/** In what order the events of one attempt happen, and the end of the task after it. */
const order: Readonly<Record<WebhookEventName, number>> = {
  'task.started': 0,
  'call.started': 1,
  'call.failed': 2,
  'call.completed': 3,
  'task.needs_review': 4,
  'task.completed': 5,
};
/** What the end of a call comes later by whose task was ended before it. */
const afterTask = 4;
const sequenceStride = 10;

/**
 * Made of what task and call have counted already, the attempts: no counter is written for it, and whoever asks again gets
 * the same.
 */
function sequenceOf(event: WebhookEventName, attempt: number): number {
  return attempt * sequenceStride + order[event];
}

/**
 * The `webhook-id`: the same for this event and endpoint however often the stream brings it, and sorted by the time of
 * the event, so that receivers and lists can put events in order by it.
 */
export function webhookMessageId(payload: WebhookEvent, webhookId: string): string {
  const entityId = payload.event.startsWith('call.') ? payload.call_id : payload.task_id;
  const digest = createHash('sha256').update(`${payload.event} ${entityId} ${webhookId}`).digest('hex');
  return `${firstMessageIdAt(Date.parse(payload.timestamp))}${digest.slice(0, 20)}`;
}

/** How the `webhook-id` of an event begins that happened at a time, in Unix milliseconds. */
export function firstMessageIdAt(timeMs: number): string {
  return `msg_${timeMs.toString(16).padStart(12, '0')}`;
}
