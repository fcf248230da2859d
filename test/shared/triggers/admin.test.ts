import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import type { Person } from '#shared/domain/person.ts';
import { adminEndpoint, adminFunction } from '#shared/triggers/admin.ts';
import { formPostEvent, lambdaContext } from '../../support/lambda-events.ts';

const person: Person = { subject: 'olive', email: 'owner@clinic.example.com', name: 'Olive Owner' };

const things = adminEndpoint({
  parse: ({ pathParameters }) => pathParameters.thing_id,
  perform: async ({ person: { email }, requestId }, thing) => ({
    status: 200,
    body: { thing, email, requestId, inside: 'stays' },
  }),
  response: z.object({ thing: z.optional(z.string()), email: z.string(), requestId: z.string() }),
});

function request(method: string, authenticate: () => Promise<Person> = async () => person) {
  const handler = adminFunction({
    authenticate,
    operations: { 'GET /admin/things/{thing_id}': things, 'POST /admin/things': things },
  });
  const event = formPostEvent({
    resource: '/admin/things/{thing_id}',
    path: '/admin/things/7',
    pathParameters: { thing_id: '7' },
    headers: {},
    body: null,
  });
  return handler({ ...event, httpMethod: method }, lambdaContext);
}

describe('a function of the management API', () => {
  test('does what method and path ask for, as the person who is signed in, and lets out what the schema names', async () => {
    const { statusCode, body, headers } = await request('GET');
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({
      thing: '7',
      email: person.email,
      requestId: headers?.['X-Request-Id'],
    });
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store' });
  });

  test('answers a method that the path does not have with those that it has', async () => {
    const { statusCode, body, headers } = await request('POST');
    expect(statusCode).toBe(405);
    expect(JSON.parse(body)).toEqual({ detail: 'Method not allowed' });
    expect(headers).toMatchObject({ Allow: 'GET' });
  });

  test('asks who is there before it says which methods there are', async () => {
    const refused = async (): Promise<Person> => {
      throw new ServiceError('unauthenticated', 'Invalid token');
    };
    expect((await request('POST', refused)).statusCode).toBe(401);
  });
});
