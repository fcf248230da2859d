import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import type { InvocableFunction } from '../functions/function-pool.ts';
import { LocalStackError } from '../local-stack-error.ts';
import type { Deployment } from '../template/deployment.ts';
import { gatewayId } from '../template/physical-names.ts';
import { rootResourceId } from '../template/resource-types.ts';
import { compress, decompress } from './compression.ts';
import { type GatewayResponse, type GatewayResponseContext, GatewayResponses } from './gateway-responses.ts';
import { functionOfUri, integrate, integrationLimitMs, requestTime } from './integration.ts';
import { answerMock, type Mock, mockSchema } from './mock-integration.ts';
import { proxyEvent } from './proxy-event.ts';
import { type HttpResponse, httpResponse } from './proxy-response.ts';
import { headerOf, type ReceivedRequest, received } from './received-request.ts';
import { type PathNode, type RouteMatch, Router } from './routes.ts';
import { Throttle } from './throttle.ts';

/** API Gateway's limit for a request's body. */
const bodyLimitBytes = 10 * 1024 * 1024;
/** How much of an oversized body is still read, so that its sender gets to see the response. */
const drainLimitBytes = 64 * 1024 * 1024;

const apiSchema = z.object({
  Body: z.optional(z.undefined('an API from an OpenAPI document is not supported locally')),
  BinaryMediaTypes: z._default(z.array(z.string()), []),
  /** In bytes; an API without it compresses nothing. */
  MinimumCompressionSize: z._default(z.nullable(z.number()), null),
});
const resourceSchema = z.object({ ParentId: z.string(), PathPart: z.string() });
const methodSchema = z.object({
  HttpMethod: z.string(),
  ResourceId: z.string(),
  AuthorizationType: z._default(z.literal('NONE', 'authorizers are not supported locally'), 'NONE'),
  ApiKeyRequired: z._default(z.literal(false, 'usage plans are not supported locally'), false),
  Integration: z.discriminatedUnion('Type', [
    z.object({
      Type: z.literal('AWS_PROXY'),
      Uri: z.string(),
      TimeoutInMillis: z._default(z.number(), integrationLimitMs),
    }),
    mockSchema,
  ]),
});
const stageSchema = z.object({
  StageName: z.string(),
  MethodSettings: z._default(
    z.array(
      z.object({
        HttpMethod: z.optional(z.string()),
        ResourcePath: z.optional(z.string()),
        // Numbers, or text where a parameter gives them.
        ThrottlingRateLimit: z.optional(z.coerce.number()),
        ThrottlingBurstLimit: z.optional(z.coerce.number()),
      }),
    ),
    [],
  ),
});

type Method = { readonly function: InvocableFunction; readonly limitMs: number } | { readonly mock: Mock };

/** The template's REST API, served at the root of an HTTP server as behind a custom domain. */
export class RestApi {
  readonly #apiId: string;
  readonly #stage: string;
  readonly #binaryMediaTypes: readonly string[];
  readonly #minimumCompressionBytes: number | null;
  readonly #router: Router<Method>;
  readonly #responses: GatewayResponses;
  readonly #throttle: Throttle;

  constructor(deployment: Deployment, functions: readonly InvocableFunction[]) {
    const [api, ...more] = deployment.ofType('AWS::ApiGateway::RestApi');
    const [stage, ...otherStages] = deployment.ofType('AWS::ApiGateway::Stage');
    if (api === undefined || stage === undefined) {
      throw new LocalStackError('The template has methods of a REST API, but no API or no stage of it');
    }
    if (more.length > 0 || otherStages.length > 0) {
      throw new LocalStackError('The local stack serves one REST API with one stage; the template has more');
    }
    const { StageName, MethodSettings } = deployment.properties(stage, stageSchema);
    this.#apiId = gatewayId(api.logicalId);
    this.#stage = StageName;
    const { BinaryMediaTypes, MinimumCompressionSize } = deployment.properties(api, apiSchema);
    this.#binaryMediaTypes = BinaryMediaTypes;
    this.#minimumCompressionBytes = MinimumCompressionSize;
    this.#router = routerOf(deployment, rootResourceId(api), functions);
    this.#responses = new GatewayResponses(deployment);
    this.#throttle = new Throttle(MethodSettings);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = received(request, randomUUID(), new Date());
    // A client that disconnects is not an error; other errors end the connection.
    response.on('error', () => {});
    let match: RouteMatch<Method> | null;
    try {
      match = this.#router.match(asked.method, asked.path);
    } catch {
      return this.#refuse('DEFAULT_4XX', asked, null, request, response);
    }
    if (match === null) return this.#refuse('MISSING_AUTHENTICATION_TOKEN', asked, match, request, response);
    if (!this.#throttle.admits(asked.method, match.resourcePath, Date.now())) {
      return this.#refuse('THROTTLED', asked, match, request, response);
    }
    const sent = await readBody(request);
    if (sent === 'aborted') return;
    const body =
      sent === 'too large' ? sent : decompress(sent, headerOf(asked, 'content-encoding'), bodyLimitBytes);
    if (body === 'too large') return this.#refuse('REQUEST_TOO_LARGE', asked, match, request, response);
    if (body === 'unsupported') {
      return this.#refuse('UNSUPPORTED_MEDIA_TYPE', asked, match, request, response);
    }

    const { target } = match;
    if ('mock' in target) {
      const answer = answerMock(target.mock, headerOf(asked, 'content-type'), this.#contextOf(asked, match));
      if (answer === null) return this.#refuse('UNSUPPORTED_MEDIA_TYPE', asked, match, request, response);
      return send(answer, response);
    }
    const event = proxyEvent(asked, body, {
      apiId: this.#apiId,
      stage: this.#stage,
      binaryMediaTypes: this.#binaryMediaTypes,
      ...match,
    });
    const result = await integrate(target.function, event, target.limitMs);
    switch (result.kind) {
      case 'succeeded': {
        const answer = httpResponse(
          result.payload,
          asked.id,
          headerOf(asked, 'accept'),
          this.#binaryMediaTypes,
        );
        if (answer === null) return this.#refuse('DEFAULT_5XX', asked, match, request, response);
        const encoding = headerOf(asked, 'accept-encoding');
        return send(compress(answer, encoding, this.#minimumCompressionBytes), response);
      }
      case 'failed':
        return this.#refuse('DEFAULT_5XX', asked, match, request, response);
      case 'event-too-large':
        return this.#refuse('REQUEST_TOO_LARGE', asked, match, request, response);
      case 'timed-out':
        return this.#refuse('INTEGRATION_TIMEOUT', asked, match, request, response);
      default:
        return result satisfies never;
    }
  }

  /** Responds to what the HTTP parser could not read, without a request. */
  refuseMalformed(socket: Duplex): void {
    if (!socket.writable) return;
    const { status, headers, body } = this.#responses.render(
      'DEFAULT_4XX',
      this.#contextOf(unreadable(), null),
    );
    const lines = Object.entries({
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${body}`);
  }

  #refuse(
    answer: GatewayResponse,
    asked: ReceivedRequest,
    match: RouteMatch<Method> | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const { status, headers, body } = this.#responses.render(answer, this.#contextOf(asked, match));
    if (!request.complete) {
      // The rest of the body is read and dropped, and the connection stays open: closing it, even after the answer,
      // would hide the answer from a client that still sends.
      drain(request);
    }
    send({ status, headers: Object.entries(headers), body: Buffer.from(body) }, response);
  }

  #contextOf(asked: ReceivedRequest, match: RouteMatch<Method> | null): GatewayResponseContext {
    return {
      requestId: asked.id,
      stage: this.#stage,
      httpMethod: asked.method,
      path: asked.path,
      resourcePath: match?.resourcePath ?? asked.path,
      sourceIp: asked.sourceIp,
      requestTime: requestTime(asked.at),
      header: (name) => headerOf(asked, name),
    };
  }
}

function routerOf(
  deployment: Deployment,
  rootId: string,
  functions: readonly InvocableFunction[],
): Router<Method> {
  const methods = new Map<string, Map<string, Method>>();
  for (const resource of deployment.ofType('AWS::ApiGateway::Method')) {
    const properties = deployment.properties(resource, methodSchema);
    const ofResource = methods.get(properties.ResourceId) ?? new Map<string, Method>();
    ofResource.set(properties.HttpMethod, methodOf(properties.Integration, functions, resource.logicalId));
    methods.set(properties.ResourceId, ofResource);
  }
  const nodes = deployment.ofType('AWS::ApiGateway::Resource').map((resource): PathNode<Method> => {
    const { ParentId: parentId, PathPart: part } = deployment.properties(resource, resourceSchema);
    const id = gatewayId(resource.logicalId);
    return { id, parentId, part, methods: methods.get(id) ?? new Map() };
  });
  return new Router(rootId, nodes, methods.get(rootId) ?? new Map());
}

function methodOf(
  integration: z.infer<typeof methodSchema>['Integration'],
  functions: readonly InvocableFunction[],
  where: string,
): Method {
  return integration.Type === 'MOCK'
    ? { mock: integration }
    : { function: functionOfUri(integration.Uri, functions, where), limitMs: integration.TimeoutInMillis };
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimitBytes) return 'too large';
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > bodyLimitBytes) {
        request.off('data', onData);
        resolve('too large');
      }
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => resolve('aborted'));
    request.once('error', () => resolve('aborted'));
  });
}

function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > drainLimitBytes) request.destroy();
  });
  request.resume();
}

function send({ status, headers, body }: HttpResponse, response: ServerResponse): void {
  if (response.destroyed) return;
  for (const [name, value] of headers) response.appendHeader(name, value);
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  if (hasBody) response.setHeader('Content-Length', body.length);
  response.writeHead(status).end(hasBody ? body : undefined);
}

function unreadable(): ReceivedRequest {
  return {
    id: randomUUID(),
    at: new Date(),
    method: '',
    path: '',
    query: '',
    headers: [],
    sourceIp: '127.0.0.1',
  };
}
