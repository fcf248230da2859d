import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAlertFrequency, setAlertFrequency } from '#shared/admin/alerts.ts';
import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { createDashboard } from '#shared/dashboard/app.tsx';
import { linksBelow } from '#shared/dashboard/links.ts';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';
import type { SignIn } from '#shared/dashboard/sign-in/sign-in.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { alertKey, getAlert } from '#shared/table/alert.ts';
import { deleteSessionsOf } from '#shared/table/session.ts';
import { type HttpHandler, rawEndpoint } from '#shared/triggers/http.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { memberOf, storeProjectOf } from '../../support/project-members.ts';

/** The dashboard behind a stage and https, with an identity provider that accepts everyone. */
const publicBaseUrl = 'https://api.example.test/dev';
let handler: HttpHandler;
let tables: EmbeddedTable;
/** The clock's time. */
let now = new Date('2026-11-23T09:00:00.000Z');
/** The person who signs in next. */
let subject = 'owner';
beforeAll(async () => {
  process.env.AWS_REGION = 'us-east-1';
  tables = await startEmbeddedTable();
  const key = randomBytes(32);
  const signIn: SignIn = {
    begin: async (to) => ({
      begun: { state: 'state', nonce: 'nonce', verifier: 'verifier', to },
      address: new URL('https://idp.example.test/authorize'),
    }),
    finish: async () => ({ subject, email: `${subject}@clinic.example.com`, name: null }),
    endAddress: async () => null,
  };
  const services = {
    table: tables.table,
    secrets: openKmsEnvelope('no-key-is-asked', new KMSClient({})),
    keys: null,
    network: openWebhookNetwork('refused'),
    queue: { url: 'https://sqs.example.test/none', client: new SQSClient({}) },
    sendsMail: false,
    publicBaseUrl,
    links: linksBelow(publicBaseUrl),
    sealer: tokenSealer(async () => key),
    callQueue: openFailFastQueue('https://sqs.example.test/none'),
    bucket: 'no-bucket-is-asked',
    hasSandboxPhone: true,
    erasureQueue: { url: 'https://sqs.example.test/none', client: new SQSClient({}) },
    signIn,
    now: () => now,
  };
  handler = rawEndpoint(createDashboard(services));
});
afterAll(() => tables?.stop());

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

/** The cookies of a response, as the next request sends them. */
function cookieOf({ headers }: APIGatewayProxyResult): string {
  return String(headers?.['set-cookie']).split(';')[0] ?? '';
}

/** Signs in, and returns the session's cookie. */
async function signIn(as: string): Promise<string> {
  subject = as;
  const begun = await ask('GET', '/sign-in');
  return cookieOf(
    await ask('GET', '/signed-in?code=c&state=state', { headers: { cookie: cookieOf(begun) } }),
  );
}

describe('the dashboard', () => {
  test('redirects people who are not signed in to the first page, and remembers their destination', async () => {
    const { statusCode, headers } = await ask('GET', '/projects/abc/api-keys');
    expect(statusCode).toBe(303);
    expect(headers?.location).toBe('/dev/dashboard?to=%2Fprojects%2Fabc%2Fapi-keys');
    const filtered = await ask('GET', '/projects/abc/tasks?needs=review');
    expect(filtered.headers?.location).toBe('/dev/dashboard?to=%2Fprojects%2Fabc%2Ftasks%3Fneeds%3Dreview');
  });

  test('hides its cookies from scripts, other sites and plain HTTP', async () => {
    const begun = await ask('GET', '/sign-in?to=%2Fnew-project');
    expect(begun.headers?.location).toBe('https://idp.example.test/authorize');
    const done = await ask('GET', '/signed-in?code=c&state=state', { headers: { cookie: cookieOf(begun) } });
    expect(done.statusCode).toBe(303);
    expect(done.headers?.location).toBe('/dev/dashboard/new-project');
    for (const { headers } of [begun, done]) {
      for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) {
        expect(headers?.['set-cookie']).toContain(attribute);
      }
      expect(headers?.['set-cookie']).toMatch(/^__Host-vat_/);
      expect(headers?.['set-cookie']).not.toContain('Domain');
    }
    const page = await ask('GET', '/new-project', { headers: { cookie: cookieOf(done) } });
    expect(page.statusCode).toBe(200);
    expect(page.headers?.['strict-transport-security']).toMatch(/^max-age=\d+/);
    expect(page.headers?.['X-Request-Id']).toBe('request-1');
  });

  test.each([
    ['without having begun', ''],
    ['with the cookie of a session', '__Host-vat_sign_in=eyJhbGciOiJkaXIi.e30'],
  ])('does not sign in a person who returns %s', async (_, cookie) => {
    const { statusCode, headers } = await ask('GET', '/signed-in?code=c&state=state', {
      headers: { cookie },
    });
    expect(statusCode).toBe(400);
    expect(headers?.['set-cookie']).toBeUndefined();
  });

  test('57: ends a member’s emails with a click in a mail program, without a session, not on opening it', async () => {
    const { table } = tables;
    const { id } = await storeProjectOf(table, ['staff']);
    const caller = { person: memberOf('staff'), requestId: 'request-1' };
    const access = await authorizeProject(table, caller, id, 'tasks.read');
    await setAlertFrequency(table, access, { frequency: 'daily', timeZone: 'UTC' });
    const alert = await getAlert(table, alertKey({ project_id: id, email: caller.person.email }));
    const link = linksBelow(publicBaseUrl).unsubscribe(id, alert?.unsubscribe_token ?? '');
    const path = link.slice('/dev/dashboard'.length);
    const opened = await ask('GET', path);
    expect([opened.statusCode, opened.body.includes('Stop these emails?')]).toEqual([200, true]);
    expect(await readAlertFrequency(table, access)).toBe('daily');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const clicked = await ask('POST', path, { headers, body: 'List-Unsubscribe=One-Click' });
    expect(clicked.statusCode).toBe(200);
    expect(await readAlertFrequency(table, access)).toBe('off');
    expect((await ask('POST', `${path}x`, { headers })).statusCode).toBe(404);
  });

  test('refuses an oversized form with a page that says so', async () => {
    const { statusCode, headers, body } = await ask('POST', '/new-project', {
      body: 'x'.repeat(1025 * 1024),
    });
    expect(statusCode).toBe(413);
    expect(headers?.['content-type']).toContain('text/html');
    expect(headers?.['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('Forms must not be larger than 1 MB.');
  });

  test('lets browsers cache its script forever, under a name that changes with it', async () => {
    const { body } = await ask('GET', '/');
    const address = /src="\/dev\/dashboard(\/assets\/dashboard-[0-9a-f]{16}\.js)"/.exec(body)?.[1];
    const script = await ask('GET', address ?? '');
    expect(script.statusCode).toBe(200);
    expect(script.headers?.['content-type']).toContain('text/javascript');
    expect(script.headers?.['cache-control']).toContain('immutable');
    expect((await ask('GET', '/assets/dashboard-0000000000000000.js')).statusCode).toBe(404);
  });
});

describe('39: a session', () => {
  const ours = { origin: 'https://api.example.test', 'content-type': 'application/x-www-form-urlencoded' };
  const byItself = { 'x-background': 'true' };

  async function tokenOn(cookie: string): Promise<string> {
    const { body } = await ask('GET', '/new-project', { headers: { cookie } });
    return /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? '';
  }
  const isIn = async (cookie: string, headers: Record<string, string> = {}): Promise<boolean> =>
    (await ask('GET', '/new-project', { headers: { cookie, ...headers } })).statusCode === 200;
  const passMinutes = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * 60_000);
  };

  test('ends at sign-out, for every copy of its cookie', async () => {
    const cookie = await signIn('owner');
    const copy = `${cookie}`;
    const form_token = await tokenOn(cookie);
    const out = await ask('POST', '/sign-out', {
      headers: { ...ours, cookie },
      body: new URLSearchParams({ form_token }).toString(),
    });
    expect(out.statusCode).toBe(200);
    expect(await isIn(copy)).toBe(false);
  });

  test('has nothing in its cookie that can be read or forged', async () => {
    const cookie = await signIn('owner');
    expect(cookie).toMatch(/^__Host-vat_session=[\w-]{43}$/);
    expect(await isIn(`${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`)).toBe(false);
    expect(await isIn('__Host-vat_session=')).toBe(false);
    expect(await isIn(cookie.replace('__Host-', ''))).toBe(false);
  });

  test("replaces the browser's previous one", async () => {
    const before = await signIn('owner');
    const begun = await ask('GET', '/sign-in');
    const again = await ask('GET', '/signed-in?code=c&state=state', {
      headers: { cookie: `${cookieOf(begun)}; ${before}` },
    });
    expect(await isIn(cookieOf(again))).toBe(true);
    expect(await isIn(before)).toBe(false);
  });

  test('ends after 15 idle minutes, and lasts during activity', async () => {
    const cookie = await signIn('owner');
    for (let visits = 0; visits < 3; visits += 1) {
      passMinutes(14);
      expect(await isIn(cookie)).toBe(true);
    }
    passMinutes(15);
    expect(await isIn(cookie)).toBe(false);
  });

  test('is not extended by background requests', async () => {
    const cookie = await signIn('owner');
    passMinutes(10);
    const left = await ask('GET', '/session', { headers: { cookie, ...byItself } });
    expect([left.statusCode, left.body]).toEqual([200, '300']);
    passMinutes(4);
    expect(await isIn(cookie, byItself)).toBe(true);
    passMinutes(1);
    expect((await ask('GET', '/session', { headers: { cookie, ...byItself } })).statusCode).toBe(401);
  });

  test('is extended when the person confirms on the page', async () => {
    const cookie = await signIn('owner');
    const form_token = await tokenOn(cookie);
    const stay = (body: Record<string, string>) =>
      ask('POST', '/session', {
        headers: { ...ours, cookie },
        body: new URLSearchParams(body).toString(),
      });
    passMinutes(14);
    expect((await stay({ form_token })).body).toBe('900');
    passMinutes(14);
    expect(await isIn(cookie)).toBe(true);
    expect((await stay({})).statusCode).toBe(403);
  });

  test('ends after eight hours in any case', async () => {
    const cookie = await signIn('owner');
    for (let minutes = 0; minutes < 470; minutes += 10) {
      passMinutes(10);
      expect(await isIn(cookie)).toBe(true);
    }
    passMinutes(9);
    const left = await ask('GET', '/session', { headers: { cookie, ...byItself } });
    expect(left.body).toBe('60');
    passMinutes(1);
    expect(await isIn(cookie)).toBe(false);
  });

  test('ends with all others of a removed person, and no other person’s', async () => {
    const [one, two, others] = [await signIn('leaver'), await signIn('leaver'), await signIn('owner')];
    expect(await deleteSessionsOf(tables.table, 'Leaver@clinic.example.com')).toBe(2);
    expect([await isIn(one), await isIn(two), await isIn(others)]).toEqual([false, false, true]);
  });
});

describe('a form sent after the session has ended', () => {
  const ours = { origin: 'https://api.example.test', 'content-type': 'application/x-www-form-urlencoded' };

  /**
   * A form that its service refuses, so that nothing is created; as shown to a person who had typed this
   * into it.
   */
  async function formOf(cookie: string, typed = 'Two lines,\r\n“quoted” & <more>'): Promise<string> {
    const { body } = await ask('GET', '/new-project', { headers: { cookie } });
    const sentAs = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1] ?? '';
    const hidden = Object.fromEntries(['form_token', 'form_key'].map((name) => [name, sentAs(name)]));
    return new URLSearchParams({ ...hidden, caller_number: typed }).toString();
  }

  function unescaped(text: string): string {
    const characters = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" };
    return Object.entries(characters).reduce((t, [name, one]) => t.replaceAll(`&${name};`, one), text);
  }

  test('is kept on a page with all its values, and takes effect after signing in again', async () => {
    const form = await formOf(await signIn('owner'));
    const kept = await ask('POST', '/new-project', { headers: ours, body: form });
    expect(kept.statusCode).toBe(401);
    expect(kept.headers?.['cache-control']).toBe('no-store');
    expect(kept.body).toContain('<form method="post" action="/dev/dashboard/new-project">');
    const fields = [...kept.body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, unescaped(value)],
    );
    expect(fields).toEqual([...new URLSearchParams(form)]);

    const again = { ...ours, cookie: await signIn('owner') };
    const answered = await ask('POST', '/new-project', { headers: again, body: form });
    expect(answered.statusCode).toBe(400);
    expect(answered.body).toContain('Please fix the following');
  });

  test('asks for its file again, which no page can keep', async () => {
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await formOf(await signIn('owner'))))
      form.set(name, value);
    form.set('file', new File(['First name'], 'patients.csv', { type: 'text/csv' }));
    const sent = new Request('https://api.example.test', { method: 'POST', body: form });
    const headers = { ...ours, 'content-type': String(sent.headers.get('content-type')) };
    const { body } = await ask('POST', '/projects/abc/imports', { headers, body: await sent.text() });
    expect(body).toContain('<a href="/dev/dashboard/projects/abc/imports">choose the file again</a>');
  });

  test.each([
    ['another site', { origin: 'https://evil.example.com' }],
    ['another site, as its browser says', { 'sec-fetch-site': 'cross-site' }],
    ['nobody says where', { origin: '' }],
  ])('is not kept if it comes from %s, so no one can be tricked into sending it', async (_, headers) => {
    const form = await formOf(await signIn('owner'), 'Led to send this');
    const { statusCode, body } = await ask('POST', '/new-project', {
      headers: { ...ours, ...headers },
      body: form,
    });
    expect(statusCode).toBe(403);
    expect(body).not.toContain('Led to send this');
    expect(body).not.toContain('<form');
  });

  test('is not kept if no page of ours made it', async () => {
    const { statusCode, headers } = await ask('POST', '/new-project', { headers: ours, body: 'name=Forged' });
    expect([statusCode, headers?.location]).toEqual([303, '/dev/dashboard']);
  });

  test('does nothing for another person who has since signed in', async () => {
    const form = await formOf(await signIn('owner'));
    const headers = { ...ours, cookie: await signIn('other') };
    expect((await ask('POST', '/new-project', { headers, body: form })).statusCode).toBe(403);
  });
});
