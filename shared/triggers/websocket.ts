import type {
  APIGatewayEventWebsocketRequestContextV2,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayProxyWebsocketEventV2,
  Context,
} from 'aws-lambda';
import { annotateLog, log } from '#shared/observability/log.ts';
import { toHeaders, toQuery } from './gateway-event.ts';
import { invocationFields, lambdaHandler } from './invocation.ts';
import { socketError } from './middlewares/socket-error.ts';

/** API Gateway sends the handshake's headers and query only with `$connect`; the published type omits them. */
type SocketEvent = APIGatewayProxyWebsocketEventV2 &
  Partial<Pick<APIGatewayProxyEvent, 'multiValueHeaders' | 'multiValueQueryStringParameters'>> & {
    requestContext: APIGatewayEventWebsocketRequestContextV2 & {
      disconnectStatusCode?: number;
      disconnectReason?: string;
    };
  };

interface SocketHandshake {
  readonly connectionId: string;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  readonly query: URLSearchParams;
}

interface SocketFrame {
  readonly connectionId: string;
  /** The gateway's name for the frame. */
  readonly messageId: string;
  readonly body: string;
}

interface SocketClose {
  readonly connectionId: string;
  /** WebSocket close code, or null if API Gateway did not report it. */
  readonly closeCode: number | null;
}

export interface RelaySocketHandlers {
  /** Throws a `ServiceError` to refuse the connection. */
  connect(handshake: SocketHandshake): Promise<void>;
  message(frame: SocketFrame): Promise<void>;
  disconnect(close: SocketClose): Promise<void>;
}

/**
 * A Lambda handler for the three routes of the WebSocket API. A frame never makes the function fail: API Gateway would
 * send an error frame of its own, unknown to the carrier's protocol, so failures are only logged.
 */
export function relaySocket(
  handlers: RelaySocketHandlers,
): (event: SocketEvent, context: Context) => Promise<APIGatewayProxyResult> {
  return lambdaHandler<SocketEvent, APIGatewayProxyResult>(
    { logFields: invocationFields, middlewares: [socketError()] },
    async (event) => {
      const startedAt = performance.now();
      annotateLog({
        connection_id: event.requestContext.connectionId,
        socket_event: event.requestContext.eventType,
      });
      await dispatch(handlers, event);
      log('socket-event', { outcome: 'done', duration_ms: Math.round(performance.now() - startedAt) });
      return { statusCode: 200, body: '' };
    },
  );
}

function dispatch(handlers: RelaySocketHandlers, event: SocketEvent): Promise<void> {
  const { connectionId, eventType, messageId, disconnectStatusCode } = event.requestContext;
  switch (eventType) {
    case 'CONNECT':
      return handlers.connect({
        connectionId,
        headers: toHeaders(event.multiValueHeaders),
        query: toQuery(event.multiValueQueryStringParameters),
      });
    case 'MESSAGE':
      return handlers.message({ connectionId, messageId, body: frameText(event) });
    case 'DISCONNECT':
      return handlers.disconnect({ connectionId, closeCode: disconnectStatusCode ?? null });
  }
}

function frameText(event: SocketEvent): string {
  const body = event.body ?? '';
  return event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
}
