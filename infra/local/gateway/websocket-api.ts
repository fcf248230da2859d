import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod/mini';
import type { AccessGuard } from '../access/access-guard.ts';
import type { InvocableFunction } from '../functions/function-pool.ts';
import type { Deployment } from '../template/deployment.ts';
import { FrameSizeGuard } from './frame-size-guard.ts';
import { type IntegrationResult, integrate, integrationLimitMs, requestTime } from './integration.ts';
import { eventHeaders, headerOf, lastAndAll, type ReceivedRequest, received } from './received-request.ts';
import { answerManagementRequest, type Connection, identityOf, touch } from './websocket-connection.ts';
import { readWebSocketTemplate, type WebSocketTemplate } from './websocket-template.ts';

/** API Gateway's limits; tests use shorter times. */
export interface WebSocketLimits {
  readonly messageBytes: number;
  readonly frameBytes: number;
  readonly idleMs: number;
  readonly connectionMs: number;
  readonly integrationMs: number;
}

export const webSocketLimits: WebSocketLimits = {
  messageBytes: 128 * 1024,
  frameBytes: 32 * 1024,
  idleMs: 10 * 60_000,
  connectionMs: 2 * 3600_000,
  integrationMs: integrationLimitMs,
};

/** The template's WebSocket API with its management endpoint, below the path of its stage. */
export class WebSocketApi {
  readonly #template: WebSocketTemplate;
  readonly #limits: WebSocketLimits;
  readonly #server: WebSocketServer;
  readonly #connections = new Map<string, Connection>();
  readonly #disconnecting = new Set<Promise<unknown>>();

  constructor(
    deployment: Deployment,
    functions: readonly InvocableFunction[],
    limits: WebSocketLimits = webSocketLimits,
  ) {
    this.#template = readWebSocketTemplate(deployment, functions);
    this.#limits = limits;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: limits.messageBytes,
      perMessageDeflate: false,
      // What $connect has chosen is written into the answer by hand.
      handleProtocols: () => false,
    });
  }

  /** Path of the stage, which clients connect to. */
  get path(): string {
    return `/${this.#template.stage}`;
  }

  /** Whether a plain HTTP request is one to the management endpoint. */
  manages(path: string): boolean {
    return this.#managedId(path) !== null;
  }

  /** A connecting client: $connect decides before the connection exists. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {});
    const asked = received(request, randomUUID(), new Date());
    if (asked.path.replace(/\/$/, '') !== this.path) return refuse(socket, 403);
    if (headerOf(asked, 'sec-websocket-key') === undefined) return refuse(socket, 400);
    const connection = { id: `${randomBytes(11).toString('base64url')}=`, connectedAt: asked.at };
    const response = await this.#askToConnect(connection, asked);
    if (response.status < 200 || response.status > 299) return refuse(socket, response.status);
    if (socket.destroyed) {
      this.#disconnected({ ...connection, request: asked }, 1006, 'Connection closed abnormally');
      return;
    }
    const choose = (headers: string[]): void => {
      if (response.protocol !== null) headers.push(`Sec-WebSocket-Protocol: ${response.protocol}`);
    };
    this.#server.once('headers', choose);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.#open({ ...connection, request: asked }, webSocket, socket);
    });
    this.#server.off('headers', choose);
  }

  /** `@connections/{id}`: sends to a client, describes its connection or closes it. */
  async manage(
    request: IncomingMessage,
    response: ServerResponse,
    guard: Pick<AccessGuard, 'mayManageConnection'> | null,
  ): Promise<void> {
    await answerManagementRequest(request, response, {
      mayManage: guard?.mayManageConnection(request, this.#template.apiId) ?? true,
      messageBytes: this.#limits.messageBytes,
      find: (path) => this.#connections.get(this.#managedId(path) ?? ''),
    });
  }

  /** Closes all connections and waits until every $disconnect has run. */
  async stop(): Promise<void> {
    for (const { socket } of this.#connections.values()) {
      socket.close(1001, 'Going away');
      // A client that does not answer the close frame must not block the stop.
      setTimeout(() => socket.terminate(), 100).unref();
    }
    while (this.#connections.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await Promise.all(this.#disconnecting);
  }

  #managedId(path: string): string | null {
    let decoded: string;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return null;
    }
    const prefix = `${this.path}/@connections/`;
    return decoded.startsWith(prefix) ? decoded.slice(prefix.length) : null;
  }

  async #askToConnect(
    connection: Pick<Connection, 'id' | 'connectedAt'>,
    asked: ReceivedRequest,
  ): Promise<{ status: number; protocol: string | null }> {
    const route = this.#template.routes.get('$connect');
    if (route === undefined) return { status: 200, protocol: null };
    const query = lastAndAll([...new URLSearchParams(asked.query)], (name) => name);
    const event = {
      ...eventHeaders(asked),
      ...(asked.query === ''
        ? {}
        : {
            queryStringParameters: query.headers,
            multiValueQueryStringParameters: query.multiValueHeaders,
          }),
      requestContext: this.#requestContext(
        '$connect',
        'CONNECT',
        { ...connection, request: asked },
        asked.id,
      ),
      isBase64Encoded: false,
    };
    const result = await integrate(route.function, event, route.limitMs);
    if (result.kind === 'timed-out') return { status: 504, protocol: null };
    if (result.kind !== 'succeeded') return { status: 502, protocol: null };
    const parsed = connectResultSchema.safeParse(result.payload);
    if (!parsed.success) return { status: 502, protocol: null };
    const protocol = Object.entries(parsed.data.headers ?? {}).find(
      ([name]) => name.toLowerCase() === 'sec-websocket-protocol',
    );
    return { status: parsed.data.statusCode, protocol: protocol?.[1] ?? null };
  }

  #open(
    { id, connectedAt, request }: Pick<Connection, 'id' | 'connectedAt' | 'request'>,
    socket: WebSocket,
    stream: Duplex,
  ): void {
    const limits = this.#limits;
    const goAway = (): void => socket.close(1001, 'Going away');
    const connection: Connection = {
      id,
      connectedAt,
      request,
      socket,
      lastActiveAt: connectedAt,
      idleTimer: setTimeout(goAway, limits.idleMs).unref(),
    };
    this.#connections.set(id, connection);
    const lifeTimer = setTimeout(goAway, limits.connectionMs).unref();
    let tooLarge = false;
    const guard = new FrameSizeGuard(limits.frameBytes, () => {
      tooLarge = true;
      socket.close(1009, 'Message too long');
    });
    stream.prependListener('data', (chunk: Buffer) => guard.watch(chunk));
    // A protocol error is followed by the close event, which has the code.
    socket.on('error', () => {});
    socket.on('message', (data, isBinary) => {
      touch(connection);
      if (!tooLarge) void this.#message(connection, data, isBinary);
    });
    socket.on('close', (code, reason) => {
      clearTimeout(lifeTimer);
      clearTimeout(connection.idleTimer);
      this.#connections.delete(id);
      this.#disconnected(connection, code, reason.toString('utf8'));
    });
  }

  /** One frame, one invocation; as on API Gateway, frames do not wait for each other. */
  async #message(connection: Connection, data: RawData, isBinary: boolean): Promise<void> {
    const bytes = bytesOf(data);
    const requestId = randomUUID();
    const fail = (message: string): void => {
      if (connection.socket.readyState !== WebSocket.OPEN) return;
      connection.socket.send(JSON.stringify({ message, connectionId: connection.id, requestId }));
    };
    const routeKey = this.#routeKeyOf(bytes);
    const route = this.#template.routes.get(routeKey);
    if (route === undefined) return fail('Forbidden');
    const result = await integrate(
      route.function,
      {
        requestContext: {
          ...this.#requestContext(routeKey, 'MESSAGE', connection, requestId),
          messageId: `${randomBytes(11).toString('base64url')}=`,
        },
        body: bytes.toString(isBinary ? 'base64' : 'utf8'),
        isBase64Encoded: isBinary,
      },
      route.limitMs,
    );
    const message = errorMessageOf(result);
    if (message !== null) fail(message);
  }

  #routeKeyOf(bytes: Buffer): string {
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      return '$default';
    }
    for (const key of this.#template.selection.split('.')) {
      value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
    }
    return typeof value === 'string' && !value.startsWith('$') && this.#template.routes.has(value)
      ? value
      : '$default';
  }

  #disconnected(
    connection: Pick<Connection, 'id' | 'connectedAt' | 'request'>,
    code: number,
    reason: string,
  ): void {
    const route = this.#template.routes.get('$disconnect');
    if (route === undefined) return;
    const event = {
      ...eventHeaders(connection.request),
      requestContext: {
        ...this.#requestContext('$disconnect', 'DISCONNECT', connection, randomUUID()),
        disconnectStatusCode: code,
        disconnectReason: reason,
      },
      isBase64Encoded: false,
    };
    // Best effort, as deployed: a failure of it is only logged.
    const running = integrate(route.function, event, route.limitMs).finally(() =>
      this.#disconnecting.delete(running),
    );
    this.#disconnecting.add(running);
  }

  #requestContext(
    routeKey: string,
    eventType: 'CONNECT' | 'MESSAGE' | 'DISCONNECT',
    { id, connectedAt, request }: Pick<Connection, 'id' | 'connectedAt' | 'request'>,
    requestId: string,
  ): Record<string, unknown> {
    const now = new Date();
    return {
      routeKey,
      eventType,
      connectionId: id,
      connectedAt: connectedAt.getTime(),
      requestId,
      extendedRequestId: requestId,
      requestTime: requestTime(now),
      requestTimeEpoch: now.getTime(),
      messageDirection: 'IN',
      stage: this.#template.stage,
      apiId: this.#template.apiId,
      domainName: (headerOf(request, 'host') ?? 'localhost').replace(/:\d+$/, ''),
      identity: identityOf(request),
    };
  }
}

const connectResultSchema = z.object({
  statusCode: z.coerce.number().check(z.int(), z.minimum(100), z.maximum(599)),
  headers: z.nullish(z.record(z.string(), z.string())),
});

const messageResultSchema = z.object({ statusCode: z.coerce.number() });

/** The error frame for a failed route; null when it succeeded, because there are no route responses. */
function errorMessageOf(result: IntegrationResult): string | null {
  switch (result.kind) {
    case 'succeeded':
      // A function must return a status code, although it is never shown.
      return messageResultSchema.safeParse(result.payload).success ? null : 'Internal server error';
    case 'timed-out':
      return 'Endpoint request timed out';
    case 'failed':
    case 'event-too-large':
      return 'Internal server error';
    default:
      return result satisfies never;
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

function refuse(socket: Duplex, status: number): void {
  const body = JSON.stringify({ message: STATUS_CODES[status] ?? 'Forbidden' });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
