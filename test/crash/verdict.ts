import type { Call } from '#shared/domain/call.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import type { SandboxCall } from '#shared/sandbox-phone/store/sandbox-call.ts';
import { isFinal } from '#shared/sandbox-phone/wire.ts';
import type { Evidence } from './evidence.ts';
import { eventName, type SeenWebhook } from './webhook-witness.ts';

/** Everything that is wrong once all work is done; empty if all is well. */
export function findProblems(
  evidence: Evidence,
  orderedTaskIds: readonly string[],
  seen: readonly SeenWebhook[],
): string[] {
  return [
    ...taskProblems(evidence, orderedTaskIds),
    ...placementProblems(evidence),
    ...callProblems(evidence),
    ...recordingProblems(evidence),
    ...webhookProblems(evidence, seen),
    ...Object.entries(evidence.deadLetters)
      .filter(([, count]) => count > 0)
      .map(([queue, count]) => `${count} messages are in ${queue}`),
  ];
}

/** What must still happen before problems can be judged; empty once all work is done. */
export function openWork(evidence: Evidence, seen: readonly SeenWebhook[]): string[] {
  const { tasks, calls, carrierCalls } = evidence;
  const count = (what: string, number: number): string[] => (number === 0 ? [] : [`${number} ${what}`]);
  return [
    ...count('tasks', tasks.filter(({ status }) => !isTerminalTaskStatus(status)).length),
    ...count('calls', calls.filter(({ completed_at }) => completed_at === null).length),
    ...count('recordings to be deleted', calls.filter(({ recording }) => recording.at_carrier).length),
    ...count('calls at the carrier', carrierCalls.filter(({ status }) => !isFinal(status)).length),
    ...count('webhooks', missingEvents(evidence, seen).length),
  ];
}

function taskProblems({ tasks, calls }: Evidence, orderedTaskIds: readonly string[]): string[] {
  const known = new Set(tasks.map(({ id }) => id));
  const ordered = new Set(orderedTaskIds);
  return [
    ...orderedTaskIds.filter((id) => !known.has(id)).map((id) => `task ${id} was answered 201 and is lost`),
    ...tasks
      .filter(({ id }) => !ordered.has(id))
      .map(({ id }) => `task ${id} exists besides the one that its order was answered with`),
    ...tasks.flatMap(({ id, status, current_call_id, next_attempt_at, attempts }) => {
      const made = calls.filter(({ task_id }) => task_id === id).length;
      return [
        ...(isTerminalTaskStatus(status) ? [] : [`task ${id} did not end: ${status}`]),
        ...(current_call_id === null && next_attempt_at === null
          ? []
          : [`task ${id} waits for another call although it has ended`]),
        ...(made === attempts ? [] : [`task ${id} counts ${attempts} attempts and has ${made} calls`]),
      ];
    }),
  ];
}

/** One attempt, one call; one call, dialed at most once. */
function placementProblems({ calls, carrierCalls }: Evidence): string[] {
  return [
    ...repeated(calls.map(({ task_id, attempt }) => `attempt ${attempt} of task ${task_id}`)).map(
      (attempt) => `${attempt} has several calls`,
    ),
    ...repeated(carrierCalls.map(placedFor)).map((call) => `${call} was placed several times`),
  ];
}

/** What is due in a year is the end of a recording's retention. */
function isDueSoon(dueAt: string | null): boolean {
  return dueAt !== null && Date.parse(dueAt) < Date.now() + 24 * 3_600_000;
}

function callProblems({ calls, carrierCalls }: Evidence): string[] {
  return [
    ...calls
      .filter(({ completed_at, recording }) => completed_at === null || isDueSoon(recording.due_at))
      .map(({ id, status }) => `call ${id} was not completed: ${status}`),
    ...carrierCalls
      .filter(({ status }) => !isFinal(status))
      .map(({ sid, status }) => `call ${sid} is still open at the carrier: ${status}`),
    ...carrierCalls
      .filter((carrierCall) => !calls.some((call) => isOneOf(call, carrierCall)))
      .map(({ sid }) => `call ${sid} was placed and is followed by nobody`),
  ];
}

function recordingProblems({ calls, carrierRecordings, carrierCalls }: Evidence): string[] {
  const isStored = (callSid: string): boolean => {
    const carrierCall = carrierCalls.find(({ sid }) => sid === callSid);
    const call = calls.find((candidate) => carrierCall !== undefined && isOneOf(candidate, carrierCall));
    return call?.recording.status === 'stored';
  };
  return [
    ...carrierRecordings
      .filter(({ status, call_sid }) => ['completed', 'deleted'].includes(status) && !isStored(call_sid))
      .map(({ sid }) => `recording ${sid} was made and is not stored`),
    ...carrierRecordings
      .filter(({ status }) => status === 'in-progress')
      .map(({ sid }) => `recording ${sid} never ended`),
  ];
}

function webhookProblems(evidence: Evidence, seen: readonly SeenWebhook[]): string[] {
  const expected = new Set(expectedEvents(evidence));
  const pairs = [...new Set(seen.map(({ event, webhookId }) => `${event} ${webhookId}`))];
  return [
    ...missingEvents(evidence, seen).map((event) => `webhook ${event} never came`),
    ...[...new Set(seen.map(({ event }) => event))]
      .filter((event) => !expected.has(event))
      .map((event) => `webhook ${event} came and means nothing`),
    ...repeated(pairs.map((pair) => pair.slice(0, pair.lastIndexOf(' ')))).map(
      (event) => `webhook ${event} came with several ids`,
    ),
    ...repeated(pairs.map((pair) => pair.slice(pair.lastIndexOf(' ') + 1))).map(
      (id) => `webhook id ${id} came for several events`,
    ),
  ];
}

function missingEvents(evidence: Evidence, seen: readonly SeenWebhook[]): string[] {
  const arrived = new Set(seen.map(({ event }) => event));
  return expectedEvents(evidence).filter((event) => !arrived.has(event));
}

function expectedEvents({ tasks, calls }: Evidence): string[] {
  return [
    ...tasks
      .filter(({ status }) => isTerminalTaskStatus(status))
      .map(({ id }) => eventName('task.completed', id)),
    ...calls
      .filter(({ completed_at }) => completed_at !== null)
      .map(({ id }) => eventName('call.completed', id)),
  ];
}

/** The callback URL names our task and call, so it tells why the number was dialed. */
function placedFor({ sid, status_callback }: SandboxCall): string {
  const [, taskId, callId] = /\/carrier\/status\/([^/]+)\/([^/#?]+)/.exec(status_callback ?? '') ?? [];
  return taskId === undefined ? `unknown call ${sid}` : `call ${callId} of task ${taskId}`;
}

function isOneOf(call: Call, carrierCall: SandboxCall): boolean {
  return (
    call.carrier_call_sid === carrierCall.sid &&
    placedFor(carrierCall) === `call ${call.id} of task ${call.task_id}`
  );
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
