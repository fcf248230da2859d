import { execFile } from 'node:child_process';
import { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { forThisFile } from '../../support/lifetime.ts';
import { raw, startRestApi } from './rest-api-fixture.ts';

const run = promisify(execFile);

const fixture = await forThisFile(startRestApi());

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${fixture.stack.baseUrl}${path}`, init);

describe('the event of a request', () => {
  test("has API Gateway's format", async () => {
    const response = await ask('/echo/a%2Fb%20%C3%A9?x=1&x=2&y=a+b%20c', {
      method: 'PATCH',
      headers: [
        ['X-Many', 'one'],
        ['X-Many', 'two'],
        ['Content-Type', 'application/json; charset=utf-8'],
      ],
      body: '{"n":"ü"}',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      resource: '/echo/{id}',
      path: '/echo/a%2Fb%20%C3%A9',
      httpMethod: 'PATCH',
      pathParameters: { id: 'a/b é' },
      queryStringParameters: { x: '2', y: 'a b c' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['a b c'] },
      body: '{"n":"ü"}',
      isBase64Encoded: false,
      requestContext: {
        requestId: response.headers.get('x-amzn-requestid'),
        stage: 'dev',
        path: '/echo/a%2Fb%20%C3%A9',
        resourcePath: '/echo/{id}',
        identity: { sourceIp: '127.0.0.1' },
      },
    });
  });

  test('has null for absent members', async () => {
    expect(await (await ask('/')).json()).toMatchObject({
      resource: '/',
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  test.each<[string, boolean, string]>([
    ['audio/wav', true, '/wA='],
    ['image/png', true, '/wA='],
    ['text/plain', false, '\ufffd\u0000'],
  ])('encodes a body of type %s by the binary media types', async (type, isBase64Encoded, body) => {
    const response = await ask('/echo', {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: new Uint8Array([0xff, 0]),
    });
    expect(await response.json()).toMatchObject({ body, isBase64Encoded });
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'reaches an ANY route by %s',
    async (method) => {
      expect(await (await ask('/echo', { method })).json()).toMatchObject({ httpMethod: method });
    },
  );

  test('supports HEAD, and its response has no body', async () => {
    const response = await ask('/echo', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await response.text()).toBe('');
  });

  test('keeps the case of header names and all values', async () => {
    const answer = await raw(
      fixture,
      'GET /echo HTTP/1.1\r\nHost: x\r\nX-Odd-CASE: 1\r\nx-odd-case: 2\r\nConnection: close\r\n\r\n',
    );
    const event = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(event.multiValueHeaders['X-Odd-CASE']).toEqual(['1', '2']);
    expect(event.headers['X-Odd-CASE']).toBe('2');
    expect(event.headers).not.toHaveProperty('Connection');
  });
});

describe("the function's response", () => {
  const misbehave = (result: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    ask('/misbehave', {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: typeof result === 'string' ? result : JSON.stringify(result),
    });

  test('keeps its status, headers and body', async () => {
    const response = await misbehave({
      statusCode: 302,
      headers: {
        Location: 'https://example.com/',
        'X-Number': 7,
        'Content-Length': '99999',
        'set-cookie': 'c=3',
      },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'moved',
    });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://example.com/');
    expect(response.headers.get('x-number')).toBe('7');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('moved');
  });

  test('may have no body', async () => {
    const response = await misbehave({ statusCode: '204' });
    expect(response.status).toBe(204);
  });

  test.each<[string, unknown]>([
    ['no object', '"text"'],
    ['null', 'null'],
    ['no status code', { body: 'x' }],
    ['a status code out of range', { statusCode: 42 }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is no text', { statusCode: 200, headers: { a: {} } }],
    ['a header that cannot be sent', { statusCode: 200, headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['an exception', 'throw'],
  ])('%s returns DEFAULT_5XX', async (_, result) => {
    const response = await misbehave(result);
    expect(response.status).toBe(500);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.json()).toEqual({ detail: 'Internal server error' });
  });

  test("times out after the integration's timeout", async () => {
    const response = await misbehave('hang');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ detail: 'Internal server error' });
  });

  test.each<[string, number[]]>([
    ['audio/wav', [0xff, 0x00]],
    ['image/png, */*', [0xff, 0x00]],
    ['*/*', [...Buffer.from('/wA=')]],
  ])('in base64 becomes bytes if the client accepts %s', async (accept, bytes) => {
    const response = await misbehave(
      { statusCode: 200, headers: { 'Content-Type': 'audio/wav' }, body: '/wA=', isBase64Encoded: true },
      { Accept: accept },
    );
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual(bytes);
  });
});

describe("the gateway's own responses", () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/narrow'],
    ['PUT', '/narrow'],
    ['GET', '/echo/a/b'],
  ])('%s %s is not a route', async (method, path) => {
    const response = await ask(path, { method });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.json()).toEqual({ detail: 'Not found' });
  });

  test('throttling returns 429 with literal headers and context variables', async () => {
    const statuses = await Promise.all([1, 2, 3].map(async () => (await ask('/limited')).status));
    expect(statuses.sort()).toEqual([200, 200, 429]);
    const response = await ask('/limited');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toEqual({
      detail: 'Too Many Requests',
      type: 'THROTTLED',
      route: '/limited',
    });
  });

  test('a body over 10 MB is answered also to a client that is still sending it', async () => {
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '--eval',
      `const send = () => fetch(process.argv[1], { method: 'POST', body: Buffer.alloc(11 * 1024 * 1024) });
      for (let round = 0; round < 10; round += 1) {
        console.log(await send().then(({ status }) => status, ({ cause }) => cause.message));
      }`,
      `${fixture.stack.baseUrl}/echo`,
    ]);
    expect(stdout).toBe('413\n'.repeat(10));
  });

  test.each<[string, number]>([
    ['over 10 MB', 10 * 1024 * 1024 + 1],
    ['over what Lambda takes as an event', 6 * 1024 * 1024 + 1],
  ])('a body %s is too large', async (_, bytes) => {
    const response = await ask('/echo', { method: 'POST', body: 'x'.repeat(bytes) });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ detail: 'Request body too large' });
  });

  test('a body of unknown length is cut off at 10 MB', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 11) controller.close();
        else controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const init: RequestInit = { method: 'POST', body, duplex: 'half' };
    const response = await ask('/echo', init);
    expect(response.status).toBe(413);
  });

  test.each<[string, string]>([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'BREW /echo HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a broken header', 'GET /echo HTTP/1.1\r\nHost x\r\n\r\n'],
    ['a broken encoding of the path', 'GET /echo/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('%s is a bad request', async (_, text) => {
    const answer = await raw(fixture, text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe('{"detail":"Bad request"}');
  });
});

test('a client that offers HTTP/2 gets HTTP/1.1', async () => {
  const answer = await raw(
    fixture,
    'GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n' +
      'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});
