import { once } from 'node:events';
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, type Fixture, startFixture, webSocketApi } from './fixture.ts';

let fixture: Fixture;
let management: ApiGatewayManagementApiClient;

beforeAll(async () => {
  fixture = await startFixture({
    functions: {
      Agent: {
        code: `const { existsSync, rmSync, writeFileSync } = require('node:fs');
        const { tmpdir } = require('node:os');
        const { join } = require('node:path');
        exports.handler = async (event) => {
          console.log(JSON.stringify(event));
          const { eventType } = event.requestContext;
          if (eventType === 'CONNECT') {
            const wish = event.headers['X-Connect'];
            if (wish === 'throw') throw new Error('refused');
            if (wish === 'nothing') return;
            return { statusCode: Number(wish ?? 200), headers: { 'Sec-WebSocket-Protocol': 'spoken' } };
          }
          if (eventType === 'DISCONNECT') return { statusCode: 200 };
          if (event.body === 'throw') throw new Error('failed');
          if (event.body === 'nothing') return;
          if (event.body === 'slow') await new Promise((resolve) => setTimeout(resolve, 3000));
          const { connectionId } = event.requestContext;
          const released = join(tmpdir(), connectionId);
          if (event.body === 'pause') {
            while (!existsSync(released)) await new Promise((resolve) => setTimeout(resolve, 20));
            rmSync(released);
            console.log(JSON.stringify({ resumed: connectionId }));
          }
          if (event.body === 'release') writeFileSync(released, '');
          return { statusCode: 200, body: 'never seen' };
        }`,
      },
    },
    resources: webSocketApi('Agent'),
  });
  management = new ApiGatewayManagementApiClient({
    endpoint: fixture.stack.relayUrl.replace('ws', 'http'),
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});

afterAll(() => fixture.stop());

interface RelayEvent {
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly requestContext: Record<string, unknown> & { connectionId: string };
}

const eventsOf = (eventType: string, connectionId?: string): RelayEvent[] =>
  fixture.logged
    .map(({ content }) => content as unknown as RelayEvent)
    .filter(
      ({ requestContext }) =>
        requestContext?.eventType === eventType &&
        (connectionId === undefined || requestContext.connectionId === connectionId),
    );

interface Client {
  readonly socket: WebSocket;
  readonly connectionId: string;
  readonly messages: string[];
}

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const mark = Math.random().toString();
  const socket = new WebSocket(fixture.stack.relayUrl, ['spoken', 'other'], {
    headers: { ...headers, 'X-Mark': mark },
  });
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  await once(socket, 'open');
  const event = await eventually(() =>
    eventsOf('CONNECT').find((candidate) => candidate.headers['X-Mark'] === mark),
  );
  return { socket, connectionId: event.requestContext.connectionId, messages };
}

async function refusal(path: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(fixture.stack.relayUrl.replace(/\/relay$/, path), { headers });
  const [, response] = await once(socket, 'unexpected-response');
  response.destroy();
  return response.statusCode;
}

const post = (ConnectionId: string, Data: string): Promise<unknown> =>
  management.send(new PostToConnectionCommand({ ConnectionId, Data }));

describe('$connect', () => {
  test('receives the headers in their original case, before the connection exists', async () => {
    const { socket, connectionId } = await connect({ 'X-Twilio-Signature': 'abc=' });
    const [event] = eventsOf('CONNECT', connectionId);
    expect(event?.headers['X-Twilio-Signature']).toBe('abc=');
    expect(event?.requestContext).toMatchObject({
      routeKey: '$connect',
      stage: 'relay',
      messageDirection: 'IN',
    });
    expect(socket.protocol).toBe('spoken');
    socket.close();
  });

  test.each<[string, number]>([
    ['403', 403],
    ['401', 401],
    ['throw', 502],
    ['nothing', 502],
  ])('refuses the upgrade with %d after %s', async (wish, status) => {
    expect(await refusal('/relay', { 'X-Connect': wish })).toBe(status);
  });

  test.each(['/', '/relay/more', '/other'])('is not asked for the path %s', async (path) => {
    const before = eventsOf('CONNECT').length;
    expect(await refusal(path)).toBe(403);
    expect(eventsOf('CONNECT')).toHaveLength(before);
  });
});

describe('frames', () => {
  test('reach the function one by one without waiting for each other', async () => {
    const { socket, connectionId } = await connect();
    const seen = (): (string | undefined)[] => eventsOf('MESSAGE', connectionId).map(({ body }) => body);
    socket.send('pause');
    await eventually(() => seen().length === 1);
    // The first one ends only once the second one has been handled.
    socket.send('release');
    await eventually(() => fixture.logged.some(({ content }) => content.resumed === connectionId));
    expect(seen()).toEqual(['pause', 'release']);
    socket.close();
  });

  test('are routed by the selection expression, or to the default', async () => {
    const { socket, connectionId } = await connect();
    for (const body of [
      '{"action":"named"}',
      '{"action":"$connect"}',
      '{"action":"unknown"}',
      '{}',
      'text',
      '"x"',
    ]) {
      socket.send(body);
    }
    const events = await eventually(() => {
      const found = eventsOf('MESSAGE', connectionId);
      return found.length === 6 ? found : null;
    });
    const routes = new Map(events.map(({ body, requestContext }) => [body, requestContext.routeKey]));
    expect(routes.get('{"action":"named"}')).toBe('named');
    expect([...routes.values()].filter((route) => route === '$default')).toHaveLength(5);
    socket.close();
  });

  test.each<[string, string]>([
    ['throw', 'Internal server error'],
    ['nothing', 'Internal server error'],
    ['slow', 'Endpoint request timed out'],
  ])("%s gets the gateway's own error frame", async (body, message) => {
    const { socket, connectionId, messages } = await connect();
    socket.send(body);
    await eventually(() => messages.length > 0);
    expect(JSON.parse(String(messages[0]))).toEqual({
      message,
      connectionId,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    socket.close();
  });

  test('get no response frame: there are no route responses', async () => {
    const { socket, connectionId, messages } = await connect();
    socket.send('hello');
    await eventually(() => eventsOf('MESSAGE', connectionId).length === 1);
    await post(connectionId, 'after');
    await eventually(() => messages.length > 0);
    expect(messages).toEqual(['after']);
    socket.close();
  });

  test.each<[string, number, boolean]>([
    ['a message of 32 KB in one frame is taken', 32 * 1024, true],
    ['a frame of more than 32 KB closes the connection', 32 * 1024 + 1, false],
  ])('%s', async (_, bytes, taken) => {
    const { socket, connectionId } = await connect();
    const closed = once(socket, 'close');
    socket.send('x'.repeat(bytes));
    if (taken) {
      await eventually(() => eventsOf('MESSAGE', connectionId).length === 1);
      socket.close();
    } else {
      expect((await closed)[0]).toBe(1009);
      expect(eventsOf('MESSAGE', connectionId)).toEqual([]);
    }
  });

  test('a fragmented message may be up to 128 KB', async () => {
    const sendFragments = (socket: WebSocket, count: number): void => {
      for (let index = 0; index < count; index += 1) {
        socket.send('x'.repeat(32 * 1024), { fin: index === count - 1 });
      }
    };
    const { socket, connectionId } = await connect();
    sendFragments(socket, 4);
    const [event] = await eventually(() => {
      const events = eventsOf('MESSAGE', connectionId);
      return events.length > 0 ? events : null;
    });
    expect(event?.body).toHaveLength(128 * 1024);
    const closed = once(socket, 'close');
    sendFragments(socket, 5);
    expect((await closed)[0]).toBe(1009);
  });
});

describe('the management endpoint', () => {
  test('sends to the connection, describes it and closes it', async () => {
    const { socket, connectionId, messages } = await connect();
    await post(connectionId, '{"type":"text"}');
    await eventually(() => messages.length === 1);
    expect(messages).toEqual(['{"type":"text"}']);
    const told = await management.send(new GetConnectionCommand({ ConnectionId: connectionId }));
    expect(told.Identity?.SourceIp).toBe('127.0.0.1');
    expect(told.LastActiveAt?.getTime()).toBeGreaterThanOrEqual(told.ConnectedAt?.getTime() ?? Number.NaN);

    const closed = once(socket, 'close');
    await management.send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
    expect((await closed)[0]).toBe(1000);
  });

  test('returns 410 for a closed or unknown connection', async () => {
    const { socket, connectionId } = await connect();
    socket.close(1000, 'done');
    const event = await eventually(() => eventsOf('DISCONNECT', connectionId)[0]);
    expect(event.requestContext).toMatchObject({ disconnectStatusCode: 1000, disconnectReason: 'done' });
    await expect(post(connectionId, 'late')).rejects.toMatchObject({ name: 'GoneException' });
    await expect(post('unknown=', 'x')).rejects.toMatchObject({
      name: 'GoneException',
      $metadata: { httpStatusCode: 410 },
    });
  });

  test('refuses messages over 128 KB and unsigned requests', async () => {
    const { socket, connectionId } = await connect();
    await expect(post(connectionId, 'x'.repeat(128 * 1024 + 1))).rejects.toMatchObject({
      name: 'PayloadTooLargeException',
    });
    const url = `${fixture.stack.relayUrl.replace('ws', 'http')}/@connections/${encodeURIComponent(connectionId)}`;
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(403);
    socket.close();
  });
});

test('a broken connection also reaches $disconnect', async () => {
  const { socket, connectionId } = await connect();
  socket.terminate();
  const event = await eventually(() => eventsOf('DISCONNECT', connectionId)[0]);
  expect(event.requestContext.disconnectStatusCode).toBe(1006);
});
