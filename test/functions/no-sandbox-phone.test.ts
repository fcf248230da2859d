import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { newApiClient, send, taskBody } from '../support/api-under-test.ts';
import { type FunctionEnvironment, startFunctionEnvironment } from '../support/function-environment.ts';
import { type HandlerServer, startHandlerServer } from '../support/handler-server.ts';

let storage: FunctionEnvironment;
let server: HandlerServer;
beforeAll(async () => {
  storage = await startFunctionEnvironment({
    PROJECT_REQUESTS_PER_SECOND: '0',
    SANDBOX_CARRIER_BASE_URL: '',
    SANDBOX_CARRIER_SECRET_ID: '',
  });
  server = await startHandlerServer(({ function: name }) => name === 'create-task');
});
afterAll(async () => {
  await server.stop();
  await storage.stop();
});

test('49: without a sandbox phone, sandbox projects learn that they cannot call', async () => {
  const { projectId, apiKey } = await newApiClient(storage.tables.table);
  const body = taskBody(projectId, uuidv7());
  const reply = await send(server.baseUrl, { method: 'POST', path: '/v1/task', apiKey, body });
  expect([reply.status, reply.json]).toEqual([
    403,
    { detail: 'This is a sandbox project, and this deployment has no sandbox phone' },
  ]);
});
