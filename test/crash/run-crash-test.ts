import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceBetween } from '#shared/sandbox-phone/person/seeded.ts';
import { inspectRecording } from '../../infra/local/demo/recording-check.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { describeKill, type Kill, planKill } from './kill-plan.ts';
import { takeOrders } from './orders.ts';
import { PersistentClient } from './persistent-client.ts';
import { commandsOn } from './processes.ts';
import { openSite, type Site } from './site.ts';
import { type StackAddresses, StackProcess } from './stack-process.ts';
import { TaskWatch } from './task-watch.ts';
import { findProblems, openWork } from './verdict.ts';
import { startWebhookWitness, type WebhookWitness } from './webhook-witness.ts';

export interface CrashTestOptions {
  readonly seed: string;
  readonly tasks: number;
  readonly kills: number;
  /** Whether work in progress is hit as soon as the carrier knows each call, instead of at a moment of the seed. */
  readonly killsOnceDialed?: boolean;
  /** Real seconds per second of a sandbox call. */
  readonly pace: string;
  /** Calls per task, including one lost with the stack. */
  readonly attempts: number;
  /** Longest pause between two orders. */
  readonly longestGapMs: number;
  /** Time limit for all work after the last start. */
  readonly settleLimitMs: number;
  /** An empty directory for the stack's data and output. */
  readonly directory: string;
  readonly progress: (line: string) => void;
}

export interface CrashReport {
  readonly problems: readonly string[];
  readonly startSeconds: readonly number[];
  /** From the last start until no work was left; null if that never happened. */
  readonly settledAfterSeconds: number | null;
  readonly repeatedRequests: number;
  readonly events: number;
  readonly deliveries: number;
  readonly evidence: Evidence;
}

const expectedStartMs = 6_000;
const watchPauseMs = 400;
/** After the last kill, work takes minutes, and frequent polling would only keep the stack busy. */
const settlePauseMs = 3_000;
const progressPauseMs = 10_000;
/** Work that has been done for this long stays done. */
const quietMs = 3_000;

/**
 * Runs tasks on a local stack that is killed again and again, waits until all work is done and looks for everything
 * that went wrong. Always leaves nothing running.
 */
export async function runCrashTest(options: CrashTestOptions): Promise<CrashReport> {
  const witness = await startWebhookWitness(() => run.signingSecret);
  const run = new CrashRun(options, witness);
  try {
    return await run.run();
  } finally {
    await run.end();
    await witness.stop();
  }
}

/** A project on a stack that comes and goes, and its users. */
interface Business {
  readonly site: Site;
  readonly client: PersistentClient;
  readonly ordering: Promise<void>;
  readonly watching: Promise<void>;
}

class CrashRun {
  readonly #options: CrashTestOptions;
  readonly #witness: WebhookWitness;
  readonly #watch = new TaskWatch();
  readonly #problems: string[] = [];
  readonly #startSeconds: number[] = [];
  #watchPauseMs = watchPauseMs;
  readonly #over = new AbortController();
  #stack: StackProcess | null = null;
  #addresses: StackAddresses | null = null;
  #business: Business | null = null;

  constructor(options: CrashTestOptions, witness: WebhookWitness) {
    this.#options = options;
    this.#witness = witness;
  }

  get signingSecret(): string {
    return this.#business?.site.signingSecret ?? '';
  }

  async run(): Promise<CrashReport> {
    const { seed, kills, progress } = this.#options;
    for (let index = 0; index < kills; index += 1) {
      const kill = planKill(seed, index, this.#startMs());
      await this.#startAndKill(kill);
      progress(`kill ${index + 1} of ${kills}: ${describeKill(kill)}; ${this.#standing()}`);
      await sleep(kill.pauseMs);
    }
    const { addresses, business } = await this.#start();
    const startedAt = performance.now();
    await business.ordering;
    this.#watchPauseMs = settlePauseMs;
    const isSettled = await this.#settle(addresses, business.site);
    const settledAfterSeconds = isSettled ? (performance.now() - startedAt) / 1000 : null;
    this.#over.abort();
    await business.watching;

    const evidence = await gatherEvidence(addresses, business.site.projectId);
    this.#problems.push(...this.#watch.problems);
    this.#problems.push(...findProblems(evidence, this.#watch.taskIds, this.#witness.seen));
    this.#problems.push(...(await brokenRecordings(evidence, business.client)));
    if (this.#witness.refused > 0) {
      this.#problems.push(`${this.#witness.refused} webhooks were malformed or not signed`);
    }
    this.#problems.push(...(await this.#stop(addresses)));
    return {
      problems: this.#problems,
      startSeconds: this.#startSeconds,
      settledAfterSeconds,
      repeatedRequests: business.client.repeated,
      events: new Set(this.#witness.seen.map(({ event }) => event)).size,
      deliveries: this.#witness.seen.length,
      evidence,
    };
  }

  /** Also for a run that failed halfway. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#stack?.kill('everything');
    await Promise.allSettled([this.#business?.ordering, this.#business?.watching]);
  }

  async #startAndKill(kill: Kill): Promise<void> {
    if (kill.moment === 'running') {
      const { addresses, business } = await this.#start();
      if (this.#options.killsOnceDialed) await this.#untilDialed(addresses, business);
      else await sleep(kill.afterMs);
    } else {
      this.#stack = this.#launch();
      await sleep(kill.afterMs);
    }
    await this.#stack?.kill(kill.extent);
    this.#stack = null;
  }

  async #untilDialed(addresses: StackAddresses, { ordering, site }: Business): Promise<void> {
    await ordering;
    for (;;) {
      const { tasks, calls } = await gatherEvidence(addresses, site.projectId);
      const areDialed = calls.every(({ submission }) => submission !== 'claimed');
      if (calls.length >= tasks.length && areDialed) return;
      await sleep(watchPauseMs);
    }
  }

  #launch(): StackProcess {
    const { directory, pace } = this.#options;
    return StackProcess.start(directory, { pace });
  }

  async #start(): Promise<{ addresses: StackAddresses; business: Business }> {
    const startedAt = performance.now();
    this.#stack = this.#launch();
    const addresses = await this.#stack.ready();
    this.#startSeconds.push((performance.now() - startedAt) / 1000);
    this.#addresses = addresses;
    const servers = (await this.#commands()).filter((command) => /^\S*dynoxide(\.exe)? /.test(command));
    if (servers.length !== 1) {
      this.#problems.push(`${servers.length} DynamoDB servers ran on the same data after a start`);
    }
    this.#business ??= await this.#open(addresses);
    return { addresses, business: this.#business };
  }

  async #open(addresses: StackAddresses): Promise<Business> {
    const site = await openSite(addresses, {
      name: 'Crash test',
      webhookUrl: this.#witness.url,
      attempts: this.#options.attempts,
    });
    const client = new PersistentClient(() => this.#addresses?.baseUrl ?? '', site.apiKey);
    const ordering = this.#order(site, client);
    // Its failure is handled where it is awaited, after the kills.
    ordering.catch(() => {});
    return { site, client, ordering, watching: this.#observe(client) };
  }

  /** Like clients that keep creating tasks, whatever happens to the service. */
  async #order({ projectId }: Site, client: PersistentClient): Promise<void> {
    const { seed, tasks, longestGapMs } = this.#options;
    const create = (path: string, body: object, key: string): Promise<string> =>
      client.create(path, { project_id: projectId, ...body }, key, this.#over.signal);
    const patientId = await create('/v1/patient', demoPatient, `${seed} patient`);
    for (const { label, body, idempotencyKey } of takeOrders(seed, tasks)) {
      const taskId = await create('/v1/task', { patient_id: patientId, ...body }, idempotencyKey);
      this.#watch.add(taskId);
      await sleep(chanceBetween(seed, `${label} gap`, 0, longestGapMs));
    }
  }

  async #observe(client: PersistentClient): Promise<void> {
    while (!this.#over.signal.aborted) {
      for (const taskId of this.#watch.taskIds) {
        const answer = await client.get(`/v1/task/${taskId}`);
        if (answer !== null) this.#watch.see(taskId, answer.status, answer.body);
      }
      await sleep(this.#watchPauseMs);
    }
  }

  /** Whether all work was done in time, and stayed done for a moment. */
  async #settle(addresses: StackAddresses, { projectId }: Site): Promise<boolean> {
    const deadlineMs = Date.now() + this.#options.settleLimitMs;
    let quietSinceMs: number | null = null;
    let told = { standing: '', atMs: 0 };
    for (;;) {
      const evidence = await gatherEvidence(addresses, projectId);
      const open = openWork(evidence, this.#witness.seen);
      const standing = open.length === 0 ? 'no work is left' : `open: ${open.join(', ')}`;
      const isNews = open.length === 0 || Date.now() - told.atMs > progressPauseMs;
      if (isNews && standing !== told.standing) {
        this.#options.progress(standing);
        told = { standing, atMs: Date.now() };
      }
      if (open.length > 0) quietSinceMs = null;
      else quietSinceMs ??= Date.now();
      if (quietSinceMs !== null && Date.now() - quietSinceMs > quietMs) return true;
      if (Date.now() > deadlineMs) {
        this.#problems.push(`not everything was over in time: ${open.join(', ')}`);
        return false;
      }
      await sleep(settlePauseMs);
    }
  }

  async #stop({ baseUrl, environment }: StackAddresses): Promise<string[]> {
    const problems: string[] = [];
    const exitCode = await this.#stack?.stop();
    this.#stack = null;
    if (exitCode !== 0) problems.push(`the stop ended with exit code ${exitCode}`);
    for (const command of await this.#commands()) problems.push(`a process was left: ${command}`);
    const servers = Object.entries(environment).filter(([name]) => name.startsWith('AWS_ENDPOINT_URL_'));
    for (const url of [baseUrl, ...servers.map(([, address]) => address)]) {
      if (url !== undefined && (await isListening(url))) problems.push(`something still listens at ${url}`);
    }
    return problems;
  }

  #commands(): Promise<string[]> {
    return commandsOn(join(this.#options.directory, 'data'));
  }

  #startMs(): number {
    const [first = expectedStartMs / 1000] = this.#startSeconds;
    return first * 1000;
  }

  #standing(): string {
    const { taskIds, ended } = this.#watch;
    const ordered = `${taskIds.length} of ${this.#options.tasks} tasks ordered`;
    return `${ordered}, ${ended} ended, ${this.#witness.seen.length} webhooks`;
  }
}

/** Every recording that the service reports must be complete. */
async function brokenRecordings(
  { calls }: Pick<Evidence, 'calls'>,
  client: PersistentClient,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, recording } of calls) {
    if (recording.status !== 'stored') continue;
    try {
      const wav = await client.download(`/v1/call/${id}/recording`);
      if (wav.byteLength !== recording.bytes) {
        throw new Error(`${wav.byteLength} of ${recording.bytes} bytes`);
      }
      inspectRecording(wav);
    } catch (error) {
      problems.push(`the recording of call ${id} cannot be fetched: ${String(error)}`);
    }
  }
  return problems;
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
