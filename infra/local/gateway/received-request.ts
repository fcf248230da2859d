import type { IncomingMessage } from 'node:http';

/** An HTTP request as it came over the wire. */
export interface ReceivedRequest {
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  /** Still URL-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** In the sender's order and case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly sourceIp: string;
}

/** These headers concern the connection, not the request, so API Gateway does not pass them on. */
const connectionHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
]);

export function received(request: IncomingMessage, id: string, at: Date): ReceivedRequest {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    headers.push([String(request.rawHeaders[index]), String(request.rawHeaders[index + 1])]);
  }
  // A client that uses us as a proxy sends the whole URL.
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const questionMark = target.indexOf('?');
  return {
    id,
    at,
    method: request.method ?? 'GET',
    path: questionMark === -1 ? target : target.slice(0, questionMark),
    query: questionMark === -1 ? '' : target.slice(questionMark + 1),
    headers,
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
  };
}

/** The value of a header, case-insensitive; the last one when repeated. */
export function headerOf(request: ReceivedRequest, lowerCaseName: string): string | undefined {
  return request.headers.findLast(([name]) => name.toLowerCase() === lowerCaseName)?.[1];
}

/** Headers as both kinds of events have them: once with the last value of each, once with all values. */
export function eventHeaders(request: ReceivedRequest): {
  headers: Record<string, string>;
  multiValueHeaders: Record<string, string[]>;
} {
  const passed: (readonly [string, string])[] = [
    ...request.headers.filter(([name]) => !connectionHeaders.has(name.toLowerCase())),
    ['X-Forwarded-For', request.sourceIp],
    ['X-Forwarded-Port', /:(\d+)$/.exec(headerOf(request, 'host') ?? '')?.[1] ?? '80'],
    ['X-Forwarded-Proto', 'http'],
  ];
  return lastAndAll(passed, (name) => name.toLowerCase());
}

export function lastAndAll(
  pairs: readonly (readonly [string, string])[],
  identity: (name: string) => string,
): { headers: Record<string, string>; multiValueHeaders: Record<string, string[]> } {
  // A name that came in two cases is one header; it keeps the case in which it came first.
  const spelling = new Map<string, string>();
  const headers: Record<string, string> = {};
  const multiValueHeaders: Record<string, string[]> = {};
  for (const [name, value] of pairs) {
    const key = spelling.get(identity(name)) ?? name;
    spelling.set(identity(name), key);
    headers[key] = value;
    multiValueHeaders[key] = [...(multiValueHeaders[key] ?? []), value];
  }
  return { headers, multiValueHeaders };
}
