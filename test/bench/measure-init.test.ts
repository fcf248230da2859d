import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtBundles } from '../../infra/assembly.ts';
import { manifests } from '../../infra/manifests.ts';
import { maxInitRatio, measureInit } from './measure-init.ts';

let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'voice-agent-init-'));
});
afterAll(() => rm(workDir, { recursive: true, force: true }));

test('the functions of a call start soon enough for the person who answered', async () => {
  const bundlesDir = await builtBundles();
  const ofCalls = manifests.filter(({ failureStopsCalls }) => failureStopsCalls === true);
  expect(ofCalls.map(({ name }) => name).sort()).toEqual(['call-runner', 'carrier-callback', 'voice-agent']);
  for (const { name, ratio } of measureInit(ofCalls, { workDir, bundlesDir, rounds: 5 })) {
    expect(ratio, name).toBeGreaterThan(1);
    expect(ratio, name).toBeLessThan(maxInitRatio(name));
  }
}, 120_000);

describe.runIf(process.platform === 'linux')('under a runtime interface client', () => {
  /** Loads the handler as Lambda's client does, and requests its next output. */
  const clientAsking = async (next: string): Promise<string> => {
    const path = join(workDir, `client-${next.replace('/', '-')}.cjs`);
    await writeFile(
      path,
      `require('node:path');
       require(process.env.LAMBDA_TASK_ROOT + '/' + process.argv[2].replace(/\\.handler$/, '.js'));
       require('node:http').get('http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/${next}');`,
    );
    return path;
  };
  const ofOne = manifests.filter(({ name }) => name === 'call-runner');

  test('init ends when the client asks for an event', async () => {
    const runtimeClient = await clientAsking('invocation/next');
    const bundlesDir = await builtBundles();
    const [init] = measureInit(ofOne, { workDir, bundlesDir, rounds: 1, runtimeClient });
    expect(init).toMatchObject({ name: 'call-runner' });
    expect(init?.elapsedMs).toBeGreaterThan(0);
    expect(init?.processorMs).toBeGreaterThan(0);
  }, 120_000);

  test('a failed init is not measured', async () => {
    const runtimeClient = await clientAsking('init/error');
    const bundlesDir = await builtBundles();
    expect(() => measureInit(ofOne, { workDir, bundlesDir, rounds: 1, runtimeClient })).toThrow('init/error');
  }, 120_000);
});
