import { once } from 'node:events';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import { describe, expect, onTestFinished, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { WebhookNetwork } from '#shared/webhooks/address.ts';
import { failureCause } from '#shared/webhooks/failure-cause.ts';
import { newEndpoint } from '#shared/webhooks/new-endpoint.ts';
import { type SentAttempt, sendWebhook } from '#shared/webhooks/send.ts';
import { listenOnLoopback } from '../../../infra/loopback.ts';
import { localKmsEnvelope, machineNetwork } from '../../support/project-services.ts';

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listenOnLoopback(server, 0);
}

/** A server that does something with the connection as soon as the request begins to arrive. */
function onRequest(act: (socket: Socket) => void): Promise<number> {
  return listen(
    createServer((socket) => {
      // `act` ends some connections abruptly, which is an error here.
      socket.on('error', () => undefined);
      socket.once('data', () => act(socket));
    }),
  );
}

const answering = (text: string): Promise<number> => onRequest((socket) => socket.end(text));
const serving = (options: ServerOptions): Promise<number> => listen(createHttpsServer(options));

const dayMs = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);

async function certificate(
  wishes: { notBeforeDate?: Date; notAfterDate?: Date; ca?: { key: string; cert: string } } = {},
  name = 'localhost',
): Promise<{ key: string; cert: string }> {
  const made = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
    ...wishes,
  });
  return { key: made.private, cert: made.cert };
}

async function send(url: string, network: WebhookNetwork = machineNetwork): Promise<SentAttempt> {
  const services = { secrets: localKmsEnvelope(), network: machineNetwork, now: () => new Date() };
  const settings = {
    url: 'https://hooks.example.com/',
    description: '',
    events: ['call.completed' as const],
  };
  const { endpoint } = await newEndpoint(services, uuidv7(), settings, new Date());
  const timestamp = new Date().toISOString();
  const payload = { event: 'call.completed', task_id: uuidv7(), call_id: uuidv7(), timestamp } as const;
  return sendWebhook(
    { ...services, network },
    { ...endpoint, url },
    { id: 'msg_1', body: JSON.stringify(payload) },
  );
}

const failed = (error: string) => ({ status_code: null, error, response: null });

describe('the cause of a missing response', () => {
  test.each<[string, () => Promise<number>, string]>([
    ['nobody listens', refusedPort, 'connection refused'],
    ['the connection is closed', () => answering(''), 'connection closed without a response'],
    [
      'the connection is reset',
      () => onRequest((socket) => socket.resetAndDestroy()),
      'connection closed without a response',
    ],
    [
      'only hints come before the connection is closed',
      () => answering('HTTP/1.1 103 Early Hints\r\n\r\n'),
      'connection closed without a response',
    ],
    [
      'the head breaks off',
      () => answering('HTTP/1.1 200 OK\r\nServer: '),
      'connection closed without a response',
    ],
    [
      'another protocol is spoken',
      () => answering('220 mail.example.test ESMTP\r\n'),
      'response is not valid HTTP (HPE_INVALID_CONSTANT)',
    ],
    [
      'the head never ends',
      () => onRequest((socket) => socket.write(`HTTP/1.1 200 OK\r\nServer: ${'x'.repeat(100_000)}`)),
      'response headers are too large',
    ],
  ])('is shown if %s', async (_, start, cause) => {
    expect(await send(`http://localhost:${await start()}/`)).toMatchObject(failed(cause));
  });

  test.each<[string, () => Promise<number>, string]>([
    ['does not speak TLS', () => answering('HTTP/1.1 400 Bad Request\r\n\r\n'), 'TLS handshake failed'],
    [
      'speaks an old TLS only',
      async () => {
        const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
        return serving({ ...(await certificate()), ...old });
      },
      'TLS handshake failed',
    ],
    [
      'closes the connection in the handshake',
      () => onRequest((socket) => socket.destroy()),
      'connection closed without a response',
    ],
    [
      'names itself by a certificate of its own',
      async () => serving(await certificate()),
      'certificate is self-signed',
    ],
    [
      'has a certificate of nobody we know',
      async () => serving(await certificate({ ca: await certificate({}, 'Example Authority') })),
      'certificate is from an unknown authority, or its chain is incomplete',
    ],
    [
      'has a certificate that has expired',
      async () => serving(await certificate({ notBeforeDate: inDays(-9), notAfterDate: inDays(-1) })),
      'certificate has expired',
    ],
    [
      'has a certificate that is not valid yet',
      async () => serving(await certificate({ notBeforeDate: inDays(1), notAfterDate: inDays(9) })),
      'certificate is not valid yet',
    ],
    [
      'has the certificate of another name',
      async () => {
        const others = await certificate({}, 'other.example.com');
        trust(others.cert);
        return serving(others);
      },
      'certificate is for another name',
    ],
  ])('is shown if the server %s', async (_, start, cause) => {
    expect(await send(`https://localhost:${await start()}/`)).toMatchObject(failed(cause));
  });

  test.each([
    ['ENOTFOUND', 'name does not resolve'],
    ['EAI_AGAIN', 'name lookup failed'],
  ])('is shown if the resolver says %s', async (code, cause) => {
    const network = {
      ...machineNetwork,
      resolve: () => Promise.reject(Object.assign(new Error(`getaddrinfo ${code}`), { code })),
    };
    expect(await send('https://hooks.example.com/', network)).toMatchObject(failed(cause));
  });

  test('is a code in brackets if unknown, never the message, which may contain anything', () => {
    const error = (code: string) => Object.assign(new Error('10.0.0.1 said: secret'), { code });
    expect(failureCause(error('ERR_SSL_SOME_ALERT'))).toBe('TLS handshake failed (ERR_SSL_SOME_ALERT)');
    expect(failureCause(error('HPE_SOMETHING'))).toBe('response is not valid HTTP (HPE_SOMETHING)');
    expect(failureCause(error('ESOMETHING'))).toBe('connection failed (ESOMETHING)');
    expect(failureCause(new TypeError('10.0.0.1 said: secret'))).toBe('connection failed (TypeError)');
    expect(failureCause('thrown text')).toBe('unknown');
  });
});

async function refusedPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}

/** Trusts a certificate as an authority's until the test ends. */
function trust(cert: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  onTestFinished(() => setDefaultCACertificates(before));
}
