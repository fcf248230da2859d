import { mkdirSync, rmSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { operatorDirectory } from '#shared/domain/directory-entry.ts';
import type { Project } from '#shared/domain/project.ts';
import type { ProjectKey } from '#shared/encryption/project-key.ts';
import type { CreatedProject } from '#shared/projects/create-project.ts';
import { openTable } from '#shared/table/client.ts';
import { openItem } from '#shared/table/sealing-client.ts';
import { provisionBuckets } from '../../infra/local/provision/buckets.ts';
import { type ProvisionedQueue, provisionQueues } from '../../infra/local/provision/queues.ts';
import { provisionTables } from '../../infra/local/provision/tables.ts';
import { keysInMemory } from '../../infra/local/servers/kms-server.ts';
import { secretsKey } from '../support/embedded-secrets.ts';
import { localKms } from '../support/local-kms.ts';
import { SimulatedCarrier } from './carrier/simulated-carrier.ts';
import {
  dynamoService,
  kmsService,
  objectService,
  queueService,
  secretsService,
} from './cloud/aws-services.ts';
import {
  addresses,
  type DeployedStack,
  liveCarrierSecretName,
  openDeployment,
  readStack,
  type StackTemplate,
} from './cloud/deployed-stack.ts';
import { DynamoServer, QueueServer } from './cloud/embedded-servers.ts';
import { FunctionFleet } from './cloud/function-fleet.ts';
import { Network } from './cloud/network.ts';
import { QueueSource } from './cloud/queue-source.ts';
import { RelayGateway } from './cloud/relay-gateway.ts';
import { RestGateway } from './cloud/rest-gateway.ts';
import { startSchedules } from './cloud/schedules.ts';
import { serviceFor } from './cloud/service-for.ts';
import { StaleReads } from './cloud/stale-reads.ts';
import { StreamSource } from './cloud/stream-source.ts';
import { TableWatch } from './cloud/table-watch.ts';
import { makeProcessDeterministic, makeProcessRealAgain } from './engine/deterministic-process.ts';
import { Faults } from './engine/faults.ts';
import { SeededRandom } from './engine/random.ts';
import { VirtualClock } from './engine/virtual-clock.ts';
import { SimulatedDirectory, sharedNumber } from './harness/directory.ts';
import { ErasureStorm } from './harness/erasure-storm.ts';
import { FinalAudit } from './harness/final-audit.ts';
import { Journal } from './harness/journal.ts';
import { Ledger } from './harness/ledger.ts';
import { canaries, ProjectClients } from './harness/project-clients.ts';
import { ProjectErasure } from './harness/project-erasure.ts';
import { createProjects, numbersOf } from './harness/projects.ts';
import { type LineCall, type Report, Rules } from './harness/rules.ts';
import { scheduleDisasters, schedulePoison, scheduleWork } from './harness/storm.ts';
import type { Violation } from './harness/violations.ts';
import { WebhookReceiver } from './harness/webhook-receiver.ts';

export interface SimulationOptions {
  readonly stack: StackTemplate;
  readonly seed: string;
  /** How many tasks the clients create; each makes one or more calls. */
  readonly tasks: number;
  /** How much goes wrong: 1 is usual, 0 nothing. */
  readonly intensity: number;
  /** Calls at once of the one line that all tasks call; null for a world of many numbers. */
  readonly lineLimit: number | null;
  /** For so long nobody follows the table's stream. */
  readonly streamOutageHours: number;
  /** Where the embedded servers keep their data; it is emptied. */
  readonly dataDirectory: string;
  /** Gets everything that happens, as it happens. */
  readonly print: ((line: string) => void) | null;
}

export interface SimulationReport {
  readonly seed: string;
  readonly tasks: number;
  readonly calls: number;
  readonly steps: number;
  readonly invocations: number;
  readonly requests: number;
  readonly virtualHours: number;
  readonly wallSeconds: number;
  readonly faults: ReadonlyMap<string, number>;
  /** How many tasks and calls ended in which way. */
  readonly ends: ReadonlyMap<string, number>;
  readonly fingerprint: string;
  /** Every call as it was placed. */
  readonly lineCalls: readonly LineCall[];
  readonly violations: readonly Violation[];
}

/** Mondays to Sundays, at all hours, some of them next to a change of the clocks. */
const beginnings = [
  '2027-03-12T22:00:00Z',
  '2027-03-14T05:30:00Z',
  '2027-06-09T14:00:00Z',
  '2027-06-11T23:30:00Z',
  '2027-11-06T20:00:00Z',
  '2027-11-07T04:30:00Z',
  '2028-01-17T16:00:00Z',
];

/** What the carriers take: of the sandbox by its constants, of the live one by the template's defaults. */
const limits = {
  sandbox: { maxCalls: 100, callsPerSecond: 20 },
  live: { maxCalls: 100, callsPerSecond: 1 },
};

/**
 * Everything must have come to an end so long after nothing goes wrong any more: projects that call on
 * weekends only wait for most of a week, more than once, and recordings are kept for some days more.
 */
const settlingLimitMs = 15 * 24 * 3_600_000;
const mostViolations = 20;
const localAccess = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/**
 * One run of the whole service in a world in which things go wrong: the deployed functions over the embedded servers,
 * between simulated clients, carriers and receivers, on a simulated clock. The same seed gives the same run.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const random = new SeededRandom(options.seed);
  const clock = new VirtualClock(new Date(random.fork('beginning').pick(beginnings)));
  rmSync(options.dataDirectory, { recursive: true, force: true });
  mkdirSync(options.dataDirectory, { recursive: true });
  makeProcessDeterministic(clock, random.fork('process'));
  const harness = new Harness(options, random, clock);
  try {
    return await harness.run();
  } finally {
    await harness.stop();
    makeProcessRealAgain();
    rmSync(options.dataDirectory, { recursive: true, force: true });
  }
}

class Harness {
  readonly #options: SimulationOptions;
  readonly #random: SeededRandom;
  readonly #clock: VirtualClock;
  readonly #faults: Faults;
  readonly #journal: Journal;
  readonly #violations: Violation[] = [];
  readonly #dynamo: DynamoServer;
  #queueServer: QueueServer | null = null;

  constructor(options: SimulationOptions, random: SeededRandom, clock: VirtualClock) {
    this.#options = options;
    this.#random = random;
    this.#clock = clock;
    this.#faults = new Faults(random.fork('faults'), options.intensity);
    this.#journal = new Journal(clock, options.print);
    this.#dynamo = new DynamoServer(options.dataDirectory);
  }

  async stop(): Promise<void> {
    await this.#dynamo.kill();
    await this.#queueServer?.stop();
  }

  readonly #report: Report = (invariant, detail, taskIds) => {
    if (this.#violations.length >= mostViolations) return;
    this.#journal.note(taskIds, `VIOLATION ${invariant}: ${detail}`);
    const [taskId] = taskIds;
    this.#violations.push({
      invariant,
      detail,
      taskIds,
      at: this.#clock.now.toISOString(),
      history: taskId === undefined ? [] : [...this.#journal.lastOf(taskId)],
    });
  };

  async run(): Promise<SimulationReport> {
    const startedAt = performance.now();
    const startedAtMs = this.#clock.nowMs;
    const { lineLimit } = this.#options;
    const { stack, deployment, queueServer, tableName, streamArn, queues } = await this.#startServers();
    const random = this.#random;
    const clock = this.#clock;
    const faults = this.#faults;
    const journal = this.#journal;
    const report = this.#report;

    const projects = new Map<string, Project>();
    const directory = new SimulatedDirectory();
    const rules = new Rules({
      clock,
      ledger: () => ledger,
      projects,
      report,
      directory,
      carrierLimits: limits,
    });
    const ledger = new Ledger(journal, rules);
    const staleReads = new StaleReads(clock, random.fork('stale reads'), faults);
    const projectKeys = new Map<string, ProjectKey>();
    const open = (item: Readonly<Record<string, unknown>>) =>
      openItem(item, async (projectId) => projectKeys.get(projectId) ?? null);
    const watch = new TableWatch(this.#dynamo, streamArn, open, (change) => {
      ledger.apply(change);
      staleReads.note(change.record);
      stream.push(change.record);
    });

    const fleet = new FunctionFleet({
      functions: stack.functions,
      clock,
      random: random.fork('fleet'),
      journal,
      faults,
      send: (invocation, request, outcome) => network.send(invocation, request, outcome),
      onLine: (functionName, line) => {
        this.#options.print?.(`    ${functionName}: ${line.slice(0, 1500)}`);
        lookForCanaries(line, `a log line of ${functionName}`, report, journal);
      },
      onPayload: (functionName, bytes) => {
        if (bytes > 6 * 1024 * 1024)
          report('26: answers stay below 6 MB', `${functionName}: ${bytes} bytes`, []);
      },
    });
    const gateway = new RestGateway(fleet, clock, random.fork('gateway'));
    const relay = new RelayGateway(fleet, clock, random.fork('relay'));
    const carriers = (['sandbox', 'live'] as const).map(
      (name) =>
        new SimulatedCarrier({
          name,
          clock,
          random: random.fork(`carrier ${name}`),
          faults,
          journal,
          gateway,
          relay,
          observer: {
            onPlaced: (carrier, call) => rules.onPlaced(carrier, call),
            onRinging: (carrier, call) => rules.onRinging(carrier, call),
            onEnded: (carrier, call) => rules.onEnded(carrier, call),
            onViolation: report,
          },
        }),
    );
    const created: CreatedProject[] = [];
    const clients: ProjectClients[] = [];
    const audit = new FinalAudit({
      ledger,
      rules,
      carriers,
      queueServer,
      report,
      bucket: stack.outputs.RecordingsBucketName ?? '',
      projects: created,
    });
    const receiver = new WebhookReceiver({
      clock,
      faults,
      secretOf: (endpoint) => created[Number(endpoint)]?.webhook?.signingSecret ?? null,
      onReceived: ({ endpoint, payload, isFirst }) => {
        if (!isFirst) return;
        const client = clients[Number(endpoint)];
        if (client !== undefined) audit.onWebhook(client, payload);
      },
      onViolation: report,
    });

    const sources = this.#queueSources(stack, queues, queueServer, fleet);
    const secretsKeyArn = stack.outputs.SecretsKeyId ?? '';
    const key = { ...secretsKey, id: secretsKeyArn.split('/').at(-1) ?? '', arn: secretsKeyArn };
    const keys = keysInMemory(key);
    const services = {
      dynamo: dynamoService(this.#dynamo, staleReads, () => watch.read()),
      queues: queueService(queueServer, (queueUrl, request) => {
        const source = sources.find(({ queueName }) => queueUrl.endsWith(`/${queueName}`));
        source?.wake(random.between(0.5, 30));
        lookForCanaries(request.body.toString('utf8'), 'a queue message', report, journal);
      }),
      objects: objectService(queueServer, keys),
      kms: kmsService(keys),
      secrets: secretsService((secretId) => {
        const carrier = secretId === liveCarrierSecretName ? carriers[1] : carriers[0];
        return carrier?.secret ?? null;
      }),
    };
    const network = new Network({
      clock,
      random: random.fork('network'),
      faults,
      journal,
      fleet: () => fleet,
      serviceFor: (url) => serviceFor(url, services, carriers, relay, receiver),
    });
    const stream = this.#streamSource(stack, fleet);
    const schedules = startSchedules(deployment, {
      fleet,
      clock,
      random: random.fork('schedules'),
      faults,
      isAnythingDue: (byMs) => ledger.isAnythingDue(byMs),
    });

    const table = openTable(tableName, this.#dynamoClient(), localKms(keys).openDataKey);
    created.push(
      ...(await createProjects(table, keys, key, random.fork('projects'), clock.now, lineLimit !== null)),
    );
    for (const { project } of created) {
      projects.set(project.id, project);
      const key = await table.projectKey(project.id);
      if (key !== null) projectKeys.set(project.id, key);
    }
    // Few numbers: many calls wait for each other.
    const numberCount = random.fork('numbers').pick([2, 4, 12]);
    const numbers = created.map((_, index) =>
      lineLimit === null ? numbersOf(index, numberCount) : [sharedNumber],
    );
    if (lineLimit === null) {
      const all = [...new Set(numbers.flat())];
      await directory.fill(table, [...projects.keys()], all, random.fork('directory'), clock.now);
    } else await directory.add(table, operatorDirectory, sharedNumber, lineLimit, clock.now);
    table.client.destroy();
    await watch.read();
    for (const [index, project] of created.entries()) {
      clients.push(
        new ProjectClients(project, numbers[index] ?? [], {
          gateway,
          clock,
          random: random.fork(`clients ${index}`),
          faults,
          journal,
          report,
          onTaskCreated: (taskId) => audit.onTaskCreated(taskId),
          onTaskAccepted: (taskId) => audit.onTaskAccepted(taskId),
          onCancelled: (taskId) => audit.onCancelled(taskId),
        }),
      );
    }

    const weather = { clock, random, faults, journal };
    const stormEndsAtMs = scheduleWork(weather, clients, this.#options.tasks, lineLimit !== null);
    scheduleDisasters(weather, { fleet, relay, dynamo: this.#dynamo, watch, carriers }, stormEndsAtMs);
    if (this.#options.intensity > 0) schedulePoison(weather, sources, stormEndsAtMs);
    const checkTime = (): void => {
      rules.checkTime();
      clock.after(60_000, checkTime);
    };
    checkTime();

    const isSettled = (): boolean =>
      !faults.isOn &&
      clock.nowMs > stormEndsAtMs &&
      fleet.isIdle &&
      stream.isEmpty &&
      clients.every(({ isIdle }) => isIdle) &&
      carriers.every(({ isIdle }) => isIdle) &&
      sources.every(({ isEmpty }) => isEmpty) &&
      audit.isNothingOpen;
    faults.start();
    const isOver = await this.#runUntil(isSettled, stormEndsAtMs + settlingLimitMs, fleet);
    if (isOver) {
      for (const client of clients) {
        client.listTasks((ids) => audit.checkList(client.project.project.id, ids));
      }
      await this.#runUntil(isSettled, this.#clock.nowMs + settlingLimitMs, fleet);
    }
    if (!isOver && this.#violations.length < mostViolations) {
      audit.reportWhatIsOpen();
      this.#reportUnsettled();
    }
    await audit.check(receiver, sources);
    const { ends } = audit;
    const taskCount = ledger.tasks.size;
    if (isOver && this.#violations.length === 0) {
      const openAnew = () => openTable(tableName, this.#dynamoClient(), localKms(keys).openDataKey);
      const { RecordingsBucketName: bucket = '' } = stack.outputs;
      const world = { ...weather, clients, ledger, carriers, queueServer, report, bucket };
      const settle = async (storm: ErasureStorm | ProjectErasure): Promise<void> => {
        await storm.begin();
        const limitMs = clock.nowMs + settlingLimitMs;
        const isOver = await this.#runUntil(() => isSettled() && storm.isOver, limitMs, fleet);
        if (!isOver) {
          storm.reportWhatIsOpen();
          this.#reportUnsettled();
        }
        const after = openAnew();
        await storm.check(after);
        after.client.destroy();
      };
      await settle(new ErasureStorm({ ...world, table: openAnew() }));
      if (this.#violations.length === 0) {
        await settle(new ProjectErasure({ ...world, table: openAnew() }, keys));
      }
    }
    schedules.stop();
    return {
      seed: this.#options.seed,
      tasks: taskCount,
      calls: rules.placedCalls,
      steps: journal.steps,
      invocations: fleet.invocations,
      requests: network.requests,
      virtualHours: (clock.nowMs - startedAtMs) / 3_600_000,
      wallSeconds: (performance.now() - startedAt) / 1000,
      faults: faults.counts,
      ends,
      fingerprint: journal.fingerprint,
      lineCalls: rules.lineCalls,
      violations: this.#violations,
    };
  }

  /** So that what follows is never left out unnoticed. */
  #reportUnsettled(): void {
    if (this.#violations.length === 0) this.#report('everything comes to an end', 'something goes on', []);
  }

  async #runUntil(isSettled: () => boolean, limitAtMs: number, fleet: FunctionFleet): Promise<boolean> {
    let steps = 0;
    for (;;) {
      if (this.#violations.length >= mostViolations) return false;
      // Asked seldom, because the answer takes a look at everything.
      if (steps % 50 === 0 && isSettled()) return true;
      if (this.#clock.nowMs > limitAtMs) return false;
      await this.#clock.step();
      await quiet(fleet);
      steps += 1;
    }
  }

  async #startServers() {
    await this.#dynamo.start();
    const queueServer = await QueueServer.start();
    this.#queueServer = queueServer;
    const dynamo = this.#dynamoClient();
    const queueOrigin = `http://127.0.0.1:${queueServer.server.port}`;
    // Queues have addresses of the simulated world, which this client could not reach.
    const sqs = new SQSClient({ ...localAccess, endpoint: queueOrigin, useQueueUrlAsEndpoint: false });
    let streams = new Map<string, string>();
    const deployment = openDeployment(this.#options.stack, (table) => streams.get(table));
    streams = await provisionTables(deployment, dynamo);
    const queues = await provisionQueues(deployment, sqs, addresses.sqs);
    await provisionBuckets(deployment, queueOrigin);
    const stack = readStack(this.#options.stack, deployment, this.#options.dataDirectory);
    const tableName = stack.outputs.TableName ?? '';
    dynamo.destroy();
    sqs.destroy();
    return { stack, deployment, queueServer, tableName, streamArn: streams.get(tableName) ?? '', queues };
  }

  #dynamoClient(): DynamoDBClient {
    return new DynamoDBClient({ ...localAccess, endpoint: `http://127.0.0.1:${this.#dynamo.port}` });
  }

  #queueSources(
    stack: DeployedStack,
    queues: readonly ProvisionedQueue[],
    server: QueueServer,
    fleet: FunctionFleet,
  ): QueueSource[] {
    return stack.mappings.flatMap((mapping) => {
      const queue = queues.find(({ arn }) => arn === mapping.sourceArn);
      if (queue === undefined) return [];
      const random = this.#random.fork(`queue ${mapping.functionName}`);
      const path = new URL(queue.url).pathname;
      return [
        new QueueSource({
          mapping,
          queueName: queue.name,
          queueUrl: `http://127.0.0.1:${server.server.port}${path}`,
          server,
          fleet,
          clock: this.#clock,
          random,
          faults: this.#faults,
          journal: this.#journal,
        }),
      ];
    });
  }

  #streamSource(stack: DeployedStack, fleet: FunctionFleet): StreamSource {
    const mapping = stack.mappings.find(({ sourceArn }) => sourceArn.includes(':dynamodb:'));
    if (mapping === undefined) throw new Error('nobody follows the stream of the table');
    const isBackAtMs = this.#clock.nowMs + this.#options.streamOutageHours * 3_600_000;
    return new StreamSource({
      mapping,
      fleet,
      clock: this.#clock,
      random: this.#random.fork('stream'),
      faults: this.#faults,
      isDown: () => this.#clock.nowMs < isBackAtMs,
      onGivenUp: (isDisturbed) => {
        if (!isDisturbed)
          this.#report('27: only poison is given up', 'a change of the table was skipped', []);
      },
    });
  }
}

/** Waits until no function computes any more: each waits for the simulated world, or has ended. */
async function quiet(fleet: FunctionFleet): Promise<void> {
  const giveUpAt = performance.now() + 30_000;
  for (let turns = 0; turns < 2; ) {
    const before = fleet.activity;
    await new Promise((resolve) => setImmediate(resolve));
    const isQuiet = fleet.activity === before && !fleet.isComputing;
    turns = isQuiet ? turns + 1 : 0;
    if (!isQuiet && performance.now() > giveUpAt) throw new Error('a function neither ends nor waits');
  }
}

function lookForCanaries(text: string, where: string, report: Report, journal: Journal): void {
  for (const word of [
    canaries.firstName,
    canaries.lastName,
    canaries.dateOfBirth,
    canaries.diagnosis,
    '+1202555',
  ]) {
    if (text.includes(word)) report('30: no health information outside', where, journal.tasksIn(text));
  }
}
