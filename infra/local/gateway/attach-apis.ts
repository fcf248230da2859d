import type { Server } from 'node:http';
import type { AccessGuard } from '../access/access-guard.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Deployment } from '../template/deployment.ts';
import type { PacedIdle } from './paced-idle.ts';
import { RestApi } from './rest-api.ts';
import { WebSocketApi, webSocketLimits } from './websocket-api.ts';

export interface Apis {
  readonly restApi: RestApi | null;
  readonly webSocketApi: WebSocketApi | null;
}

/** The APIs of the template, not yet connected to a server. */
export function openApis(
  deployment: Deployment,
  pools: readonly FunctionPool[],
  { idleMs }: PacedIdle,
): Apis {
  const has = (type: string): boolean => deployment.ofType(type).length > 0;
  return {
    restApi: has('AWS::ApiGateway::RestApi') ? new RestApi(deployment, pools) : null,
    webSocketApi: has('AWS::ApiGatewayV2::Api')
      ? new WebSocketApi(deployment, pools, { ...webSocketLimits, idleMs })
      : null,
  };
}

/** Connects the APIs to the HTTP server. */
export function attach(
  server: Server,
  { restApi, webSocketApi }: Apis,
  guard: AccessGuard | null,
  onSocketRequest: (method: string) => void,
): void {
  server.on('request', (request, response) => {
    if (webSocketApi?.manages(request.url ?? '/') === true) {
      onSocketRequest(request.method ?? '');
      void webSocketApi.manage(request, response, guard);
    } else if (restApi !== null) void restApi.handle(request, response);
    else response.writeHead(404).end();
  });
  server.on('upgrade', (request, socket, head) => {
    if (webSocketApi === null) socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    else void webSocketApi.upgrade(request, socket, head);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (restApi === null || error.code === 'ECONNRESET') socket.destroy();
    else restApi.refuseMalformed(socket);
  });
}
