import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessMeter } from '../../load/process-meter.ts';

/** A server for requests to create and to get one thing. */
export interface Contender {
  readonly name: string;
  /** Resolves once it responds; only `stop` stops what was started. */
  start(): Promise<Running>;
}

export interface Running {
  readonly pid: number;
  /** Prepares what the requests need, such as a patient; not measured. */
  prepare(): Promise<void>;
  /** @returns the identifier of the created thing */
  create(): Promise<string>;
  get(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds of each request, by kind. */
export interface RequestTimes {
  readonly create: readonly number[];
  readonly get: readonly number[];
}

/** One start of a contender. */
export interface Turn {
  readonly readyMs: number;
  /** The very first creation. */
  readonly firstCreateMs: number;
  readonly oneAtATime: RequestTimes;
  readonly tenAtOnce: RequestTimes;
  /** Resident memory of its process and all descendants, in bytes. */
  readonly peakBytes: number;
}

export interface Extent {
  readonly rounds: number;
  /** Counted requests of each kind in a turn. */
  readonly requests: number;
  readonly progress: (line: string) => void;
}

const atOnce = 10;
/** Requests of each kind before the counted ones. */
const warmUps = 20;
const lookPauseMs = 250;

/** Restarts each contender in each round, one after the other, and measures it. @returns turns by its name */
export async function measureByTurns(
  contenders: readonly Contender[],
  { rounds, requests, progress }: Extent,
): Promise<ReadonlyMap<string, readonly Turn[]>> {
  const turns = new Map<string, Turn[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const contender of contenders) {
      progress(`round ${round} of ${rounds}: ${contender.name} …`);
      turns.get(contender.name)?.push(await measureTurn(contender, requests));
    }
  }
  return turns;
}

async function measureTurn(contender: Contender, requests: number): Promise<Turn> {
  const startedAt = performance.now();
  const running = await contender.start();
  const readyMs = performance.now() - startedAt;
  const meter = new ProcessMeter(running.pid);
  const over = new AbortController();
  const watching = watch(meter, over.signal);
  try {
    await running.prepare();
    const [firstCreateMs] = await timed(() => running.create());
    await measureRequests(running, warmUps, 1);
    const oneAtATime = await measureRequests(running, requests, 1);
    const tenAtOnce = await measureRequests(running, requests, atOnce);
    await meter.look();
    return { readyMs, firstCreateMs, oneAtATime, tenAtOnce, peakBytes: meter.peakBytes };
  } finally {
    over.abort();
    await watching;
    await running.stop();
  }
}

async function watch(meter: ProcessMeter, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await meter.look();
    await sleep(lookPauseMs, undefined, { signal: over }).catch(() => undefined);
  }
}

/** Creates this many things, then gets each of them. */
async function measureRequests(running: Running, count: number, clients: number): Promise<RequestTimes> {
  const ids: string[] = [];
  const create = await inParallel(count, clients, async () => {
    const [ms, id] = await timed(() => running.create());
    ids.push(id);
    return ms;
  });
  const get = await inParallel(count, clients, async (index) => {
    const [ms] = await timed(() => running.get(ids[index] ?? ''));
    return ms;
  });
  return { create, get };
}

/** Each client sends its next request when its last one was answered. */
async function inParallel(
  count: number,
  clients: number,
  request: (index: number) => Promise<number>,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      times.push(await request(index));
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return times;
}

async function timed<Result>(act: () => Promise<Result>): Promise<[ms: number, result: Result]> {
  const startedAt = performance.now();
  const result = await act();
  return [performance.now() - startedAt, result];
}
