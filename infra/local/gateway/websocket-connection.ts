import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebSocket } from 'ws';
import { headerOf, type ReceivedRequest, received } from './received-request.ts';

/** A WebSocket connection of a client. */
export interface Connection {
  readonly id: string;
  readonly connectedAt: Date;
  readonly request: ReceivedRequest;
  readonly socket: WebSocket;
  lastActiveAt: Date;
  idleTimer: NodeJS.Timeout;
}

/** Restarts the connection's idle time. */
export function touch(connection: Connection): void {
  connection.lastActiveAt = new Date();
  connection.idleTimer.refresh();
}

export function identityOf(request: ReceivedRequest): Record<string, string | undefined> {
  return { sourceIp: request.sourceIp, userAgent: headerOf(request, 'user-agent') };
}

/** Answers a request to `@connections/{id}`: sends to a client, describes its connection or closes it. */
export async function answerManagementRequest(
  request: IncomingMessage,
  response: ServerResponse,
  {
    mayManage,
    messageBytes,
    find,
  }: {
    readonly mayManage: boolean;
    readonly messageBytes: number;
    readonly find: (path: string) => Connection | undefined;
  },
): Promise<void> {
  response.on('error', () => {});
  const asked = received(request, randomUUID(), new Date());
  const body = await readMessage(request, messageBytes);
  const fail = (status: number, type: string, message: string): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'x-amzn-ErrorType': type });
    response.end(JSON.stringify({ message }));
  };
  // The signature itself is not checked, but a caller that does not sign would be refused when deployed.
  if (headerOf(asked, 'authorization')?.startsWith('AWS4-HMAC-SHA256 ') !== true) {
    return fail(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token');
  }
  if (!mayManage) {
    return fail(403, 'AccessDeniedException', 'The role of the function does not allow it');
  }
  if (body === 'too large') return fail(413, 'PayloadTooLargeException', 'Message too long');
  const connection = find(asked.path);
  if (connection === undefined || connection.socket.readyState !== WebSocket.OPEN) {
    return fail(410, 'GoneException', 'The connection is gone');
  }
  switch (asked.method) {
    case 'POST':
      touch(connection);
      connection.socket.send(body.toString('utf8'), (error) => {
        if (error) fail(410, 'GoneException', 'The connection is gone');
        else response.writeHead(200, { 'Content-Type': 'application/json' }).end();
      });
      return;
    case 'GET':
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          connectedAt: connection.connectedAt.toISOString(),
          identity: identityOf(connection.request),
          lastActiveAt: connection.lastActiveAt.toISOString(),
        }),
      );
      return;
    case 'DELETE':
      connection.socket.close(1000, 'Connection Closed Normally');
      response.writeHead(204).end();
      return;
    default:
      return fail(403, 'ForbiddenException', 'Forbidden');
  }
}

async function readMessage(request: IncomingMessage, limitBytes: number): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(Buffer.from(chunk));
  }
  return bytes > limitBytes ? 'too large' : Buffer.concat(chunks);
}
