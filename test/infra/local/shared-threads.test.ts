import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { eventually, type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;

/** Returns where it runs and what it sees there, or fails if told to. */
const code = `let served = 0;
  exports.handler = async ({ how, ms = 0 }) => {
    served += 1;
    process.stdout.write('unfinished ');
    console.log(process.env.NAME);
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (how === 'exit') process.exit(4);
    if (how === 'spin') for (;;) {}
    process.env.SEEN = 'by ' + process.env.NAME;
    const { name, seen } = require('./later').look();
    const thread = require('node:worker_threads').threadId;
    return { served, name, seen, required: require('node:process').env.NAME, thread };
  }`;
const files = {
  'index.js': code,
  'later.js': 'exports.look = () => ({ name: process.env.NAME, seen: process.env.SEEN })',
};
const Answer = z.object({
  served: z.number(),
  name: z.string(),
  seen: z.string(),
  required: z.string(),
  thread: z.number(),
});

const functionNamed = (name: string, properties: object = {}) => ({
  code: files,
  properties: { Timeout: 2, Environment: { Variables: { NAME: name } }, ...properties },
});

beforeAll(async () => {
  const names = ['First', 'Second', 'Large', 'Module'];
  fixture = await startFixture({
    functions: {
      First: functionNamed('first'),
      Second: functionNamed('second'),
      Large: functionNamed('large', { MemorySize: 1769 }),
      Module: {
        ...functionNamed('module'),
        code: {
          'index.mjs': `import { threadId } from 'node:worker_threads';
            export const handler = async () => ({ name: process.env.NAME, thread: threadId })`,
        },
      },
      Asked: functionNamed('asked'),
    },
    resources: {
      Nightly: {
        Type: 'AWS::Events::Rule',
        Properties: {
          ScheduleExpression: 'rate(1 day)',
          Targets: names.map((name) => ({ Id: name, Arn: { 'Fn::GetAtt': [name, 'Arn'] } })),
        },
      },
    },
  });
});

afterAll(() => fixture.stop());

const invoke = (name: string, event: object = {}): Promise<unknown> => fixture.stack.invoke(name, event);
const ask = async (name: string) => Answer.parse(await invoke(name));

describe('asynchronous functions', () => {
  test('share a thread and nothing else', async () => {
    const first = await ask('first');
    const second = await ask('second');
    expect(second.thread).toBe(first.thread);
    expect(first).toMatchObject({ name: 'first', seen: 'by first', required: 'first' });
    expect(second).toMatchObject({ name: 'second', seen: 'by second', required: 'second' });
  });

  test("have their own thread with a full processor's memory, as a module, or when asked", async () => {
    const { thread } = await ask('first');
    const module = z.object({ name: z.string(), thread: z.number() }).parse(await invoke('module'));
    expect(module.name).toBe('module');
    const others = [(await ask('large')).thread, (await ask('asked')).thread, module.thread];
    expect(new Set([thread, ...others]).size).toBe(4);
  });

  test('have separate logs', async () => {
    await Promise.all([ask('first'), ask('second')]);
    for (const functionName of ['first', 'second']) {
      await eventually(() =>
        fixture.lines.some(
          (line) => line.functionName === functionName && line.line === `unfinished ${functionName}`,
        ),
      );
    }
  });

  test.each([
    ['exit', 'Runtime.ExitError'],
    ['spin', 'Sandbox.Timedout'],
  ])('fail with the function that ends their thread by %s, and run again', async (how, errorType) => {
    await ask('second');
    const cutOff = expect(invoke('second', { ms: 60_000 })).rejects.toMatchObject({
      errorType: expect.stringMatching(/^(Runtime\.ExitError|Sandbox\.Timedout)$/),
    });
    await expect(invoke('first', { how })).rejects.toMatchObject({ errorType });
    await cutOff;
    expect(await ask('first')).toMatchObject({ served: 1, name: 'first' });
    expect(await ask('second')).toMatchObject({ served: 1, name: 'second' });
  });
});
