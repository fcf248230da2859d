import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { Counts, MeasuredCall, Monthly } from '#shared/cost/call-counts.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { builtAssembly, copyAssembly } from '../../infra/assembly.ts';
import { inspectRecording, isAudibleOnBothChannels } from '../../infra/local/demo/recording-check.ts';
import { type DemoTask, demoPatient } from '../../infra/local/demo/scenario.ts';
import { ServiceClient } from '../../infra/local/demo/service-client.ts';
import { startWebhookReceiver } from '../../infra/local/demo/webhook-receiver.ts';
import { type LocalStack, startLocalStack } from '../../infra/local/local-stack.ts';
import { projectServices } from '../../infra/local/stack-clients.ts';
import { manifests } from '../../infra/manifests.ts';
import { type Asked, CountingObserver } from './counting-observer.ts';

/** Twice as fast as real calls, as is the service's reaction to silence. */
const pace = 0.5;
const silenceSeconds = '5';
/** Idle: longer than a watch for silence takes to notice the end of the call. */
const quietMs = 8_000;
const callLimitMs = 300_000;

export interface Measurement {
  readonly calls: MeasuredCall[];
  readonly sweep: Counts;
}

/** Receives the requests of each call, by function and kind. */
export type RequestsTold = (requests: ReadonlyMap<string, Asked>) => void;

/**
 * Makes sandbox calls one by one on a local stack and counts what each takes, from the patient's registration
 * to the webhooks, with one look at the task and its recording by the client. Excludes the sandbox phone and the
 * sweeper.
 */
export async function measureCalls(
  tasks: readonly DemoTask[],
  tellRequests: RequestsTold = () => {},
): Promise<Measurement> {
  const dataDir = await mkdtemp(join(tmpdir(), 'voice-agent-count-'));
  const observer = await CountingObserver.start();
  let stack: LocalStack | null = null;
  try {
    const assembly = await copyAssembly('dev', join(dataDir, 'assembly'));
    const parameters = { SandboxPhonePace: String(pace), SilenceSeconds: silenceSeconds };
    // From then on, functions are identified by their access keys.
    stack = await startLocalStack({
      ...assembly,
      dataDir,
      port: 0,
      parameters,
      observer,
      checksAccess: true,
    });
    stack.onFunctionLog(observer.onLog);
    const calls: MeasuredCall[] = [];
    for (const task of tasks) calls.push(await measureCall(stack, observer, task, tellRequests));
    observer.take();
    await stack.invoke('call-sweeper', { time: new Date().toISOString() });
    return { calls, sweep: observer.take().sweep };
  } finally {
    await stack?.stop();
    await observer.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureCall(
  stack: LocalStack,
  observer: CountingObserver,
  { label, body }: DemoTask,
  tellRequests: RequestsTold,
): Promise<MeasuredCall> {
  let secret = '';
  const receiver = await startWebhookReceiver(() => secret);
  try {
    const { project, apiKey, webhook } = await createProject(projectServices(stack), {
      name: 'Count',
      carrier: 'sandbox',
      webhook: { url: receiver.url, events: ['task.completed', 'call.completed'] },
    });
    secret = webhook?.signingSecret ?? '';
    observer.take();
    observer.connectedMs = 0;
    const client = new ServiceClient(stack.baseUrl, apiKey);
    const patientId = await client.createPatient({ project_id: project.id, ...demoPatient });
    const taskId = await client.createTask({ project_id: project.id, patient_id: patientId, ...body });
    const deadline = Date.now() + callLimitMs;
    while (receiver.received.length < 2) {
      if (Date.now() > deadline) throw new Error(`${label}: the call did not end in time`);
      await sleep(100);
    }
    const { status, calls } = await client.getTask(taskId);
    const [call] = calls;
    if (status !== 'COMPLETED' || call === undefined || calls.length > 1) {
      throw new Error(`${label}: the task is ${status} after ${calls.length} calls`);
    }
    const recording = inspectRecording(await client.downloadRecording(call.recording_url ?? ''));
    const spoken = (call.transcripts ?? []).reduce((sum, { content }) => sum + content.length, 0);
    // Speech has about 14 characters per second, at any pace.
    if (!isAudibleOnBothChannels(recording) || recording.durationSeconds < spoken / 28) {
      throw new Error(`${label}: not all of the call is heard in its recording`);
    }
    while (performance.now() - observer.lastAt < quietMs) await sleep(100);
    tellRequests(observer.requests);
    return {
      label,
      turns: call.transcripts?.length ?? 0,
      connected_seconds: Math.round(observer.connectedMs / 1000 / pace),
      counts: observer.take().call,
    };
  } finally {
    await receiver.stop();
  }
}

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.optional(z.object({ Metrics: z.optional(z.array(z.looseObject({}))) })),
    }),
  ),
});

/** What AWS bills by the month in the template of stage prod. */
export async function countMonthly(): Promise<Monthly> {
  const { templatePath } = await builtAssembly('prod');
  const { Resources } = z.parse(Template, JSON.parse(await readFile(templatePath, 'utf8')));
  const types = Object.values(Resources).map(({ Type }) => Type);
  const count = (wanted: string): number => types.filter((type) => type === wanted).length;
  return {
    alarm_metrics: Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
      .reduce((sum, { Properties }) => sum + metricsOf(Properties?.Metrics), 0),
    composite_alarms: count('AWS::CloudWatch::CompositeAlarm'),
    dashboards: count('AWS::CloudWatch::Dashboard'),
    kms_keys: count('AWS::KMS::Key'),
    secrets: count('AWS::SecretsManager::Secret'),
    // The other mappings read streams, which Lambda does for free.
    queues: count('AWS::Lambda::EventSourceMapping') - streamFollowers,
  };
}

/** An alarm on an expression is billed for each metric that it reads. */
function metricsOf(metrics: readonly Record<string, unknown>[] | undefined): number {
  return metrics === undefined ? 1 : metrics.filter((metric) => 'MetricStat' in metric).length;
}

/** Consumers of the table's stream. */
const streamFollowers = manifests.filter(({ trigger }) => trigger.kind === 'stream').length;
