import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import { newEndpoint } from '#shared/webhooks/new-endpoint.ts';
import { isAccepted, sendWebhook } from '#shared/webhooks/send.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';
import { localKmsEnvelope, machineNetwork } from '../../support/project-services.ts';

const serve = (respond: Parameters<typeof startTestServer>[0]): Promise<TestServer> =>
  forThisTest(startTestServer(respond));

const services = { secrets: localKmsEnvelope(), network: machineNetwork, now: () => new Date() };

async function endpointAt(url: string): Promise<{ endpoint: WebhookEndpoint; signingSecret: string }> {
  const settings = {
    url: 'https://hooks.example.com/',
    description: '',
    events: ['call.completed' as const],
  };
  const created = await newEndpoint(services, uuidv7(), settings, new Date());
  return { ...created, endpoint: { ...created.endpoint, url } };
}

const message = {
  id: 'msg_01a1fc9759397d04b5c348bad54457cb',
  body: '{"event":"call.completed","timestamp":"2026-03-02T15:00:00.000Z"}',
};

const sendTo = async (url: string, timeoutMs?: number) => {
  const { endpoint } = await endpointAt(url);
  return sendWebhook(services, endpoint, message, timeoutMs);
};

describe('sending a webhook', () => {
  test('posts JSON with a signature of its exact bytes, to the URL with its path and query', async () => {
    const server = await serve((_, response) => void response.writeHead(200).end('thanks'));
    const { endpoint, signingSecret } = await endpointAt(`${server.origin}/hooks/a?b=c`);
    expect(await sendWebhook(services, endpoint, message)).toMatchObject({
      status_code: 200,
      error: null,
      response: { body: 'thanks', truncated: false },
    });
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/hooks/a?b=c',
      headers: {
        'content-type': 'application/json',
        'webhook-id': message.id,
        'user-agent': 'voice-agent-tasks/1.0',
      },
      body: message.body,
    });
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const verifier = new Webhook(signingSecret);
    expect(verifier.verify(request?.body ?? '', headers)).toEqual(JSON.parse(message.body));
    expect(() => verifier.verify(request?.body ?? '', { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => verifier.verify(request?.body ?? '', { ...headers, 'webhook-timestamp': later })).toThrow();
  });

  test.each([200, 201, 202, 204, 299])('succeeds after %i', async (status) => {
    const server = await serve((_, response) => void response.writeHead(status).end());
    expect(isAccepted(await sendTo(server.origin))).toBe(true);
  });

  test.each([101, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'fails after %i',
    async (status) => {
      const elsewhere = await serve((_, response) => void response.writeHead(200).end());
      const server = await serve(
        (_, response) => void response.writeHead(status, { Location: elsewhere.origin }).end(),
      );
      const attempt = await sendTo(server.origin);
      expect(attempt).toMatchObject({
        status_code: status,
        error: null,
        response: { headers: { location: elsewhere.origin } },
      });
      expect(isAccepted(attempt)).toBe(false);
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test('times out after too long, and says so', async () => {
    const server = await serve(() => undefined);
    const attempt = await sendTo(server.origin, 100);
    expect(attempt).toMatchObject({ status_code: null, error: 'timeout' });
    expect(attempt.duration_ms).toBeLessThan(5_000);
  });

  test('keeps 16 KB of an endless response, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const attempt = await sendTo(server.origin);
    expect(isAccepted(attempt)).toBe(true);
    expect(attempt.response).toMatchObject({ body: 'x'.repeat(16 * 1024), truncated: true });
    await closed.promise;
  });

  test('keeps 16 KB of a 5 MB response, whatever its bytes', async () => {
    const server = await serve((_, response) => void response.end(Buffer.alloc(5_000_000, 0xff)));
    const { response } = await sendTo(server.origin);
    expect(response?.truncated).toBe(true);
    expect(response?.body).toMatch(/^\ufffd+$/);
    expect(Buffer.byteLength(response?.body ?? '')).toBeLessThanOrEqual(16 * 1024);
  });

  test('keeps a few response headers, and no cookie', async () => {
    const headers = { 'Content-Type': 'text/plain', Server: 'test', 'Retry-After': '5', 'Set-Cookie': 'a=b' };
    const server = await serve((_, response) => void response.writeHead(503, headers).end('busy'));
    expect((await sendTo(server.origin)).response).toEqual({
      headers: { 'content-type': 'text/plain', server: 'test', 'retry-after': '5' },
      body: 'busy',
      truncated: false,
    });
  });

  test('drops a character that the limit cuts in two', async () => {
    const server = await serve((_, response) => void response.end(`x${'é'.repeat(16 * 1024)}`));
    expect((await sendTo(server.origin)).response).toMatchObject({
      body: `x${'é'.repeat(8 * 1024 - 1)}`,
      truncated: true,
    });
  });

  test('ends in time although the response body is slow, and the status counts', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200).write('slowly');
    });
    expect(await sendTo(server.origin, 200)).toMatchObject({
      status_code: 200,
      error: null,
      response: { body: 'slowly', truncated: true },
    });
    await closed.promise;
  });

  test('refuses plain HTTP except to this machine, and URLs with credentials', async () => {
    for (const url of [
      'http://hooks.example.test/',
      'https://user:secret@hooks.example.test/',
      'file:///etc/passwd',
    ]) {
      expect(await sendTo(url)).toMatchObject({ status_code: null, error: 'address refused' });
    }
  });
});
