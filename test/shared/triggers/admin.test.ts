import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import type { Person } from '#shared/domain/person.ts';
import type { Operations } from '#shared/operations/operation.ts';
import { type AdminHandlers, adminApi } from '#shared/triggers/admin.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { formPostEvent, lambdaContext } from '../../support/lambda-events.ts';

const person: Person = { subject: 'olive', email: 'owner@clinic.example.com', name: 'Olive Owner' };

const thing = {
  authentication: 'oidc',
  summary: 'A thing.',
  tag: 'Projects',
  errors: {},
} as const;
const Thing = z.object({ thing: z.optional(z.string()), email: z.string(), requestId: z.string() });
const operations = {
  getThing: {
    ...thing,
    method: 'GET',
    path: '/admin/things/{thing_id}',
    success: { status: 200, description: 'The thing.', schema: Thing },
  },
  createThing: {
    ...thing,
    method: 'POST',
    path: '/admin/things',
    success: { status: 201, description: 'Nothing to say.', schema: null },
  },
} as const satisfies Operations;
const handlers: AdminHandlers<typeof operations> = {
  getThing: async ({ person: { email }, requestId }, { pathParameters }) => ({
    body: { thing: pathParameters.thing_id, email, requestId, inside: 'stays' },
  }),
  createThing: async () => ({ body: null }),
};

function request(
  method: string,
  {
    proxy = 'things/7',
    authenticate = async () => person,
  }: { proxy?: string; authenticate?: () => Promise<Person> } = {},
) {
  const handler = adminApi({ operations, handlers, authenticate });
  const event = formPostEvent({
    resource: '/admin/{proxy+}',
    path: `/admin/${proxy}`,
    pathParameters: { proxy },
    headers: {},
    body: null,
  });
  return handler({ ...event, httpMethod: method }, lambdaContext);
}

const refuse = async (): Promise<Person> => {
  throw new ServiceError('unauthenticated', 'Invalid token');
};

describe('the management API', () => {
  test('performs an operation as the signed-in person, and returns only members in the schema', async () => {
    const { statusCode, body, headers } = await request('GET');
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({
      thing: '7',
      email: person.email,
      requestId: headers?.['X-Request-Id'],
    });
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store' });
  });

  test('answers an unsupported method with the supported ones', async () => {
    const { statusCode, body, headers } = await request('POST');
    expect(statusCode).toBe(405);
    expect(JSON.parse(body)).toEqual({ detail: 'Method not allowed' });
    expect(headers).toMatchObject({ Allow: 'GET' });
  });

  test('authenticates before it lists methods', async () => {
    expect((await request('POST', { authenticate: refuse })).statusCode).toBe(401);
  });

  test.each(['things', 'things/'])('finds %s, with a slash at its end or without', async (proxy) => {
    expect((await request('POST', { proxy })).statusCode).toBe(201);
  });

  test.each(['thing', 'things/7/8', '/things', ''])(
    'answers 404 to %j, which is no path, without asking who is there',
    async (proxy) => {
      const { statusCode, body } = await request('GET', { proxy, authenticate: refuse });
      expect([statusCode, body]).toEqual([404, '{"detail":"Not found"}']);
    },
  );

  test("logs a path's pattern and never the path", async () => {
    const text = await capturedLog(() => request('GET', { proxy: 'things/canary' }));
    expect(JSON.parse(text)).toMatchObject({ event: 'request', resource: '/admin/things/{thing_id}' });
    expect(text).not.toContain('canary');
  });

  test('requires a handler for each operation', () => {
    expect(() => adminApi({ operations, handlers: {}, authenticate: refuse })).toThrow(
      'no handler for getThing',
    );
  });
});
