import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { routes } from '../../../infra/routes.ts';
import { type ApiClient, type ApiReply, newApiClient, send } from '../../support/api-under-test.ts';
import { type FunctionEnvironment, startFunctionEnvironment } from '../../support/function-environment.ts';
import { type HandlerServer, startHandlerServer } from '../../support/handler-server.ts';

let storage: FunctionEnvironment;
let server: HandlerServer;
beforeAll(async () => {
  // Ten requests in ten seconds, so few that the table counts each one.
  storage = await startFunctionEnvironment({ PROJECT_REQUESTS_PER_SECOND: '1' });
  server = await startHandlerServer();
});
afterAll(async () => {
  await server.stop();
  await storage.stop();
});

const keyRoutes = routes.filter((route) => route.authentication === 'api-key');
type KeyRoute = (typeof keyRoutes)[number];

const newClient = (): Promise<ApiClient> => newApiClient(storage.tables.table);

const ask = ({ method, path }: KeyRoute, apiKey: string): Promise<ApiReply> =>
  send(server.baseUrl, {
    method,
    path: path.replaceAll(/\{\w+\}/g, uuidv7()),
    apiKey,
    body: method === 'POST' ? {} : undefined,
  });

/** Sends requests until the project is refused, or far more than any two windows allow. */
async function askUntilRefused(
  route: KeyRoute,
  { apiKey }: ApiClient,
): Promise<{ passed: number; reply: ApiReply }> {
  for (let passed = 0; ; passed += 1) {
    const reply = await ask(route, apiKey);
    if (reply.status === 429 || passed === 100) return { passed, reply };
  }
}

describe('a project over its rate limit', () => {
  test.each(keyRoutes)('is refused by $method $path with a retry time', async (route) => {
    const { reply } = await askUntilRefused(route, await newClient());
    expect([reply.status, reply.text]).toEqual([429, '{"detail":"Too many requests"}']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    expect(reply.headers.get('x-request-id')).toBeTruthy();
    expect(reply.headers.get('x-error-code')).toBe('too_many_requests');
    expect(reply.headers.get('ratelimit')).toMatch(/^"project";r=0;t=\d+$/);
    expect(reply.headers.get('ratelimit-policy')).toBe('"project";q=10;w=10');
  });

  test('is admitted again after that time', async () => {
    const client = await newClient();
    const [route] = keyRoutes;
    if (route === undefined) throw new Error('there is no route for clients');
    const { passed, reply } = await askUntilRefused(route, client);
    expect(passed).toBeGreaterThanOrEqual(10);
    await sleep(Number(reply.headers.get('retry-after')) * 1000);
    expect((await ask(route, client.apiKey)).status).not.toBe(429);
  });

  test('is counted across all routes, separately from other projects', async () => {
    const [busy, quiet] = [await newClient(), await newClient()];
    const statuses: number[] = [];
    for (let round = 0; !statuses.includes(429) && round < 20; round += 1) {
      for (const route of keyRoutes) statuses.push((await ask(route, busy.apiKey)).status);
    }
    expect(statuses).toContain(429);
    // Fewer than a project may send at once.
    for (const route of keyRoutes.slice(0, 5)) {
      expect((await ask(route, quiet.apiKey)).status).not.toBe(429);
    }
  });

  test('still learns that a key is invalid', async () => {
    const client = await newClient();
    for (const route of keyRoutes) {
      await askUntilRefused(route, client);
      expect((await ask(route, `${client.apiKey}x`)).status).toBe(401);
    }
  });
});
