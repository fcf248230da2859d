import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { listenOnLoopback } from '../../infra/loopback.ts';
import { routes, type ServedRoute } from '../../infra/routes.ts';
import { type GatewayMatch, matchGateway, refusal } from './gateway-match.ts';

type Handler = (event: object, context: object) => Promise<APIGatewayProxyResult>;

export interface HandlerServer {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Serves routes of the route table, by default those of `/v1`, by calling their handlers in
 * this process with API Gateway's events. The functions read their environment when they
 * load, so set it before.
 */
export async function startHandlerServer(
  isServed: (route: ServedRoute) => boolean = ({ path }) => path.startsWith('/v1/'),
): Promise<HandlerServer> {
  const names = new Set(routes.filter(isServed).map((route) => route.function));
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
    const match = matchGateway(request.method ?? '', url.pathname);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (match === null) {
      response.writeHead(404).end('{"detail":"Not found"}');
      return;
    }
    if ('allowedMethods' in match.answer) {
      const { status, headers, body } = refusal(match.answer.allowedMethods, randomUUID());
      response.writeHead(status, headers).end(body);
      return;
    }
    const handler = handlers.get(match.answer.function);
    if (handler === undefined) throw new Error(`${match.answer.function} is not served`);
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

function toEvent(request: IncomingMessage, url: URL, match: GatewayMatch, body: Buffer): object {
  const query: Record<string, string[]> = {};
  for (const name of new Set(url.searchParams.keys())) query[name] = url.searchParams.getAll(name);
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    headers[name] = [...(headers[name] ?? []), request.rawHeaders[index + 1] ?? ''];
  }
  // As a client's binary media type requires; functions must understand both forms.
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
