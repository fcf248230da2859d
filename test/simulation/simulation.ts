import { mkdirSync, rmSync } from 'node:fs';
import type { StackTemplate } from './cloud/deployed-stack.ts';
import type { QueueServer } from './cloud/embedded-servers.ts';
import type { FunctionFleet } from './cloud/function-fleet.ts';
import { Servers } from './cloud/servers.ts';
import { makeProcessDeterministic, makeProcessRealAgain } from './engine/deterministic-process.ts';
import { Faults } from './engine/faults.ts';
import { SeededRandom } from './engine/random.ts';
import { VirtualClock } from './engine/virtual-clock.ts';
import { ErasureStorm } from './harness/erasure-storm.ts';
import { Journal } from './harness/journal.ts';
import { ProjectErasure } from './harness/project-erasure.ts';
import type { LineCall } from './harness/rules.ts';
import { scheduleDisasters, schedulePoison, scheduleWork, type Weather } from './harness/storm.ts';
import { type Violation, Violations } from './harness/violations.ts';
import { World } from './world.ts';

export interface SimulationOptions {
  readonly stack: StackTemplate;
  readonly seed: string;
  /** How many tasks the clients create; each makes one or more calls. */
  readonly tasks: number;
  /** How much goes wrong: 1 is usual, 0 nothing. */
  readonly intensity: number;
  /** Concurrent calls of the only line, which all tasks call; null for a world of many numbers. */
  readonly lineLimit: number | null;
  /** How long the table's stream is down, from the start of the run. */
  readonly streamOutageHours: number;
  /** Where the embedded servers keep their data; it is emptied. */
  readonly dataDirectory: string;
  /** Receives every event as it happens. */
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
  /** Every placed call. */
  readonly lineCalls: readonly LineCall[];
  readonly violations: readonly Violation[];
}

/** Mondays to Sundays, at all hours, some of them close to a clock change. */
const beginnings = [
  '2027-03-12T22:00:00Z',
  '2027-03-14T05:30:00Z',
  '2027-06-09T14:00:00Z',
  '2027-06-11T23:30:00Z',
  '2027-11-06T20:00:00Z',
  '2027-11-07T04:30:00Z',
  '2028-01-17T16:00:00Z',
];

/**
 * Time limit for everything to end once nothing goes wrong anymore: projects that call only on weekends wait for
 * most of a week, more than once, and recordings are kept for some days more.
 */
const settlingLimitMs = 15 * 24 * 3_600_000;

/**
 * One run of the whole service in a world where things go wrong: the deployed functions over the embedded servers,
 * between simulated clients, carriers and receivers, on a simulated clock. The same seed gives the same run.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const random = new SeededRandom(options.seed);
  const clock = new VirtualClock(new Date(random.fork('beginning').pick(beginnings)));
  rmSync(options.dataDirectory, { recursive: true, force: true });
  mkdirSync(options.dataDirectory, { recursive: true });
  makeProcessDeterministic(clock, random.fork('process'));
  const weather: Weather = {
    clock,
    random,
    faults: new Faults(random.fork('faults'), options.intensity),
    journal: new Journal(clock, options.print),
  };
  const servers = new Servers(options.dataDirectory);
  try {
    return await run(options, weather, servers);
  } finally {
    await servers.stop();
    makeProcessRealAgain();
    rmSync(options.dataDirectory, { recursive: true, force: true });
  }
}

async function run(
  options: SimulationOptions,
  weather: Weather,
  servers: Servers,
): Promise<SimulationReport> {
  const { clock, faults, journal } = weather;
  const startedAt = performance.now();
  const startedAtMs = clock.nowMs;
  const violations = new Violations(clock, journal);
  const provisioned = await servers.start(options.stack);
  const world = new World({
    weather,
    violations,
    servers,
    provisioned,
    print: options.print,
    streamOutageHours: options.streamOutageHours,
  });
  await world.populate(options.lineLimit);
  const simulation: Simulation = { options, weather, servers, violations, world };

  const isOver = await surviveStorm(simulation);
  const { ends } = world.audit;
  const taskCount = world.ledger.tasks.size;
  if (isOver && violations.list.length === 0) await surviveErasures(simulation, provisioned.queueServer);
  world.schedules.stop();
  return {
    seed: options.seed,
    tasks: taskCount,
    calls: world.rules.placedCalls,
    steps: journal.steps,
    invocations: world.fleet.invocations,
    requests: world.network.requests,
    virtualHours: (clock.nowMs - startedAtMs) / 3_600_000,
    wallSeconds: (performance.now() - startedAt) / 1000,
    faults: faults.counts,
    ends,
    fingerprint: journal.fingerprint,
    lineCalls: world.rules.lineCalls,
    violations: violations.list,
  };
}

interface Simulation {
  readonly options: SimulationOptions;
  readonly weather: Weather;
  readonly servers: Servers;
  readonly violations: Violations;
  readonly world: World;
}

/** The clients' work while things go wrong, until all is settled and audited. Returns whether it settled in time. */
async function surviveStorm({ options, weather, servers, violations, world }: Simulation): Promise<boolean> {
  const { clock, faults } = weather;
  const { clients, audit, sources } = world;
  const stormEndsAtMs = scheduleWork(weather, clients, options.tasks, options.lineLimit !== null);
  const { fleet, relay, watch, carriers } = world;
  scheduleDisasters(weather, { fleet, relay, dynamo: servers.dynamo, watch, carriers }, stormEndsAtMs);
  if (options.intensity > 0) schedulePoison(weather, sources, stormEndsAtMs);
  const checkTime = (): void => {
    world.rules.checkTime();
    clock.after(60_000, checkTime);
  };
  checkTime();

  const until = { clock, violations, fleet };
  const isSettled = (): boolean => !faults.isOn && clock.nowMs > stormEndsAtMs && world.isIdle;
  faults.start();
  const isOver = await runUntil(isSettled, stormEndsAtMs + settlingLimitMs, until);
  if (isOver) {
    for (const client of clients) {
      client.listTasks((ids) => audit.checkList(client.project.project.id, ids));
    }
    await runUntil(isSettled, clock.nowMs + settlingLimitMs, until);
  }
  if (!isOver && !violations.isFull) {
    audit.reportWhatIsOpen();
    reportUnsettled(violations);
  }
  await audit.check(world.receiver, sources);
  return isOver;
}

/** Two more storms: patients are erased and exported and retention runs out, then a whole project is erased. */
async function surviveErasures(
  { weather, violations, world }: Simulation,
  queueServer: QueueServer,
): Promise<void> {
  const { clients, ledger, carriers, bucket } = world;
  const parts = { ...weather, clients, ledger, carriers, bucket, queueServer, report: violations.report };
  await surviveErasure(
    { weather, violations, world },
    new ErasureStorm({ ...parts, table: world.openTable() }),
  );
  if (violations.list.length > 0) return;
  const storm = new ProjectErasure({ ...parts, table: world.openTable() }, world.keys);
  await surviveErasure({ weather, violations, world }, storm);
}

async function surviveErasure(
  { weather, violations, world }: Pick<Simulation, 'weather' | 'violations' | 'world'>,
  storm: ErasureStorm | ProjectErasure,
): Promise<void> {
  const { clock, faults } = weather;
  await storm.begin();
  const isSettled = (): boolean => !faults.isOn && world.isIdle && storm.isOver;
  const until = { clock, violations, fleet: world.fleet };
  const isOver = await runUntil(isSettled, clock.nowMs + settlingLimitMs, until);
  if (!isOver) {
    storm.reportWhatIsOpen();
    reportUnsettled(violations);
  }
  const after = world.openTable();
  await storm.check(after);
  after.client.destroy();
}

/** So that what follows is never skipped unnoticed. */
function reportUnsettled({ list, report }: Violations): void {
  if (list.length === 0) report('everything comes to an end', 'something goes on', []);
}

interface Running {
  readonly clock: VirtualClock;
  readonly violations: Violations;
  readonly fleet: FunctionFleet;
}

/** Returns false if the limit passes first, or if there are enough violations. */
async function runUntil(
  isSettled: () => boolean,
  limitAtMs: number,
  { clock, violations, fleet }: Running,
): Promise<boolean> {
  let steps = 0;
  for (;;) {
    if (violations.isFull) return false;
    // Checked rarely, because it reads everything.
    if (steps % 50 === 0 && isSettled()) return true;
    if (clock.nowMs > limitAtMs) return false;
    await clock.step();
    await quiet(fleet);
    steps += 1;
  }
}

/** Waits until every function waits for the simulated world or has ended. */
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
