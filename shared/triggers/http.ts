import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { annotateLog, log, logError, withLogContext } from '#shared/observability/log.ts';
import { errorStatus } from './error-status.ts';
import { toHeaders, toQuery } from './gateway-event.ts';

/** A request as it came, before anything in it was believed. */
export interface RawRequest {
  readonly method: string;
  /** The route's pattern, such as `/v1/patient/{patient_id}`; safe to log, unlike `path`. */
  readonly resource: string;
  readonly path: string;
  readonly pathParameters: Record<string, string>;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly sourceEvent: APIGatewayProxyEvent;
}

export interface RawResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** Bytes are sent as they are; API Gateway wants them in base64, which is done here. */
  readonly body?: string | Uint8Array;
}

export type HttpHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * A Lambda handler for a REST route that authenticates and parses in its own way, such as the carrier's callbacks.
 * A `ServiceError` is answered as `{detail}` with its status, anything else as 500 without a word from inside; every
 * answer carries `X-Request-Id`; every request gets one log line.
 */
export function rawEndpoint(respond: (request: RawRequest) => Promise<RawResponse>): HttpHandler {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    // middy runs the hooks after the handler in reverse order of registration. The error mapper is registered first
    // so that it runs last: whatever another hook throws is still mapped, and it sees the final answer.
    .use({
      after: (request) => {
        request.response = finish(request.event, request.response ?? toResult({ status: 500 }));
      },
      onError: (request) => {
        request.response = finish(request.event, toResult(toErrorResponse(request.error)));
      },
    })
    .handler(async (event) => toResult(await respond(readRequest(event))));
  return (event, context) => {
    const startedAt = performance.now();
    return withLogContext({ request_id: event.requestContext.requestId }, async () => {
      const result = await handler(event, context);
      log('request', {
        method: event.httpMethod,
        resource: event.resource,
        status: result.statusCode,
        duration_ms: Math.round(performance.now() - startedAt),
      });
      return result;
    });
  };
}

/** Who asks: the project whose API key was presented. */
export interface Caller {
  readonly projectId: string;
}

export interface ApiAnswer<Body> {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: Body;
}

export interface ApiEndpoint<Input, ResponseSchema extends z.ZodMiniType> {
  /** Runs before anything else of the request is looked at. Throws `unauthenticated`. */
  readonly authenticate: (request: RawRequest) => Promise<Caller>;
  /** Whether the caller may ask so often. Throws `too_many_requests`. */
  readonly limitRate: (caller: Caller) => Promise<void>;
  /** Reads path, query and body; throws `invalid_request` and its like. */
  readonly parse: (request: RawRequest) => Input | Promise<Input>;
  readonly perform: (
    caller: Caller,
    input: Input,
    request: RawRequest,
  ) => Promise<ApiAnswer<z.output<ResponseSchema>>>;
  /** What may leave: the answer is cut to this schema, and one that does not fit it is our fault. */
  readonly response: ResponseSchema;
}

/** A Lambda handler for one operation of the `/v1` interface: authenticate, limit the rate, parse, perform, answer JSON. */
export function apiEndpoint<Input, ResponseSchema extends z.ZodMiniType>(
  endpoint: ApiEndpoint<Input, ResponseSchema>,
): HttpHandler {
  return rawEndpoint(async (request) => {
    const caller = await endpoint.authenticate(request);
    annotateLog({ project_id: caller.projectId });
    await endpoint.limitRate(caller);
    const input = await endpoint.parse(request);
    return answerOf(endpoint.response, await endpoint.perform(caller, input, request));
  });
}

/** What leaves of an answer: its body cut to the schema. */
export function answerOf<ResponseSchema extends z.ZodMiniType>(
  schema: ResponseSchema,
  { status, headers = {}, body }: ApiAnswer<z.output<ResponseSchema>>,
): RawResponse {
  const checkedBody = z.parse(schema, body);
  return checkedBody === null
    ? { status, headers: { ...privateHeaders, ...headers } }
    : jsonResponse(status, checkedBody, headers);
}

/** Answers hold health information, so nothing between us and the client may keep them. */
const privateHeaders = { 'Cache-Control': 'no-store' };

function jsonResponse(status: number, body: unknown, headers: Record<string, string>): RawResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...privateHeaders, ...headers },
    body: JSON.stringify(body),
  };
}

function toErrorResponse(error: unknown): RawResponse {
  if (error instanceof ServiceError) {
    return jsonResponse(errorStatus[error.code], { detail: error.detail }, error.headers);
  }
  logError('request-failed', error);
  return jsonResponse(500, { detail: 'Internal server error' }, {});
}

function readRequest(event: APIGatewayProxyEvent): RawRequest {
  return {
    method: event.httpMethod,
    resource: event.resource,
    path: event.path,
    pathParameters: definedValues(event.pathParameters ?? {}),
    query: toQuery(event.multiValueQueryStringParameters),
    headers: toHeaders(event.multiValueHeaders),
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    sourceEvent: event,
  };
}

function definedValues(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function toResult({ status, headers = {}, body = '' }: RawResponse): APIGatewayProxyResult {
  return typeof body === 'string'
    ? { statusCode: status, headers, body }
    : {
        statusCode: status,
        headers,
        body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
        isBase64Encoded: true,
      };
}

function finish(event: APIGatewayProxyEvent, result: APIGatewayProxyResult): APIGatewayProxyResult {
  return { ...result, headers: { ...result.headers, 'X-Request-Id': event.requestContext.requestId } };
}
