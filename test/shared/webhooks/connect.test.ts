import { once } from 'node:events';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AddressRefusedError, type WebhookNetwork } from '#shared/webhooks/address.ts';
import { postWebhook } from '#shared/webhooks/connect.ts';
import { listenOnLoopback } from '../../../infra/loopback.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';

const serve = (respond: Parameters<typeof startTestServer>[0]): Promise<TestServer> =>
  forThisTest(startTestServer(respond));

/** A network that returns these lists of addresses in order, and counts the lookups. */
function resolving(...answers: string[][]): { network: WebhookNetwork; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    network: {
      allowsLoopback: true,
      resolve: async (hostname) => {
        asked.push(hostname);
        return answers.shift() ?? [];
      },
    },
  };
}

function post(network: WebhookNetwork, url: string, signal = AbortSignal.timeout(30_000)) {
  return postWebhook(network, { url, headers: { 'X-Example': 'yes' }, body: 'Grüße', signal });
}

describe('posting', () => {
  test('sends the bytes once, with the host’s own name, to the checked address', async () => {
    const server = await serve((_, response) => void response.writeHead(204).end());
    const { network, asked } = resolving(['127.0.0.1'], ['10.0.0.1']);
    const port = new URL(server.origin).port;
    const response = await post(network, `http://localhost:${port}/hook?a=b`);
    response.resume();
    expect(response.statusCode).toBe(204);
    expect(asked).toEqual(['localhost']);
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/hook?a=b',
        headers: { host: `localhost:${port}`, 'x-example': 'yes', 'content-length': '7' },
        body: 'Grüße',
      },
    ]);
  });

  test('a name that has become private since it was saved is refused', async () => {
    const server = await serve((_, response) => void response.writeHead(204).end());
    const { network } = resolving(['10.0.0.1'], ['127.0.0.1'], ['1.1.1.1', '127.0.0.1']);
    const url = `https://hooks.example.com:${new URL(server.origin).port}/`;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(post(network, url)).rejects.toBeInstanceOf(AddressRefusedError);
    }
    expect(server.requests).toEqual([]);
  });

  test('a receiver that switches protocols has answered, and gets nothing more', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.socket?.on('close', () => closed.resolve());
      response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
      );
    });
    const { network } = resolving(['127.0.0.1']);
    const url = `http://localhost:${new URL(server.origin).port}/`;
    expect((await post(network, url)).statusCode).toBe(101);
    await closed.promise;
  });

  test('resolves again for every attempt', async () => {
    const server = await serve((_, response) => void response.writeHead(204).end());
    const { network, asked } = resolving(['127.0.0.1'], ['10.0.0.1']);
    const url = `http://localhost:${new URL(server.origin).port}/`;
    (await post(network, url)).resume();
    await expect(post(network, url)).rejects.toBeInstanceOf(AddressRefusedError);
    expect(asked).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });

  test.each(['http://hooks.example.com/', 'https://10.0.0.1/', 'https://user:secret@hooks.example.com/'])(
    'to %s is refused before anything is resolved',
    async (url) => {
      const { network, asked } = resolving(['1.1.1.1']);
      await expect(post(network, url)).rejects.toBeInstanceOf(AddressRefusedError);
      expect(asked).toEqual([]);
    },
  );

  test('uses no proxy, whatever the environment says', async () => {
    const proxy = await serve((_, response) => void response.writeHead(200).end());
    const server = await serve((_, response) => void response.writeHead(204).end());
    const names = ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    Object.assign(process.env, {
      HTTP_PROXY: proxy.origin,
      http_proxy: proxy.origin,
      NODE_USE_ENV_PROXY: '1',
    });
    onTestFinished(() => {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    const { network } = resolving(['127.0.0.1']);
    const response = await post(network, `http://localhost:${new URL(server.origin).port}/`);
    response.resume();
    expect(response.statusCode).toBe(204);
    expect(proxy.requests).toEqual([]);
  });

  test('a redirect is a response like any other', async () => {
    const elsewhere = await serve((_, response) => void response.writeHead(200).end());
    const server = await serve(
      (_, response) => void response.writeHead(307, { Location: elsewhere.origin }).end(),
    );
    const { network } = resolving(['127.0.0.1']);
    const response = await post(network, `http://localhost:${new URL(server.origin).port}/`);
    response.resume();
    expect(response.statusCode).toBe(307);
    expect(elsewhere.requests).toEqual([]);
  });

  test('a server with a self-signed certificate is refused', async () => {
    const { key, cert } = await selfSigned();
    let requests = 0;
    const server = createServer({ key, cert }, (_, response) => {
      requests += 1;
      response.end();
    });
    const port = await listenOnLoopback(server, 0);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { network } = resolving(['127.0.0.1']);
    await expect(post(network, `https://localhost:${port}/`)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(requests).toBe(0);
  });

  test('times out during name resolution', async () => {
    const network = { allowsLoopback: true, resolve: () => new Promise<never>(() => {}) };
    await expect(post(network, 'https://hooks.example.com/', AbortSignal.timeout(20))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  test('times out before the response, and within its body', async () => {
    const silent = await serve(() => undefined);
    const { network } = resolving(['127.0.0.1'], ['127.0.0.1']);
    const silentUrl = `http://localhost:${new URL(silent.origin).port}/`;
    await expect(post(network, silentUrl, AbortSignal.timeout(100))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    const endless = await serve((_, response) => {
      response.writeHead(200);
      response.write('and');
    });
    const limit = new AbortController();
    const response = await post(network, `http://localhost:${new URL(endless.origin).port}/`, limit.signal);
    const failed = once(response, 'error');
    response.once('data', () => limit.abort(new Error('time is up')));
    expect(await failed).toEqual([new Error('time is up')]);
  });
});

/** A self-signed certificate for localhost. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
  return { key: made.private, cert: made.cert };
}
