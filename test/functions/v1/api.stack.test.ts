import { S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashApiKey } from '#shared/api-keys/key-format.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { getApiKey } from '#shared/table/api-key.ts';
import { securityHeaders } from '#shared/triggers/middlewares/security-headers.ts';
import { listedMethods, routes } from '../../../infra/routes.ts';
import {
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  newApiClient,
  send,
  taskBody,
} from '../../support/api-under-test.ts';
import { stack, stackTable } from '../../support/stack.ts';
import { accessSuite } from './access.ts';
import { clientDataSuite } from './client-data.ts';
import { requestSuite } from './requests.ts';
import { transcriptAndRecordingSuite } from './transcripts-and-recordings.ts';

let started: ApiUnderTest;
beforeAll(async () => {
  const { baseUrl, endpoints, outputs } = stack();
  const table = stackTable();
  started = {
    baseUrl,
    table,
    mine: await newApiClient(table),
    other: await newApiClient(table),
    recordings: {
      bucket: String(outputs.RecordingsBucketName),
      client: new S3Client({
        endpoint: endpoints.s3,
        region: 'us-east-1',
        forcePathStyle: true,
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      }),
    },
    stop: () => Promise.resolve(),
  };
});

const api = (): ApiUnderTest => started;
// `api.test.ts` proves the whole interface with the handlers alone. This file tests what the gateway, S3 and the
// functions' roles add: together, the stack tests send AWS every kind of request that the other suites would.
accessSuite(api);
clientDataSuite(api);
requestSuite(api);
transcriptAndRecordingSuite(api);

describe('the role of a function', () => {
  const clientRoutes = routes.filter(({ authentication }) => authentication === 'api-key');

  test.each(clientRoutes)('lets $method $path record the last use of a key', async ({ method, path }) => {
    const { apiKey } = await newApiClient(started.table);
    await send(started.baseUrl, { method, path: path.replaceAll(/\{\w+\}/g, uuidv7()), apiKey });
    const key = await getApiKey(started.table, hashApiKey(apiKey));
    expect(key?.last_used_at).toEqual(expect.any(String));
  });

  test('lets a client run a dry run', async () => {
    const { baseUrl, mine } = started;
    const patientId = await createPatientIn(started, mine);
    const body = taskBody(mine.projectId, patientId);
    const asked = { method: 'POST', path: '/v1/task?dry_run=true', apiKey: mine.apiKey, body };
    const { status, json } = await send(baseUrl, asked);
    expect([status, json.call.will_be_made]).toEqual([200, true]);
  });
});

/** Whatever responds: the gateway, a function, or an error of either. */
function expectUsualHeaders({ headers }: ApiReply): void {
  expect(headers.get('x-request-id')).toBeTruthy();
  for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name), name).toBe(value);
}

describe('every route', () => {
  const fill = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x');

  test.each(Object.entries(listedMethods()))('%s returns 405 for other methods', async (path, methods) => {
    const method =
      ['PATCH', 'PUT'].find((candidate) => !methods.some((listed) => listed === candidate)) ?? '';
    const reply = await send(started.baseUrl, { method, path: fill(path) });
    expect([reply.status, reply.json]).toEqual([405, { detail: 'Method not allowed' }]);
    expect(reply.headers.get('allow')).toBe(methods.join(', '));
    expectUsualHeaders(reply);
  });

  // The dashboard's pages redirect to the sign-in instead; their own tests check that.
  const protectedRoutes = routes.filter(
    ({ authentication }) => authentication !== 'none' && authentication !== 'session',
  );

  test.each(protectedRoutes)('$method $path refuses unauthenticated requests', async ({ method, path }) => {
    const body = method === 'POST' ? '{"malformed' : undefined;
    const reply = await send(started.baseUrl, { method, path: fill(path), body });
    expect([401, 403]).toContain(reply.status);
    expect(reply.json).not.toBeNull();
    expectUsualHeaders(reply);
  });
});

test.each([
  '/v1',
  '/v1/patients',
  '/v2/task',
  '/v1/task/x/y',

  '/%2e%2e/etc/passwd',
  '/v1//task',
])('%s, which is not a route, returns 404 with a detail', async (path) => {
  for (const method of ['GET', 'POST']) {
    const reply = await send(started.baseUrl, { method, path, apiKey: started.mine.apiKey });
    expect([reply.status, reply.json]).toEqual([404, { detail: 'Not found' }]);
    expectUsualHeaders(reply);
  }
});
