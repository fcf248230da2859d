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

let directory: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'voice-agent-start-'));
  // As when a person starts it in the project: what stands above the data decides how Node loads the code in it.
  await copyFile(join(root, 'package.json'), join(directory, 'package.json'));
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

/** Starts the service as a person would, and waits until its ready file is there. */
async function start(...args: string[]): Promise<{ child: ChildProcess; ready: z.infer<typeof Ready> }> {
  const readyFile = join(directory, `ready-${crypto.randomUUID()}.json`);
  const child = spawn(
    process.execPath,
    [
      'infra/local/start.ts',
      '--port',
      '0',
      '--data',
      join(directory, 'data'),
      '--no-demo',
      '--ready-file',
      readyFile,
      ...args,
    ],
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
  test('answers once its ready file is there, and a restart goes on with the same project, key and data', async () => {
    const first = await start();
    const patient = await fetch(`${first.ready.base_url}/v1/patient`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${first.ready.api_key}` },
      body: JSON.stringify({ project_id: first.ready.project_id, ...demoPatient }),
    });
    expect(patient.status).toBe(201);
    const { id } = (await patient.json()) as { id: string };
    expect((await stat(join(directory, 'data'))).mode & 0o777).toBe(0o700);
    const environment = parseEnv(await readFile(join(directory, 'data/stack.env'), 'utf8'));
    expect(environment).toMatchObject({
      AWS_ENDPOINT_URL_DYNAMODB: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
      TableName: expect.any(String),
    });
    expect(await stop(first.child)).toBe(0);
    await expect(fetch(first.ready.base_url)).rejects.toThrow();

    const second = await start();
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
    expect(await stop(second.child)).toBe(0);
  });

  test('runs whole code, whatever a start has left that was killed while it copied it', async () => {
    const first = await start();
    const killed = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await killed;
    running.delete(first.child);
    const data = join(directory, 'data');
    const files = (await readdir(data, { recursive: true })).filter((name) => name.endsWith('index.js'));
    expect(files).not.toEqual([]);
    for (const file of files) await writeFile(join(data, file), 'module.exports = {');
    const second = await start();
    expect((await fetch(`${second.ready.base_url}/v1/patient/x`)).status).toBe(401);
    expect(await stop(second.child)).toBe(0);
    expect((await readdir(data)).filter((name) => name.startsWith('assembly'))).toEqual([]);
  });

  test('on data that is in use says so and leaves the running service alone', async () => {
    const { child, ready } = await start();
    const { exitCode, output } = await run('--port', '0', '--data', join(directory, 'data'), '--no-demo');
    expect(exitCode).toBe(1);
    expect(output).toMatch(/in use|already|running/i);
    expect((await fetch(`${ready.base_url}/v1/patient/x`)).status).toBe(401);
    expect(await stop(child)).toBe(0);
  });

  test('lets people of one’s own be called, until the next start without them', async () => {
    const people = join(directory, 'people');
    await mkdir(people);
    const neighbour = {
      id: 'neighbour',
      about: 'Lives next door.',
      numbers: ['+12025550150'],
      name: 'Ines',
      business: 'Home',
      voice: 'slt',
    };
    await writeFile(join(people, 'neighbour.json'), JSON.stringify(neighbour));
    const objects = join(directory, 'data/objects');
    const stored = async (): Promise<string[]> =>
      (await readdir(objects, { recursive: true })).filter((name) => name.includes('neighbour'));

    const first = await start('--people', people);
    expect(await stored()).not.toEqual([]);
    expect(await stop(first.child)).toBe(0);
    const second = await start();
    expect(await stored()).toEqual([]);
    expect(await stop(second.child)).toBe(0);

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
