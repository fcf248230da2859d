import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '#shared/domain/project.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { getItem, type SandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getTask, getTaskWithCalls } from '#shared/table/task.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import type { ServiceClient } from '../../infra/local/demo/service-client.ts';
import type { Casting } from './cast.ts';
import type { Held } from './held.ts';

/** Where conversations are held: the running stack as a client sees it and, for the truth, from inside. */
export interface Venue {
  readonly client: ServiceClient;
  readonly project: Project;
  readonly patientId: string;
  readonly table: Table;
  readonly sandbox: SandboxStore;
  /** Runs the sweeper now if possible; its schedule comes only once a minute. */
  readonly sweep: () => Promise<unknown>;
  /** Time limit of a task. */
  readonly longestMs: number;
}

/** No call is shorter, and more frequent polling takes time from the calls. */
const firstLookMs = 300;
const pollMs = 100;

/** Creates the task by the REST API, waits for its end and collects everything known about it. */
export async function holdConversation(venue: Venue, casting: Casting): Promise<Held> {
  const { client, project, patientId, table, sandbox } = venue;
  const taskId = await client.createTask({
    project_id: project.id,
    patient_id: patientId,
    task_type: casting.taskType,
    task: casting.task,
    task_data: casting.taskData,
    phone_number: casting.phoneNumber,
  });
  const task = await waitForEnd(venue, taskId);
  const patient = await getPatient(table, patientId);
  if (patient === null) throw new Error('the patient is gone');
  const found = await getTaskWithCalls(table, taskId, { limit: 1 });
  const call = found?.calls[0];
  const sid = call?.carrier_call_sid ?? null;
  const view = await client.getTask(taskId);
  const sandboxCall = sid === null ? null : await getItem(sandbox, 'call', sid);
  return {
    casting,
    taskStatus: task.status,
    taskOutcome: task.task_outcome,
    plan: createCallPlan(task, patient, project),
    result: call?.result ?? null,
    transcript: (view.calls[0]?.transcripts ?? []).map(({ role, content }) => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content,
    })),
    called: sandboxCall?.person ?? null,
    talkSeconds: sandboxCall?.duration_seconds ?? 0,
    responseTimesMs: sandboxCall?.response_times_ms ?? [],
    modelErrors: [],
  };
}

/** The task when it ended, or when nothing more is expected. */
async function waitForEnd({ table, sweep, longestMs }: Venue, taskId: string): Promise<Task> {
  const deadline = Date.now() + longestMs;
  await sleep(firstLookMs);
  for (;;) {
    const task = await getTask(table, taskId);
    if (task === null) throw new Error('the task is gone');
    if (isTerminalTaskStatus(task.status) || Date.now() > deadline) return task;
    const isRedialDue =
      task.attempts > 0 && task.next_attempt_at !== null && Date.parse(task.next_attempt_at) <= Date.now();
    if (isRedialDue) await sweep();
    await sleep(pollMs);
  }
}
