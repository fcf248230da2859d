import { readFile } from 'node:fs/promises';
import { availableParallelism, getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { FunctionError } from '../../../infra/local/local-stack.ts';
import { eventually, type Fixture, restApi, startFixture } from './fixture.ts';

let fixture: Fixture;

/** Returns how many requests its worker has served, and how many at most concurrently. */
const countPerWorker = `let served = 0, running = 0, most = 0;
  exports.handler = async ({ ms }) => {
    running += 1; most = Math.max(most, running); served += 1;
    await new Promise((resolve) => setTimeout(resolve, ms));
    running -= 1;
    return { served, most, worker: require('node:worker_threads').threadId };
  }`;
const Counted = z.object({ served: z.number(), most: z.number(), worker: z.number() });

const showPriority = "exports.handler = async () => require('node:os').getPriority()";

beforeAll(async () => {
  process.env.ONLY_OF_THE_MACHINE = 'yes';
  fixture = await startFixture({
    parameters: { Colour: { Type: 'String', Default: 'green' } },
    functions: {
      ShowEnvironment: {
        code: 'exports.handler = async () => process.env',
        properties: {
          Environment: { Variables: { COLOUR: { Ref: 'Colour' }, PORT_OF: { Ref: 'PublicBaseUrl' } } },
        },
      },
      OtherEnvironment: {
        code: 'exports.handler = async () => { process.env.LEAK = "x"; return process.env }',
        properties: { Environment: { Variables: { SHAPE: 'round' } } },
      },
      ShowContext: {
        code: `exports.handler = async (event, context) => ({
          event, ...context, left: context.getRemainingTimeInMillis() })`,
        properties: { Timeout: 7, MemorySize: 256 },
      },
      CountPerWorker: {
        code: countPerWorker,
        properties: { ReservedConcurrentExecutions: 2 },
      },
      ServesClients: { code: countPerWorker },
      ServesOthers: { code: countPerWorker },
      HangsBeside: { code: 'exports.handler = () => new Promise(() => {})', properties: { Timeout: 1 } },
      AskedPerWorker: { code: countPerWorker },
      SharesWorker: {
        code: countPerWorker,
        metadata: { RequestsPerWorker: 3, OneRequestPerWorkerIf: { KIND: 'computing' } },
      },
      OnePerWorker: {
        code: countPerWorker,
        properties: { Environment: { Variables: { KIND: 'computing' } } },
        metadata: { RequestsPerWorker: 3, OneRequestPerWorkerIf: { KIND: 'computing' } },
      },
      Misbehave: {
        code: `let served = 0;
          exports.handler = async ({ how }) => {
            served += 1;
            switch (how) {
              case 'throw': throw new TypeError('thrown on purpose');
              case 'throw-text': throw 'just text';
              case 'exit': process.exit(3);
              case 'uncaught':
                setTimeout(() => { throw new RangeError('nobody catches this') });
                await new Promise(() => {});
              case 'unhandled': Promise.reject(new Error('nobody awaits this')); await new Promise(() => {});
              case 'hang': await new Promise(() => {});
              case 'spin': for (;;) {}
              case 'large': return 'x'.repeat(7 * 1024 * 1024);
              case 'nothing': return undefined;
              default: return { served };
            }
          }`,
        properties: { Timeout: 1 },
      },
      SwitchedOff: {
        code: 'exports.handler = async () => 1',
        properties: { ReservedConcurrentExecutions: 0 },
      },
      BrokenBundle: { code: 'throw new SyntaxError("does not load")' },
      NoHandler: { code: 'exports.other = 1' },
      UnbundledPackage: { code: 'require("ws"); exports.handler = async () => 1' },
      EsModule: { code: { 'index.mjs': 'export const handler = async () => typeof require' } },
      Files: {
        code: {
          'lib/index.js': `exports.handler = async () => ({
            part: require('./part').part, data: require('../data.json'),
            text: require('node:fs').readFileSync(__dirname + '/note.txt', 'utf8') })`,
          'lib/part.js': 'exports.part = 1',
          'lib/note.txt': 'hello',
          'data.json': '{"n":2}',
        },
        properties: { Handler: 'lib/index.handler' },
      },
      AskedForPriority: { code: showPriority },
      ScheduledPriority: { code: showPriority },
      ScheduledPerWorker: { code: countPerWorker },
      Talk: {
        code: 'exports.handler = async () => { console.log(JSON.stringify({ said: "hello" })); console.error("oops") }',
      },
    },
    resources: {
      ...restApi({ 'GET /': 'ServesClients', 'GET /others': 'ServesOthers', 'GET /hang': 'HangsBeside' }),
      Nightly: {
        Type: 'AWS::Events::Rule',
        Properties: {
          ScheduleExpression: 'rate(1 day)',
          Targets: ['ScheduledPriority', 'ScheduledPerWorker'].map((target) => ({
            Id: target,
            Arn: { 'Fn::GetAtt': [target, 'Arn'] },
          })),
        },
      },
    },
  });
});

afterAll(async () => {
  delete process.env.ONLY_OF_THE_MACHINE;
  await fixture.stop();
});

const invoke = (name: string, event: unknown = {}): Promise<unknown> => fixture.stack.invoke(name, event);

const countPerWorkerOf = (name: string, times: readonly number[]) =>
  Promise.all(times.map(async (ms) => Counted.parse(await invoke(name, { ms }))));

describe('a function', () => {
  test("sees its own environment, resolved, and neither the machine's nor another function's", async () => {
    const environment = await invoke('show-environment');
    expect(environment).toMatchObject({
      COLOUR: 'green',
      PORT_OF: fixture.stack.baseUrl,
      AWS_LAMBDA_FUNCTION_NAME: 'show-environment',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_DYNAMODB: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      AWS_ACCESS_KEY_ID: 'ShowEnvironment',
    });
    const other = await invoke('OtherEnvironment');
    expect(other).toMatchObject({ SHAPE: 'round', LEAK: 'x' });
    expect(await invoke('show-environment')).toEqual(environment);
    for (const name of ['ONLY_OF_THE_MACHINE', 'SHAPE', 'HOME', 'PATH']) {
      expect(environment).not.toHaveProperty(name);
    }
    expect(process.env.LEAK).toBeUndefined();
  });

  test('receives the event and the context', async () => {
    expect(await invoke('show-context', { a: 1 })).toMatchObject({
      event: { a: 1 },
      functionName: 'show-context',
      memoryLimitInMB: '256',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      left: expect.toSatisfy((left: number) => left > 6_000 && left <= 7_000),
    });
  });

  test('runs one request at a time per worker, and queues requests for a worker that is soon free', async () => {
    const seen = await countPerWorkerOf('count-per-worker', [1, 1, 1, 1, 1]);
    expect(Math.max(...seen.map(({ most }) => most))).toBe(1);
    expect(seen.map(({ served }) => served).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('gets more workers while requests wait, up to its concurrency', async () => {
    const seen = await countPerWorkerOf('count-per-worker', [2_500, 2_500, 2_500]);
    expect(Math.max(...seen.map(({ most }) => most))).toBe(1);
    expect(new Set(seen.map(({ worker }) => worker)).size).toBe(2);
  });

  test('keeps one worker for longer if it is asynchronous', async () => {
    const seen = await countPerWorkerOf('scheduled-per-worker', [700, 700, 700]);
    expect(new Set(seen.map(({ worker }) => worker)).size).toBe(1);
  });

  test.runIf(availableParallelism() > 1)('gets another worker for waiting clients', async () => {
    const times = [90, 90, 90, 90, 90, 90];
    const workersOf = async (name: string): Promise<number> => {
      await invoke(name, { ms: 0 });
      const first = countPerWorkerOf(name, times);
      await sleep(310);
      // The helper is available once it has loaded, and takes what arrives then.
      const second = countPerWorkerOf(name, times);
      const third = sleep(1_000).then(() => countPerWorkerOf(name, times));
      const seen = await Promise.all([first, second, third]);
      return new Set(seen.flat().map(({ worker }) => worker)).size;
    };
    expect(await workersOf('serves-clients')).toBe(2);
    expect(await workersOf('asked-per-worker')).toBe(1);
  });

  test('takes several concurrent requests per worker if the template says so', async () => {
    const seen = await countPerWorkerOf('shares-worker', [100, 100, 100, 100]);
    expect(Math.max(...seen.map(({ most }) => most))).toBe(3);
    expect(new Set(seen.map(({ worker }) => worker)).size).toBe(1);
  });

  test('takes one request at a time if its variables make it compute', async () => {
    const seen = await countPerWorkerOf('one-per-worker', [20, 20, 20]);
    expect(Math.max(...seen.map(({ most }) => most))).toBe(1);
  });

  test.runIf(process.platform === 'linux')(
    'leaves the processors to others if nobody waits for it',
    async () => {
      expect(await invoke('asked-for-priority')).toBe(getPriority());
      expect(await invoke('scheduled-priority')).toBe(Math.min(19, getPriority() + 3));
    },
  );

  test.concurrent.each<[string, string, string | RegExp]>([
    ['throw', 'TypeError', 'thrown on purpose'],
    ['throw-text', 'string', 'just text'],
    ['exit', 'Runtime.ExitError', 'exited with status 3'],
    ['uncaught', 'RangeError', 'nobody catches this'],
    ['unhandled', 'Error', 'nobody awaits this'],
    ['hang', 'Sandbox.Timedout', 'Task timed out after 1.00 seconds'],
    ['spin', 'Sandbox.Timedout', 'Task timed out after 1.00 seconds'],
    ['large', 'Function.ResponseSizeTooLarge', 'exceeded maximum allowed payload size'],
  ])(
    'that fails by %s is an error to its caller, and the next request is served',
    async (how, type, message) => {
      const failure = await invoke('misbehave', { how }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FunctionError);
      expect(failure).toMatchObject({ errorType: type, message: expect.stringMatching(message) });
      expect(await invoke('misbehave', {})).toMatchObject({ served: expect.any(Number) });
    },
  );

  test('that shared the thread of one that hung serves the next request all the same', async () => {
    const [before] = await countPerWorkerOf('serves-others', [0]);
    await expect(invoke('hangs-beside')).rejects.toMatchObject({ errorType: 'Sandbox.Timedout' });
    const [after] = await countPerWorkerOf('serves-others', [0]);
    expect(after).toEqual({ served: 1, most: 1, worker: expect.any(Number) });
    expect(after?.worker).not.toBe(before?.worker);
  });

  test('without a result returns null', async () => {
    expect(await invoke('misbehave', { how: 'nothing' })).toBeNull();
  });

  test.each<[string, string, string]>([
    ['broken-bundle', 'SyntaxError', 'does not load'],
    ['no-handler', 'Runtime.HandlerNotFound', 'index.handler is undefined or not exported'],
    ['unbundled-package', 'Runtime.ImportModuleError', "Cannot find module 'ws' in the function's bundle"],
  ])('%s fails to load, as when deployed', async (name, type, message) => {
    await expect(invoke(name)).rejects.toMatchObject({
      errorType: type,
      message: expect.stringContaining(message),
    });
  });

  test('may be an ES module', async () => {
    expect(await invoke('es-module')).toBe('undefined');
  });

  test('finds the files in its bundle', async () => {
    expect(await invoke('files')).toEqual({ part: 1, data: { n: 2 }, text: 'hello' });
  });

  test('receives no event larger than 6 MB', async () => {
    await expect(invoke('show-context', 'x'.repeat(6 * 1024 * 1024))).rejects.toMatchObject({
      errorType: 'RequestEntityTooLargeException',
    });
  });

  test('writes to the log file', async () => {
    await invoke('talk');
    const text = await eventually(async () => {
      const content = await readFile(join(fixture.dataDir, 'functions.log'), 'utf8');
      return content.includes('oops') && content.includes('hello') ? content : null;
    });
    expect(text).toMatch(/^\S+Z talk \{"said":"hello"\}$/m);
    expect(fixture.logged).toContainEqual({ functionName: 'talk', content: { said: 'hello' } });
  });

  test('with a reserved concurrency of 0 is disabled', async () => {
    await expect(invoke('switched-off')).rejects.toMatchObject({ errorType: 'TooManyRequestsException' });
  });

  test('cannot be invoked if it does not exist', async () => {
    await expect(invoke('nobody')).rejects.toThrow('There is no function nobody');
  });
});
