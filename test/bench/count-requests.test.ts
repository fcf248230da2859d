import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleFunctions } from '../../infra/bundle.ts';
import { routes } from '../../infra/routes.ts';
import { countRequests } from './count-requests.ts';
import { maxRequests } from './request-bounds.ts';

let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'voice-agent-requests-'));
});
afterAll(() => rm(workDir, { recursive: true, force: true }));

test('every /v1 endpoint asks DynamoDB no more often than it may', async () => {
  const bundlesDir = join(workDir, 'functions');
  await bundleFunctions({ outDir: bundlesDir, metafilePath: join(workDir, 'meta.json') });
  const counts = await countRequests(bundlesDir);
  const endpoints = routes.filter(({ path }) => path.startsWith('/v1/'));
  expect([...counts.keys()].sort()).toEqual(endpoints.map((route) => route.function).sort());
  for (const [name, { hot }] of counts) {
    expect(hot.length, `${name}: ${hot}`).toBeGreaterThan(0);
    expect(hot.length, `${name}: ${hot}`).toBeLessThanOrEqual(maxRequests(name));
  }
}, 120_000);
