import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { demoPatient, demoTasks } from '../../../infra/local/demo/scenario.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const Ready = z.strictObject({
  base_url: z.string(),
  project_id: z.string(),
  api_key: z.string(),
  webhook_signing_secret: z.string(),
});

const neighbour = {
  id: 'neighbour',
  about: 'Lives next door.',
  numbers: ['+12025550150'],
  name: 'Ines',
  business: 'Home',
  voice: 'slt',
};

let directory: string;
let data: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'voice-agent-start-'));
  data = join(directory, 'data');
  // As when a person starts it in the project: the directories above the data decide how Node loads its code.
  await copyFile(join(root, 'package.json'), join(directory, 'package.json'));
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

/** Starts the service as a person would, and waits for its ready file. */
async function start(...args: string[]): Promise<{ child: ChildProcess; ready: z.infer<typeof Ready> }> {
  const readyFile = join(directory, `ready-${crypto.randomUUID()}.json`);
  const child = spawn(
    process.execPath,
    ['infra/local/start.ts', '--port', '0', '--data', data, '--no-demo', '--ready-file', readyFile, ...args],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running.add(child);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`start exited with ${child.exitCode}:\n${output}`);
    const text = await readFile(readyFile, 'utf8').catch(() => null);
    if (text !== null) return { child, ready: Ready.parse(JSON.parse(text)) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The files of the neighbour on the sandbox phone's line. */
async function storedPeople(): Promise<string[]> {
  const names = await readdir(join(data, 'objects'), { recursive: true });
  return names.filter((name) => name.includes('neighbour'));
}

async function stop(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
  running.delete(child);
  return child.exitCode;
}

async function run(...args: string[]): Promise<{ exitCode: number | null; output: string }> {
  const child = spawn(process.execPath, ['infra/local/start.ts', ...args], { cwd: root });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  return { exitCode: child.exitCode, output };
}

describe('npm start', () => {
  // Tests one data directory from start to end, because each start takes seconds.
  test('answers once ready and alone on its data, and resumes the same data after kill -9', async () => {
    const people = join(directory, 'people');
    await mkdir(people);
    await writeFile(join(people, 'neighbour.json'), JSON.stringify(neighbour));
    const first = await start('--people', people);
    expect(await storedPeople()).not.toEqual([]);
    const patient = await fetch(`${first.ready.base_url}/v1/patient`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${first.ready.api_key}` },
      body: JSON.stringify({ project_id: first.ready.project_id, ...demoPatient }),
    });
    expect(patient.status).toBe(201);
    const { id } = (await patient.json()) as { id: string };
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    const environment = parseEnv(await readFile(join(data, 'stack.env'), 'utf8'));
    expect(environment).toMatchObject({
      AWS_ENDPOINT_URL_DYNAMODB: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
      TableName: expect.any(String),
    });
    const beside = await run('--port', '0', '--data', data, '--no-demo');
    expect(beside.exitCode).toBe(1);
    expect(beside.output).toMatch(/in use|already|running/i);
    expect((await fetch(`${first.ready.base_url}/v1/patient/x`)).status).toBe(401);
    expect(await stop(first.child)).toBe(0);
    await expect(fetch(first.ready.base_url)).rejects.toThrow();

    const second = await start();
    expect(await storedPeople(), 'people are on the line until the next start without them').toEqual([]);
    expect(second.ready).toEqual({ ...first.ready, base_url: second.ready.base_url });
    const found = await fetch(`${second.ready.base_url}/v1/patient/${id}`, {
      headers: { Authorization: `Bearer ${second.ready.api_key}` },
    });
    expect(found.status).toBe(200);
    const task = await fetch(`${second.ready.base_url}/v1/task`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${second.ready.api_key}` },
      body: JSON.stringify({ project_id: second.ready.project_id, patient_id: id, ...demoTasks[0]?.body }),
    });
    expect(task.status).toBe(201);
    expect(await found.json()).toMatchObject({ id, last_name: demoPatient.last_name });

    const killed = once(second.child, 'exit');
    second.child.kill('SIGKILL');
    await killed;
    running.delete(second.child);
    const files = (await readdir(data, { recursive: true })).filter((name) => name.endsWith('index.js'));
    expect(files).not.toEqual([]);
    // As if it had been killed while copying them.
    for (const file of files) await writeFile(join(data, file), 'module.exports = {');
    const third = await start();
    expect((await fetch(`${third.ready.base_url}/v1/patient/x`)).status).toBe(401);
    expect(await stop(third.child)).toBe(0);
    expect((await readdir(data)).filter((name) => name.startsWith('assembly'))).toEqual([]);
  });

  test('says which directory or file it cannot use, before it builds', async () => {
    const bad = join(directory, 'bad');
    await mkdir(bad);
    const file = join(bad, 'stack.sqlite');
    await writeFile(file, 'no database, and longer than a header'.repeat(100));
    for (const [options, exitCode, said] of [
      [['--data', file], 1, `${file} is not a directory`],
      [['--data', '/proc/nowhere'], 1, '/proc/nowhere'],
      [['--data', bad], 1, `${file}: file is not a database`],
      [
        ['--data', data, '--ready-file', '/nowhere/ready.json'],
        2,
        '--ready-file needs a directory that exists',
      ],
    ] as const) {
      const ran = await run('--port', '0', '--no-demo', ...options);
      expect(ran).toEqual({ exitCode, output: expect.stringContaining(said) });
      expect(ran.output).not.toContain('Building');
    }
  });

  test('refuses invalid persona files and explains each', async () => {
    const people = join(directory, 'refused-people');
    await mkdir(people);
    await writeFile(join(people, 'a.json'), JSON.stringify({ ...neighbour, id: 'a', numbers: ['0150'] }));
    await writeFile(join(people, 'b.json'), '{');
    const refused = await run('--port', '0', '--data', join(directory, 'unused'), '--people', people);
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toMatch(/a\.json: numbers\.0 is no telephone number; write it as/);
    expect(refused.output).toMatch(/b\.json: is not JSON/);
    await expect(stat(join(directory, 'unused'))).rejects.toThrow('ENOENT');
  });

  test.each([
    [['--port', 'many'], /--port must be/],
    [['--pace', 'slow'], /--pace must be/],
    [['--webhook-url', 'here'], /--webhook-url must be/],
    [['--parameter', 'bedrock'], /--parameter must be/],
  ])('refuses %j with the reason and its usage', async (args, reason) => {
    const { exitCode, output } = await run(...args);
    expect(exitCode).toBe(2);
    expect(output).toMatch(reason);
    expect(output).toContain('Usage:');
  });
});
