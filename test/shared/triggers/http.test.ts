import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { apiEndpoint, type RawRequest, rawEndpoint } from '#shared/triggers/http.ts';
import type { RawResponse } from '#shared/triggers/http-response.ts';
import { securityHeaders } from '#shared/triggers/middlewares/security-headers.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { formPostEvent, lambdaContext } from '../../support/lambda-events.ts';

const event = (changes: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent => ({
  ...formPostEvent({
    resource: '/things/{thing_id}',
    path: '/things/canary',
    pathParameters: { thing_id: 'canary' },
    headers: { Authorization: 'canary' },
    body: 'canary',
  }),
  ...changes,
});

describe('a raw endpoint', () => {
  test('sees headers by lower-case name, all query values and the bytes of the body', async () => {
    const seen: RawRequest[] = [];
    const handler = rawEndpoint(async (request) => {
      seen.push(request);
      return { status: 204 };
    });
    await handler(
      event({
        multiValueHeaders: { 'X-Forwarded-For': ['a', 'b'], 'content-TYPE': ['text/plain'] },
        multiValueQueryStringParameters: { a: ['1', '2'], b: ['é&'] },
        body: Buffer.from([0, 255]).toString('base64'),
        isBase64Encoded: true,
      }),
      lambdaContext,
    );
    expect(seen).toMatchObject([
      {
        method: 'POST',
        resource: '/things/{thing_id}',
        pathParameters: { thing_id: 'canary' },
        headers: { 'x-forwarded-for': 'a, b', 'content-type': 'text/plain' },
        body: Buffer.from([0, 255]),
      },
    ]);
    expect([...(seen[0]?.query ?? [])]).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', 'é&'],
    ]);
  });

  test('45: may return text or bytes, and always has the request ID and the security headers', async () => {
    const response = (response: RawResponse) =>
      rawEndpoint(() => Promise.resolve(response))(event(), lambdaContext);
    expect(
      await response({ status: 200, headers: { 'Content-Type': 'text/xml' }, body: '<Response/>' }),
    ).toEqual({
      statusCode: 200,
      headers: { 'Content-Type': 'text/xml', ...securityHeaders, 'X-Request-Id': 'request' },
      body: '<Response/>',
    });
    const bytes = new Uint8Array([1, 2, 3, 255]).subarray(1);
    expect(await response({ status: 200, body: bytes })).toMatchObject({
      body: Buffer.from([2, 3, 255]).toString('base64'),
      isBase64Encoded: true,
    });
  });

  test('leaves the body of HEAD to the gateway, which takes its length from it', async () => {
    const handler = rawEndpoint(async ({ method }) => ({ status: 200, body: method }));
    expect((await handler(event({ httpMethod: 'HEAD' }), lambdaContext)).body).toBe('GET');
  });

  test("keeps a page's own security header, in any case", async () => {
    const headers = { 'content-security-policy': "script-src 'self'" };
    const response = rawEndpoint(() => Promise.resolve({ status: 200, headers }));
    expect((await response(event(), lambdaContext)).headers).toEqual({
      'content-security-policy': "script-src 'self'",
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': 'request',
    });
  });

  test('returns a refusal with its status, detail and headers', async () => {
    const handler = rawEndpoint(() =>
      Promise.reject(
        new ServiceError('unauthenticated', 'Who are you?', { headers: { 'WWW-Authenticate': 'Basic' } }),
      ),
    );
    expect(await handler(event(), lambdaContext)).toEqual({
      statusCode: 401,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Error-Code': 'unauthenticated',
        'WWW-Authenticate': 'Basic',
        ...securityHeaders,
        'X-Request-Id': 'request',
      },
      body: '{"detail":"Who are you?"}',
    });
  });

  test('returns a fault as 500 without details, and logs nothing from the request', async () => {
    for (const fail of [
      () => Promise.reject(new Error('canary')),
      () => {
        throw new TypeError('canary');
      },
      () => Promise.reject('canary'),
    ]) {
      let response: unknown;
      const text = await capturedLog(async () => {
        response = await rawEndpoint(fail)(event(), lambdaContext);
      });
      expect(response).toMatchObject({ statusCode: 500, body: '{"detail":"Internal server error"}' });
      expect(text).not.toContain('canary');
      const [failure, request] = text.trim().split('\n');
      expect(JSON.parse(failure ?? '')).toMatchObject({ event: 'request-failed', request_id: 'request' });
      expect(JSON.parse(request ?? '')).toMatchObject({
        event: 'request',
        request_id: 'request',
        method: 'POST',
        resource: '/things/{thing_id}',
        status: 500,
      });
    }
  });
});

const noLimit = () => Promise.resolve({ RateLimit: '"project";r=3;t=7' });
const answering = <Schema extends z.ZodMiniType | null>(schema: Schema) => ({
  success: { status: 200 as const, description: 'Done.', schema },
});

describe('an API endpoint', () => {
  const endpoint = (perform: () => Promise<{ body: { id: string } }>) =>
    apiEndpoint(answering(z.object({ id: z.string() })), {
      authenticate: () => Promise.resolve({ projectId: 'p-1', apiKeyId: 'k-1', scopes: null }),
      limitRate: noLimit,
      parse: () => null,
      perform,
    });

  test('returns only members in its response schema', async () => {
    const body = { id: 'a', secret: 'canary' };
    const response = await endpoint(() => Promise.resolve({ body }))(event(), lambdaContext);
    expect(response.body).toBe('{"id":"a"}');
  });

  test('returns 500 rather than a response that violates the schema', async () => {
    const handler = apiEndpoint(answering(z.string().check(z.minLength(10))), {
      authenticate: () => Promise.resolve({ projectId: 'p-1', apiKeyId: 'k-1', scopes: null }),
      limitRate: noLimit,
      parse: () => null,
      perform: () => Promise.resolve({ body: 'short' }),
    });
    const response = await handler(event(), lambdaContext);
    expect([response.statusCode, response.body]).toEqual([500, '{"detail":"Internal server error"}']);
  });

  test('reads nothing of a request before authentication', async () => {
    let parsed = 0;
    const handler = apiEndpoint(answering(null), {
      authenticate: () => Promise.reject(new ServiceError('unauthenticated', 'no')),
      limitRate: noLimit,
      parse: () => {
        parsed += 1;
      },
      perform: () => Promise.resolve({ body: null }),
    });
    expect((await handler(event(), lambdaContext)).statusCode).toBe(401);
    expect(parsed).toBe(0);
  });

  test('checks the rate after authentication, before it reads anything, and says when to retry', async () => {
    const seen: string[] = [];
    const handler = apiEndpoint(answering(null), {
      authenticate: () => Promise.resolve({ projectId: 'p-1', apiKeyId: 'k-1', scopes: null }),
      limitRate: ({ projectId }) => {
        seen.push(projectId);
        throw new ServiceError('too_many_requests', 'Too many requests', { headers: { 'Retry-After': '7' } });
      },
      parse: () => {
        seen.push('parsed');
      },
      perform: () => Promise.resolve({ body: null }),
    });
    expect(await handler(event(), lambdaContext)).toMatchObject({
      statusCode: 429,
      headers: { 'Retry-After': '7' },
      body: '{"detail":"Too many requests"}',
    });
    expect(seen).toEqual(['p-1']);
  });

  test('logs the project of a request', async () => {
    const handler = endpoint(() => Promise.resolve({ body: { id: 'a' } }));
    const text = await capturedLog(() => handler(event(), lambdaContext));
    expect(JSON.parse(text)).toMatchObject({ event: 'request', project_id: 'p-1', status: 200 });
  });
});
