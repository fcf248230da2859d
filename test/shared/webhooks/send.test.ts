import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#shared/domain/webhook.ts';
import { isAccepted, sendWebhook } from '#shared/webhooks/send.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(respond: Parameters<typeof startTestServer>[0]): Promise<TestServer> {
  const server = await startTestServer(respond);
  servers.push(server);
  return server;
}

const endpointAt = (url: string): WebhookEndpoint => ({
  id: uuidv7(),
  project_id: uuidv7(),
  url,
  events: ['call.completed'],
  signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  enabled: true,
  disabled_reason: null,
  created_at: '2026-03-02T15:00:00.000Z',
});

const deliveryTo = (endpoint: WebhookEndpoint): WebhookDelivery => ({
  id: 'msg_1',
  webhook_id: endpoint.id,
  project_id: endpoint.project_id,
  payload: {
    event: 'call.completed',
    task_id: uuidv7(),
    call_id: uuidv7(),
    timestamp: '2026-03-02T15:00:00.000Z',
  },
  status: 'pending',
  attempts: [],
  due_at: null,
  created_at: '2026-03-02T15:00:00.000Z',
});

const sendTo = (url: string, timeoutMs?: number) => {
  const endpoint = endpointAt(url);
  return sendWebhook(endpoint, deliveryTo(endpoint), timeoutMs);
};

describe('sending a webhook', () => {
  test('posts JSON whose very bytes are signed, at the address with its path and query', async () => {
    const server = await serve((_, response) => void response.writeHead(200).end('thanks'));
    const endpoint = endpointAt(`${server.origin}/hooks/a?b=c`);
    const delivery = deliveryTo(endpoint);
    expect(await sendWebhook(endpoint, delivery)).toMatchObject({ status_code: 200, error: null });
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/hooks/a?b=c',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg_1',
        'user-agent': 'voice-agent-tasks/1.0',
      },
      body: JSON.stringify(delivery.payload),
    });
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const verifier = new Webhook(endpoint.signing_secret);
    expect(verifier.verify(request?.body ?? '', headers)).toEqual(delivery.payload);
    expect(() => verifier.verify(request?.body ?? '', { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => verifier.verify(request?.body ?? '', { ...headers, 'webhook-timestamp': later })).toThrow();
  });

  test.each([200, 201, 202, 204, 299])('is a success when answered %i', async (status) => {
    const server = await serve((_, response) => void response.writeHead(status).end());
    expect(isAccepted(await sendTo(server.origin))).toBe(true);
  });

  test.each([301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'is a failure when answered %i',
    async (status) => {
      const elsewhere = await serve((_, response) => void response.writeHead(200).end());
      const server = await serve(
        (_, response) => void response.writeHead(status, { Location: elsewhere.origin }).end(),
      );
      const attempt = await sendTo(server.origin);
      expect(attempt).toMatchObject({ status_code: status, error: null });
      expect(isAccepted(attempt)).toBe(false);
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test('ends when the receiver takes too long, and says so', async () => {
    const server = await serve(() => undefined);
    const attempt = await sendTo(server.origin, 100);
    expect(attempt).toMatchObject({ status_code: null, error: 'timeout' });
    expect(attempt.duration_ms).toBeLessThan(5_000);
  });

  test('does not read an answer that never ends', async () => {
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
    expect(isAccepted(await sendTo(server.origin))).toBe(true);
    await closed.promise;
  });

  test('records a short cause when no answer comes', async () => {
    const server = await serve((_, response) => void response.destroy());
    expect((await sendTo(server.origin)).error).toMatch(/^[A-Z_]+$/);
    await server.stop();
    servers.length = 0;
    expect(await sendTo(server.origin)).toMatchObject({ status_code: null, error: 'ECONNREFUSED' });
  });

  test('refuses plain HTTP to anywhere else than this machine, and URLs with credentials', async () => {
    for (const url of [
      'http://hooks.example.test/',
      'https://user:secret@hooks.example.test/',
      'file:///etc/passwd',
    ]) {
      expect(await sendTo(url)).toMatchObject({ status_code: null, error: 'address refused' });
    }
  });
});
