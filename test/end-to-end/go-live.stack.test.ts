import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandRun, runProcessOn } from '../support/command-run.ts';
import { newTestClient, stack, stackTable, type TestClient } from '../support/stack.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient();
});
afterAll(() => client.stop());

/** Rehearses a grant: the live carrier is the sandbox phone. */
function grantLive(callerNumber: string): Promise<CommandRun> {
  const { endpoints, outputs, baseUrl } = stack();
  return runProcessOn(
    { endpoint: endpoints.dynamodb, kmsEndpoint: endpoints.kms },
    'grant-live',
    [
      ...['--table', stackTable().name, '--project', client.projectId, '--caller-number', callerNumber],
      ...['--carrier-secret', String(outputs.SandboxCarrierSecretArn)],
      ...['--carrier-url', `${baseUrl}/sandbox-phone`],
    ],
    { AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager },
  );
}

test("34: a sandbox project goes live only with a number of the carrier's account, and its test key ends", async () => {
  const refused = await grantLive('+12025550150');
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('a number of the carrier account'),
  ]);
  expect((await client.request('GET', '/v1/patient')).status).toBe(200);
  // A number of the account, then a caller ID that it has verified.
  for (const callerNumber of ['+12025550198', '+12025550197']) {
    const granted = await grantLive(callerNumber);
    expect([granted.exitCode, granted.stderr]).toEqual([0, '']);
    expect(JSON.parse(granted.stdout).live_grant.caller_number).toBe(callerNumber);
  }
  await expect
    .poll(async () => (await client.request('GET', '/v1/patient')).status, { timeout: 30_000, interval: 500 })
    .toBe(401);
});
