import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Scope } from '#shared/domain/api-key.ts';
import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import type { RequestOrigin } from '#shared/domain/request-origin.ts';
import { annotateLog } from '#shared/observability/log.ts';
import type { Answered, BodyOf, Operation } from '#shared/operations/operation.ts';
import { toHeaders, toQuery } from './gateway-event.ts';
import { jsonResponse, privateHeaders, type RawResponse, toResult } from './http-response.ts';
import { lambdaHandler, type TriggerStack } from './invocation.ts';
import { errorResponse } from './middlewares/error-response.ts';
import { logRequest } from './middlewares/log-request.ts';
import { requestIdHeader } from './middlewares/request-id-header.ts';
import { addSecurityHeaders } from './middlewares/security-headers.ts';
import { originOf } from './request-origin.ts';

/** A request as received, untrusted. */
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

export type HttpHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const httpStack: TriggerStack<APIGatewayProxyEvent, APIGatewayProxyResult> = {
  logFields: (event) => ({ request_id: event.requestContext.requestId }),
  middlewares: [logRequest(), addSecurityHeaders(), requestIdHeader(), errorResponse()],
};

/**
 * A Lambda handler for a REST route that authenticates and parses in its own way, such as the carrier's callbacks.
 * Errors become `{detail}`, every response has `X-Request-Id`, and every request gets one log line.
 */
export function rawEndpoint(respond: (request: RawRequest) => Promise<RawResponse>): HttpHandler {
  return lambdaHandler(httpStack, async (event) => toResult(await respond(readRequest(event))));
}

/** The presented API key's ID. */
export interface KeyHolder {
  readonly projectId: string;
  readonly apiKeyId: string;
  /** Null for every scope. */
  readonly scopes: readonly Scope[] | null;
}

/** The client and its request. */
export interface Caller extends KeyHolder {
  readonly origin: RequestOrigin;
}

/** A success; the operation defines its status. */
export interface Answer<Body> {
  readonly headers?: Record<string, string>;
  readonly body: Body;
}

export interface ApiEndpoint<Input, One extends Answered> {
  /** Runs before the rest of the request is read. Throws `unauthenticated`. */
  readonly authenticate: (request: RawRequest) => Promise<KeyHolder>;
  /** Checks the rate limit and returns its headers. Throws `too_many_requests`. */
  readonly limitRate: (caller: KeyHolder) => Promise<Record<string, string>>;
  /** Reads path, query and body; throws `invalid_request` and similar. */
  readonly parse: (request: RawRequest) => Input | Promise<Input>;
  readonly perform: (
    caller: Caller,
    input: Input,
    request: RawRequest,
  ) => Promise<Answer<BodyOf<One>> | DryRunAnswer>;
}

/** The response to a dry run, in the operation's schema. */
export interface DryRunAnswer {
  readonly dryRun: unknown;
}

/** A Lambda handler for one operation of `/v1`: authenticate, limit the rate, parse, perform, respond with JSON. */
export function apiEndpoint<Input, One extends Answered & Pick<Operation, 'scope'>>(
  operation: One,
  { authenticate, limitRate, parse, perform }: ApiEndpoint<Input, One>,
): HttpHandler {
  return rawEndpoint(async (request) => {
    const holder = await authenticate(request);
    annotateLog({ project_id: holder.projectId });
    const rate = await limitRate(holder);
    try {
      checkScope(operation, holder);
      checkDryRun(operation, request);
      const caller = { ...holder, origin: originOf(request) };
      const input = await parse(request);
      const answer = await perform(caller, input, request);
      if ('dryRun' in answer) return dryRunOf(operation, answer, rate);
      const { headers, body } = answer;
      return responseOf(operation, { headers: { ...rate, ...headers }, body });
    } catch (error) {
      throw error instanceof ServiceError ? error.withHeaders(rate) : error;
    }
  });
}

/** Throws `insufficient_scope` for a key without the operation's scope. */
function checkScope({ scope }: Pick<Operation, 'scope'>, { scopes }: KeyHolder): void {
  if (scope !== undefined && scopes !== null && !scopes.includes(scope)) {
    throw new ServiceError('insufficient_scope', `API key lacks the scope ${scope}`);
  }
}

/** Refuses to carry out what the client only wants foreseen. */
function checkDryRun({ dryRun }: Answered, { method, query }: RawRequest): void {
  if (dryRun !== undefined || method === 'GET') return;
  if (query.getAll('dry_run').every((value) => /^\s*(false|0)\s*$/i.test(value))) return;
  throw invalidField('dry_run', 'dry_run is only for POST /v1/task');
}

/** Reduces a response body to the operation's schema. A mismatch is an internal fault. */
export function responseOf({ success }: Answered, { headers = {}, body }: Answer<unknown>): RawResponse {
  return success.schema === null
    ? { status: success.status, headers: { ...privateHeaders, ...headers } }
    : jsonResponse(success.status, z.parse(success.schema, body), headers);
}

function dryRunOf({ dryRun }: Answered, answer: DryRunAnswer, headers: Record<string, string>): RawResponse {
  if (dryRun?.schema == null) throw new Error('the operation has no dry run');
  return jsonResponse(200, z.parse(dryRun.schema, answer.dryRun), headers);
}

function readRequest(event: APIGatewayProxyEvent): RawRequest {
  return {
    // HEAD is answered like GET; the gateway drops the body and keeps its length (RFC 9110 §8.6, §9.3.2).
    method: event.httpMethod === 'HEAD' ? 'GET' : event.httpMethod,
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
