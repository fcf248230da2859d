import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bold, dim, progressPrinter } from './progress.ts';
import { inspectRecording, isAudibleOnBothChannels } from './recording-check.ts';
import { type DemoTask, demoPatient, demoTasks } from './scenario.ts';
import { type CallView, ServiceClient, type TaskView } from './service-client.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** One task from start to end, and its problems. */
interface TaskReport {
  readonly label: string;
  readonly taskId: string;
  readonly status: string;
  readonly outcome: string;
  readonly recordingPath: string | null;
  readonly problems: readonly string[];
}

export interface DemoReport {
  readonly patientId: string;
  readonly tasks: readonly TaskReport[];
  /** From the first request to the last COMPLETED. */
  readonly seconds: number;
  readonly problems: readonly string[];
}

const taskLimitMs = 120_000;
const webhookLimitMs = 30_000;
const pollMs = 150;

/**
 * Runs the whole service once through its public REST API and webhooks, printing events as they happen. Any deviation
 * becomes a problem in the report; it never throws.
 */
export async function runDemo(options: {
  baseUrl: string;
  projectId: string;
  apiKey: string;
  /** Null if the project's webhooks go elsewhere: then none is expected here. */
  receiver: WebhookReceiver | null;
  recordingsDirectory: string;
}): Promise<DemoReport> {
  const { baseUrl, projectId, apiKey, receiver, recordingsDirectory } = options;
  const client = new ServiceClient(baseUrl, apiKey);
  const print = progressPrinter(demoTasks.map((task) => task.label));
  await mkdir(recordingsDirectory, { recursive: true });

  const started = performance.now();
  const patientId = await client.createPatient({ project_id: projectId, ...demoPatient });
  process.stdout.write(`${bold('Demo')}  patient registered ${dim(patientId)}\n`);

  const labels = new Map<string, string>();
  receiver?.onReceived((webhook) => {
    const label = labels.get(webhook.task_id);
    if (label === undefined) return;
    print(label, `◂ webhook ${webhook.event}, signature ${webhook.signatureValid ? 'verified' : 'INVALID'}`);
  });
  const tasks = await Promise.all(
    demoTasks.map(async (task) => {
      const taskId = await client.createTask({ project_id: projectId, patient_id: patientId, ...task.body });
      labels.set(taskId, task.label);
      print(task.label, `task created: ${task.body.task} ${dim(taskId)}`);
      return follow(task, taskId, { client, receiver, recordingsDirectory, print });
    }),
  );
  const seconds = (Math.max(...tasks.map((task) => task.finishedAt)) - started) / 1000;
  return { patientId, tasks, seconds, problems: tasks.flatMap((task) => task.problems) };
}

interface Surroundings {
  readonly client: ServiceClient;
  readonly receiver: WebhookReceiver | null;
  readonly recordingsDirectory: string;
  readonly print: (label: string, line: string) => void;
}

async function follow(
  task: DemoTask,
  taskId: string,
  { client, receiver, recordingsDirectory, print }: Surroundings,
): Promise<TaskReport & { finishedAt: number }> {
  const problems: string[] = [];
  const problem = (text: string): void => void problems.push(`${task.label}: ${text}`);
  const view = await watch(task, taskId, client, print);
  const finishedAt = performance.now();
  if (view.status !== 'COMPLETED') problem(`ended ${view.status}, expected COMPLETED`);
  if (!view.task_outcome) problem('has no outcome');

  const call = view.calls[0];
  const recordingPath = await saveRecording(task, call, { client, recordingsDirectory, print, problem });
  if (receiver !== null) await expectWebhooks(taskId, call, receiver, problem);
  return {
    label: task.label,
    taskId,
    status: view.status,
    outcome: view.task_outcome ?? '',
    recordingPath,
    problems,
    finishedAt,
  };
}

const nothingSeen = { callId: '', turns: 0, callStatus: '', recording: false };

/** Prints every change of the task as a client sees it, until it ends or times out. */
export async function watch(
  task: Pick<DemoTask, 'label' | 'body'>,
  taskId: string,
  client: ServiceClient,
  print: Surroundings['print'],
): Promise<TaskView> {
  const deadline = Date.now() + taskLimitMs;
  let seen = nothingSeen;
  for (;;) {
    const view = await client.getTask(taskId);
    const call = view.calls[0];
    if (call !== undefined) {
      if (call.id !== seen.callId) {
        seen = { ...nothingSeen, callId: call.id };
        print(task.label, `☎ dialing ${task.body.phone_number}`);
      }
      const transcripts = call.transcripts ?? [];
      for (const turn of transcripts.slice(seen.turns)) {
        print(task.label, `${turn.role === 'assistant' ? '▸ agent ' : '◃ person'} ${turn.content}`);
      }
      if (call.status !== seen.callStatus && call.status !== 'IN_PROGRESS') {
        print(task.label, `call ended: ${call.status}`);
        if (view.next_attempt_reason !== null) print(task.label, `retrying: ${view.next_attempt_reason}`);
      }
      if (call.recording_url !== null && !seen.recording) print(task.label, '● recording stored');
      seen = {
        callId: call.id,
        turns: transcripts.length,
        callStatus: call.status,
        recording: call.recording_url !== null,
      };
    }
    const over = view.status !== 'PENDING' && view.status !== 'IN_PROGRESS';
    if (over) print(task.label, bold(`${view.status}: ${view.task_outcome ?? '(no outcome)'}`));
    if (over || Date.now() > deadline) return view;
    await sleep(pollMs);
  }
}

async function saveRecording(
  task: DemoTask,
  call: CallView | undefined,
  surroundings: Pick<Surroundings, 'client' | 'recordingsDirectory' | 'print'> & {
    problem: (text: string) => void;
  },
): Promise<string | null> {
  const { client, recordingsDirectory, print, problem } = surroundings;
  if (!call?.recording_url) {
    problem('has no recording');
    return null;
  }
  try {
    const wav = await client.downloadRecording(call.recording_url);
    const path = join(recordingsDirectory, `${task.label}.wav`);
    await writeFile(path, wav);
    const facts = inspectRecording(wav);
    if (!isAudibleOnBothChannels(facts)) {
      problem(`recording is not audible on two channels (${facts.loudness.map((rms) => rms.toFixed(3))})`);
    }
    print(
      task.label,
      `● recording downloaded: ${facts.durationSeconds.toFixed(0)} s, ${facts.channels} channels, ${path}`,
    );
    return path;
  } catch (error) {
    problem(`recording: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** One `call.completed` and one `task.completed`, each signed. */
async function expectWebhooks(
  taskId: string,
  call: CallView | undefined,
  receiver: WebhookReceiver,
  problem: (text: string) => void,
): Promise<void> {
  const deadline = Date.now() + webhookLimitMs;
  for (const event of ['call.completed', 'task.completed']) {
    const find = () =>
      receiver.received.find((webhook) => webhook.task_id === taskId && webhook.event === event);
    while (find() === undefined && Date.now() < deadline) await sleep(pollMs);
    const webhook = find();
    if (webhook === undefined) problem(`webhook ${event} did not arrive`);
    else if (!webhook.signatureValid) problem(`webhook ${event} has a wrong signature`);
    else if (webhook.call_id !== call?.id) problem(`webhook ${event} names a different call`);
  }
}
