import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { createDashboard } from '#shared/dashboard/app.tsx';
import { linksBelow } from '#shared/dashboard/links.ts';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';
import type { SignIn } from '#shared/dashboard/sign-in/sign-in.ts';
import { openSecretBox } from '#shared/encryption/secret-box.ts';
import { openTable } from '#shared/table/client.ts';
import { openAnnouncementQueue } from '#shared/tasks/announce-task.ts';
import { type HttpHandler, rawEndpoint } from '#shared/triggers/http.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';

/** The dashboard behind a stage and https, with an identity provider that says yes to everybody. */
const publicBaseUrl = 'https://api.example.test/dev';
let handler: HttpHandler;
beforeAll(() => {
  process.env.AWS_REGION = 'us-east-1';
  const key = randomBytes(32);
  const signIn: SignIn = {
    begin: async (to) => ({
      begun: { state: 'state', nonce: 'nonce', verifier: 'verifier', to },
      address: new URL('https://idp.example.test/authorize'),
    }),
    finish: async () => ({ subject: 's', email: 'owner@clinic.example.com', name: null }),
    endAddress: async () => null,
  };
  const services = {
    table: openTable('no-table-is-asked'),
    secrets: openSecretBox('no-key-is-asked', new KMSClient({})),
    network: openWebhookNetwork('refused'),
    queue: { url: 'https://sqs.example.test/none', client: new SQSClient({}) },
    publicBaseUrl,
    links: linksBelow(publicBaseUrl),
    sealer: tokenSealer(async () => key),
    callQueue: openAnnouncementQueue('https://sqs.example.test/none'),
    bucket: 'no-bucket-is-asked',
    signIn,
  };
  handler = rawEndpoint(createDashboard(services));
});

async function ask(
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Promise<APIGatewayProxyResult> {
  const url = new URL(path, 'https://api.example.test');
  const event: Partial<Parameters<HttpHandler>[0]> = {
    httpMethod: method,
    resource: '/dashboard/{proxy+}',
    path: `/dashboard${url.pathname}`,
    pathParameters: { proxy: url.pathname.slice(1) },
    multiValueQueryStringParameters: Object.fromEntries([...url.searchParams].map(([n, v]) => [n, [v]])),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([n, v]) => [n, [v]])),
    body,
    isBase64Encoded: false,
  };
  const context = { requestId: 'request-1' };
  return handler(
    { ...event, requestContext: context } as Parameters<HttpHandler>[0],
    {} as Parameters<HttpHandler>[1],
  );
}

/** The cookies of an answer as the next request carries them. */
function cookieOf({ headers }: APIGatewayProxyResult): string {
  return String(headers?.['set-cookie']).split(';')[0] ?? '';
}

describe('the dashboard', () => {
  test('sends whoever is not signed in to the first page, and remembers where they wanted to go', async () => {
    const { statusCode, headers } = await ask('GET', '/projects/abc/api-keys');
    expect(statusCode).toBe(303);
    expect(headers?.location).toBe('/dev/dashboard?to=%2Fprojects%2Fabc%2Fapi-keys');
  });

  test('keeps its cookies from scripts, from other sites and from plain http', async () => {
    const begun = await ask('GET', '/sign-in?to=%2Fnew-project');
    expect(begun.headers?.location).toBe('https://idp.example.test/authorize');
    const done = await ask('GET', '/signed-in?code=c&state=state', { headers: { cookie: cookieOf(begun) } });
    expect(done.statusCode).toBe(303);
    expect(done.headers?.location).toBe('/dev/dashboard/new-project');
    for (const { headers } of [begun, done]) {
      for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/dev/dashboard']) {
        expect(headers?.['set-cookie']).toContain(attribute);
      }
    }
    const page = await ask('GET', '/new-project', { headers: { cookie: cookieOf(done) } });
    expect(page.statusCode).toBe(200);
    expect(page.headers?.['strict-transport-security']).toMatch(/^max-age=\d+/);
    expect(page.headers?.['X-Request-Id']).toBe('request-1');
  });

  test.each([
    ['without having begun', ''],
    ['with the cookie of a session', 'vat_sign_in=eyJhbGciOiJkaXIi.e30'],
  ])('signs nobody in who comes back %s', async (_, cookie) => {
    const { statusCode, headers } = await ask('GET', '/signed-in?code=c&state=state', {
      headers: { cookie },
    });
    expect(statusCode).toBe(400);
    expect(headers?.['set-cookie']).toBeUndefined();
  });

  test('refuses a form that is larger than any of its own, with a page that says so', async () => {
    const { statusCode, headers, body } = await ask('POST', '/new-project', {
      body: 'x'.repeat(1025 * 1024),
    });
    expect(statusCode).toBe(413);
    expect(headers?.['content-type']).toContain('text/html');
    expect(headers?.['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('Forms must not be larger than 1 MB.');
  });

  test('lets its script be kept for ever, under a name that changes with it', async () => {
    const { body } = await ask('GET', '/');
    const address = /src="\/dev\/dashboard(\/assets\/dashboard-[0-9a-f]{16}\.js)"/.exec(body)?.[1];
    const script = await ask('GET', address ?? '');
    expect(script.statusCode).toBe(200);
    expect(script.headers?.['content-type']).toContain('text/javascript');
    expect(script.headers?.['cache-control']).toContain('immutable');
    expect((await ask('GET', '/assets/dashboard-0000000000000000.js')).statusCode).toBe(404);
  });
});
