import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandOn } from '../support/command-run.ts';
import { newTestClient, stack, type TestClient } from '../support/stack.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient({ name: 'Smoke' });
});
afterAll(() => client.stop());

function run(args: readonly string[], key = client.apiKey) {
  return runCommandOn({ endpoint: stack().endpoints.dynamodb }, 'local/smoke', args, { SMOKE_API_KEY: key });
}

// The carrier waits 10 s for an agent that is being started, which a busy machine may exceed: then it is warm.
test('makes calls on a stack that is named by its address, and says how they went', {
  timeout: 400_000,
  retry: 1,
}, async () => {
  const { exitCode, stdout, stderr } = await run(['--url', stack().baseUrl, '--project', client.projectId]);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/4 of 4 tasks completed in [\d.]+ s; 0 problems\n$/);
  expect(exitCode).toBe(0);
});

test('fails when the service refuses, and never calls with the key of a live project', async () => {
  const args = ['--url', stack().baseUrl, '--project', client.projectId];
  expect(await run(args, 'vat_test_unknown')).toMatchObject({ exitCode: 1 });
  const live = await run(args, 'vat_live_0123');
  expect(live.exitCode).toBe(2);
  expect(live.stderr).toContain('must be that of a sandbox project');
});
