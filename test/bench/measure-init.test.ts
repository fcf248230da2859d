import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtBundles } from '../../infra/assembly.ts';
import { manifests } from '../../infra/manifests.ts';
import { maxInitRatio, measureInit } from './measure-init.ts';

let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'voice-agent-init-'));
});
afterAll(() => rm(workDir, { recursive: true, force: true }));

test('the functions of a call start soon enough for whoever has answered it', async () => {
  const bundlesDir = await builtBundles();
  const ofCalls = manifests.filter(({ failureStopsCalls }) => failureStopsCalls === true);
  expect(ofCalls.map(({ name }) => name).sort()).toEqual(['call-runner', 'carrier-callback', 'voice-agent']);
  for (const { name, ratio } of measureInit(ofCalls, { workDir, bundlesDir, rounds: 5 })) {
    expect(ratio, name).toBeGreaterThan(1);
    expect(ratio, name).toBeLessThan(maxInitRatio(name));
  }
}, 120_000);
