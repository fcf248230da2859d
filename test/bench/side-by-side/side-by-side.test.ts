import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../infra/command.ts';
import { freePort, loopback } from '../../../infra/loopback.ts';
import { runProcessOn } from '../../support/command-run.ts';
import { closedToday } from './contenders.ts';
import { type Contender, measureByTurns, type Turn } from './measure.ts';
import { installPackages, packages } from './packages.ts';
import { inTables } from './report.ts';
import { serverlessConfiguration } from './serverless-offline.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'voice-agent-side-by-side-test-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A contender in this process that records what happens to it. */
function fakeContender(
  name: string,
  happened: string[],
  breaksAtCreation = Number.POSITIVE_INFINITY,
): Contender {
  return {
    name,
    async start() {
      happened.push(`start ${name}`);
      const made: string[] = [];
      let underWay = 0;
      let most = 0;
      return {
        pid: process.pid,
        prepare: async () => void happened.push(`prepare ${name}`),
        async create() {
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise((resolve) => setTimeout(resolve, 1));
          underWay -= 1;
          if (made.length >= breaksAtCreation) throw new Error(`${name} broke`);
          return `${made.push(`${name} ${made.length}`) - 1}`;
        },
        async get(id) {
          if (made[Number(id)] === undefined || id === '') throw new Error(`nothing is at ${id}`);
        },
        stop: async () => void happened.push(`stop ${name} after ${made.length}, ${most} at once`),
      };
    },
  };
}

describe('alternating measurements', () => {
  const quiet = { progress: () => {} };

  test('start, measure and stop in turn, round by round', async () => {
    const happened: string[] = [];
    const contenders = [fakeContender('one', happened), fakeContender('other', happened)];
    const turns = await measureByTurns(contenders, { rounds: 2, requests: 15, ...quiet });
    // The first creation, 20 uncounted ones, 15 one by one, 15 ten at a time.
    const ofOne = ['start one', 'prepare one', 'stop one after 51, 10 at once'];
    const ofOther = ['start other', 'prepare other', 'stop other after 51, 10 at once'];
    expect(happened).toEqual([...ofOne, ...ofOther, ...ofOne, ...ofOther]);
    expect([...turns].map(([name, all]) => [name, all.length])).toEqual([
      ['one', 2],
      ['other', 2],
    ]);
    for (const { oneAtATime, tenAtOnce } of [...turns.values()].flat()) {
      for (const times of [oneAtATime.create, oneAtATime.get, tenAtOnce.create, tenAtOnce.get]) {
        expect(times).toHaveLength(15);
      }
    }
  });

  test('stop the started runner after a failed request', async () => {
    const happened: string[] = [];
    const measuring = measureByTurns([fakeContender('one', happened, 25)], {
      rounds: 1,
      requests: 15,
      ...quiet,
    });
    await expect(measuring).rejects.toThrow('one broke');
    expect(happened.at(-1)).toBe('stop one after 25, 1 at once');
  });
});

test('the report has the median of all starts, percentiles of all requests and peak memory', () => {
  const times = { create: [1, 2, 3], get: [4] };
  const turn = (readyMs: number, megabytes: number): Turn => ({
    readyMs,
    firstCreateMs: readyMs / 10,
    oneAtATime: times,
    tenAtOnce: { create: [10, 20], get: [] },
    peakBytes: megabytes * 1024 * 1024,
  });
  const turns = new Map([
    ['one', [turn(2000, 300), turn(1000, 200), turn(9000, 100)]],
    ['other', [turn(4000, 400)]],
  ]);
  expect(inTables(turns, [{ name: 'create', elapsedMs: 40.4, processorMs: 50.5, ratio: 3 }])).toBe(`\
|  | one | other |
| --- | --- | --- |
| ready after, s | 2.0 | 4.0 |
| first creation, ms | 200 | 400 |
| create p50 / p95, ms | 2.0 / 3.0 | 2.0 / 3.0 |
| get p50 / p95, ms | 4.0 / 4.0 | 4.0 / 4.0 |
| create p50 / p95, ten at once, ms | 10.0 / 20.0 | 10.0 / 20.0 |
| get p50 / p95, ten at once, ms | – | – |
| peak memory, MB | 300 | 400 |

| import of the handler | ms | processor ms | processor time of the process, ratio to an empty handler |
| --- | --- | --- | --- |
| \`create\` | 40 | 51 | 3.00 |`);
});

test('serverless needs no account, and has the route, code and environment of each function', () => {
  const { major } = /^(?<major>\d+)\./.exec(packages.serverless ?? '')?.groups ?? {};
  expect(major).toBe('3');
  const environment = { TABLE_NAME: 'products' };
  const configuration = serverlessConfiguration(
    [{ name: 'get-product', method: 'get', path: 'products/{id}', environment }],
    { http: 1, lambda: 2, webSocket: 3 },
  );
  expect(configuration).toMatchObject({
    frameworkVersion: major,
    plugins: ['serverless-offline'],
    custom: { 'serverless-offline': { host: loopback, httpPort: 1, lambdaPort: 2, websocketPort: 3 } },
    functions: {
      'get-product': {
        handler: 'handlers/get-product/index.handler',
        environment,
        events: [{ http: { method: 'get', path: 'products/{id}' } }],
      },
    },
  });
});

test('no calls are allowed for two days', () => {
  for (let day = 1; day <= 7; day += 1) {
    const now = new Date(Date.UTC(2026, 2, day, 23, 59));
    const open = closedToday(now).days;
    const weekdays = [0, 1, 2].map((later) => (now.getUTCDay() + later) % 7 || 7);
    expect(weekdays.some((weekday) => open.includes(weekday))).toBe(false);
  }
});

describe('installing', () => {
  test('asks for exact versions and runs no package scripts', async () => {
    const asked: (readonly string[])[] = [];
    await installPackages(directory, async (args) => void asked.push(args));
    expect(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')).dependencies).toEqual(
      packages,
    );
    for (const version of Object.values(packages)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(asked.flat()).toContain('--ignore-scripts');
  });

  test("a failure is the user's to fix, and quotes npm", async () => {
    const stderr =
      'npm warn old\nnpm error code E404\nnpm error 404 Not Found\nnpm error A complete log is here';
    const failing = async () => Promise.reject(Object.assign(new Error('Command failed'), { stderr }));
    const installing = installPackages(directory, failing);
    await expect(installing).rejects.toThrow(UsageError);
    await expect(installing).rejects.toThrow(/reachable\?\nnpm error code E404\nnpm error 404 Not Found$/);
  });

  test.runIf(process.platform === 'linux')(
    'the command ends with 2 and leaves nothing behind without a registry',
    async () => {
      const temporary = await mkdtemp(join(directory, 'temporary-'));
      const registry = `http://${loopback}:${await freePort()}/`;
      const { exitCode, stderr } = await runProcessOn(
        { endpoint: registry },
        '../test/bench/bench-side-by-side',
        [],
        // Without a cache.
        { TMPDIR: temporary, npm_config_registry: registry, npm_config_cache: join(directory, 'cache') },
      );
      expect(stderr).toContain('is its registry reachable?\nnpm error code ECONNREFUSED');
      expect(stderr).toContain('Try: npm run bench-side-by-side -- --help');
      expect(exitCode).toBe(2);
      expect((await readdir(temporary)).filter((name) => name.startsWith('voice-agent-'))).toEqual([]);
    },
    120_000,
  );
});

test('the command refuses invalid options', async () => {
  const { exitCode, stderr } = await runProcessOn({ endpoint: '' }, '../test/bench/bench-side-by-side', [
    '--rounds',
    '0',
  ]);
  expect(stderr).toContain('--rounds must be a number from 1 to 100');
  expect(exitCode).toBe(2);
}, 60_000);
