import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forThisFile } from '../../support/lifetime.ts';
import { raw, startRestApi } from './rest-api-fixture.ts';

const fixture = await forThisFile(startRestApi());

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${fixture.stack.baseUrl}${path}`, init);

describe('a compressed body', () => {
  const text = '{"n":"ü"}';
  const send = (body: Buffer, encoding: string, type = 'application/json'): Promise<Response> =>
    ask('/echo', {
      method: 'POST',
      headers: { 'Content-Encoding': encoding, 'Content-Type': type },
      body: new Uint8Array(body),
    });

  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['identity', Buffer.from(text)],
  ])('by %s reaches the function decompressed, with the original header', async (encoding, body) => {
    const response = await send(body, encoding);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      body: text,
      isBase64Encoded: false,
      headers: { 'Content-Encoding': encoding },
    });
  });

  test('of a binary type reaches the function as base64 of the decompressed bytes', async () => {
    const response = await send(gzipSync(new Uint8Array([0xff, 0])), 'gzip', 'audio/wav');
    expect(await response.json()).toMatchObject({ body: '/wA=', isBase64Encoded: true });
  });

  test('may be empty', async () => {
    expect(await (await send(Buffer.alloc(0), 'gzip')).json()).toMatchObject({ body: null });
  });

  test.each([
    ['br', brotliCompressSync(text)],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['gzip', Buffer.from(text)],
    ['gzip', gzipSync(text).subarray(0, 15)],
    ['deflate', gzipSync(text)],
  ])('is refused if it is not what %s says, or the encoding is unknown', async (encoding, body) => {
    const response = await send(body, encoding);
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({ detail: 'Unsupported media type' });
  });

  test.each([6 * 1024 * 1024 + 1, 10 * 1024 * 1024 + 1])(
    'counts with its decompressed size: %i bytes are too large',
    async (bytes) => {
      const response = await send(gzipSync(Buffer.alloc(bytes, 'x')), 'gzip');
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({ detail: 'Request body too large' });
    },
  );
});

describe('a response of at least the minimum size', () => {
  const answerOf = (bytes: number, headers: Record<string, string> = {}): string =>
    JSON.stringify({ statusCode: 200, headers, body: 'x'.repeat(bytes) });
  /** The bytes on the wire: `fetch` would decode them, and sends its own `Accept-Encoding`. */
  const encodingOf = async (acceptEncoding: string, body: string): Promise<string> => {
    const lines = [
      'POST /misbehave HTTP/1.1',
      'Host: x',
      'Connection: close',
      `Accept-Encoding: ${acceptEncoding}`,
      `Content-Length: ${body.length}`,
    ];
    const answer = await raw(fixture, `${lines.join('\r\n')}\r\n\r\n${body}`);
    return /\r\nContent-Encoding: (\S+)\r\n/i.exec(answer)?.[1] ?? 'none';
  };

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['deflate', 'deflate'],
    ['gzip;q=0, deflate', 'deflate'],
    ['*', 'gzip'],
    ['identity', 'none'],
    ['br', 'none'],
    ['', 'none'],
  ])('is compressed for a client that accepts %j by %s', async (acceptEncoding, encoding) => {
    expect(await encodingOf(acceptEncoding, answerOf(100))).toBe(encoding);
  });

  test('arrives complete', async () => {
    const response = await ask('/misbehave', { method: 'POST', body: answerOf(50_000) });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe('x'.repeat(50_000));
  });

  test('is not compressed if already encoded or smaller than the minimum', async () => {
    expect(await encodingOf('gzip', answerOf(100, { 'Content-Encoding': 'br' }))).toBe('br');
    expect(await encodingOf('gzip', answerOf(99))).toBe('none');
  });
});
