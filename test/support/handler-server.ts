import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { listenOnLoopback } from '../../infra/loopback.ts';
import type { Route } from '../../infra/route.ts';
import { answersAllMethods, methodNotAllowedFunction, methodsByPath, routes } from '../../infra/routes.ts';

type Handler = (event: object, context: object) => Promise<APIGatewayProxyResult>;

export interface HandlerServer {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Serves routes of the route table, those of `/v1` unless others are asked for, by calling their handlers in this process, with the events that API
 * Gateway would make. The functions read their environment when they are loaded, so it must be set before.
 */
export async function startHandlerServer(
  isServed: (route: Route) => boolean = ({ path }) => path.startsWith('/v1/'),
): Promise<HandlerServer> {
  const served = routes.filter(isServed);
  process.env.ALLOWED_METHODS = JSON.stringify(methodsByPath(served));
  const names = [...new Set(served.map((route) => route.function)), methodNotAllowedFunction];
  const handlers = new Map<string, Handler>();
  for (const name of names) {
    const { handler }: { handler: Handler } = await import(`../../functions/${name}.ts`);
    handlers.set(name, handler);
  }
  const server = createServer((request, response) => {
    void respond(request, response).catch((error) => response.destroy(error));
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const match = findRoute(served, request.method ?? '', url.pathname);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const handler = handlers.get(match?.functionName ?? '');
    if (match === null || handler === undefined) {
      response.writeHead(404).end('{"detail":"Not found"}');
      return;
    }
    const event = toEvent(request, url, match, Buffer.concat(chunks));
    const result = await handler(event, { awsRequestId: randomUUID() });
    response.writeHead(result.statusCode, {
      'Content-Type': 'application/json',
      ...stringHeaders(result.headers ?? {}),
    });
    response.end(Buffer.from(result.body, result.isBase64Encoded === true ? 'base64' : 'utf8'));
  };
  const port = await listenOnLoopback(server, 0);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Match {
  readonly functionName: string;
  readonly resource: string;
  readonly pathParameters: Record<string, string>;
}

function findRoute(table: readonly Route[], method: string, path: string): Match | null {
  for (const route of table) {
    const pattern = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const groups = pattern.exec(path);
    if (groups === null) continue;
    const isListed = table.some((other) => other.path === route.path && other.method === method);
    if (isListed && route.method !== method) continue;
    return {
      functionName: isListed || answersAllMethods(route) ? route.function : methodNotAllowedFunction,
      resource: route.path,
      pathParameters: Object.fromEntries(
        Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      ),
    };
  }
  return null;
}

function toEvent(request: IncomingMessage, url: URL, match: Match, body: Buffer): object {
  const query: Record<string, string[]> = {};
  for (const name of new Set(url.searchParams.keys())) query[name] = url.searchParams.getAll(name);
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    headers[name] = [...(headers[name] ?? []), request.rawHeaders[index + 1] ?? ''];
  }
  // As a client's binary media type would have it; both ways must be understood.
  const isBase64Encoded = request.headers['content-type'] === 'application/octet-stream';
  return {
    resource: match.resource,
    path: url.pathname,
    httpMethod: request.method,
    multiValueHeaders: headers,
    multiValueQueryStringParameters: query,
    pathParameters: match.pathParameters,
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } },
  };
}

function stringHeaders(headers: Record<string, string | number | boolean>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
