import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { WebSocketApi, webSocketLimits } from '../../../../infra/local/gateway/websocket-api.ts';
import { createDeployment } from '../../../../infra/local/template/deployment.ts';
import { listenOnLoopback } from '../../../../infra/loopback.ts';

const server = createServer();
let url: string;

beforeAll(async () => {
  const deployment = createDeployment({
    stackName: 'limits',
    template: {
      Resources: {
        Socket: {
          Type: 'AWS::ApiGatewayV2::Api',
          Properties: { ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.action' },
        },
        Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { StageName: 'relay' } },
      },
    },
    parameters: {},
    servers: { queueOrigin: '', streamArn: () => undefined },
  });
  const api = new WebSocketApi(deployment, [], { ...webSocketLimits, idleMs: 200, connectionMs: 600 });
  server.on('upgrade', (request, socket, head) => void api.upgrade(request, socket, head));
  url = `ws://127.0.0.1:${await listenOnLoopback(server, 0)}/relay`;
});

afterAll(() => {
  server.close();
});

test('an idle connection is closed', async () => {
  const socket = new WebSocket(url);
  const [code] = await once(socket, 'close');
  expect(code).toBe(1001);
});

test('a busy connection is closed at its maximum age', async () => {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const openedAt = Date.now();
  const chatter = setInterval(() => socket.send('{}'), 50);
  const [code] = await once(socket, 'close');
  clearInterval(chatter);
  expect(code).toBe(1001);
  expect(Date.now() - openedAt).toBeGreaterThan(450);
});
