import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { findUndelivered } from '../../infra/local/demo/delivered-webhooks.ts';
import { runCommandOn } from '../support/command-run.ts';
import { newTestClient, stack, stackTable, type TestClient } from '../support/stack.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient({ name: 'Smoke' });
});
afterAll(() => client.stop());

function run(args: readonly string[], key = client.apiKey) {
  return runCommandOn({ endpoint: stack().endpoints.dynamodb }, 'local/smoke', args, { SMOKE_API_KEY: key });
}

/* `task-types.stack.test.ts` tests the calls that it makes. */

test('reports webhooks that did not reach an endpoint', async () => {
  const lost = await newTestClient({ name: 'Smoke' });
  try {
    expect(
      await findUndelivered(stackTable(), { projectId: lost.projectId, taskIds: [uuidv7()], limitMs: 0 }),
    ).toEqual([
      expect.stringMatching(/^webhook task.completed of task .* was not delivered$/),
      expect.stringMatching(/^webhook call.completed of task .* was not delivered$/),
    ]);
    expect(await findUndelivered(stackTable(), { projectId: uuidv7(), taskIds: [], limitMs: 0 })).toEqual([
      'the project has no webhook endpoint',
    ]);
  } finally {
    await lost.stop();
  }
});

test("fails if the service refuses, and never calls with a live project's key", async () => {
  const args = ['--url', stack().baseUrl, '--project', client.projectId];
  expect(await run(args, 'vat_test_unknown')).toMatchObject({ exitCode: 1 });
  const live = await run(args, 'vat_live_0123');
  expect(live.exitCode).toBe(2);
  expect(live.stderr).toContain('must be that of a sandbox project');
});
