import type * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import type { AdminCaller, Person } from '#shared/domain/person.ts';
import {
  type ApiAnswer,
  answerOf,
  type HttpHandler,
  type RawRequest,
  type RawResponse,
  rawEndpoint,
} from './http.ts';

export interface AdminEndpoint<Input, ResponseSchema extends z.ZodMiniType> {
  /** Reads path, query and body; throws `invalid_request` and its like. */
  readonly parse: (request: RawRequest) => Input | Promise<Input>;
  readonly perform: (
    caller: AdminCaller,
    input: Input,
    request: RawRequest,
  ) => Promise<ApiAnswer<z.output<ResponseSchema>>>;
  /** What may leave: the answer is cut to this schema, and one that does not fit it is our fault. */
  readonly response: ResponseSchema;
}

/** An operation whose kinds of input and answer only it knows. */
export type AdminOperation = (caller: AdminCaller, request: RawRequest) => Promise<RawResponse>;

/** One operation of the management API. */
export function adminEndpoint<Input, ResponseSchema extends z.ZodMiniType>({
  parse,
  perform,
  response,
}: AdminEndpoint<Input, ResponseSchema>): AdminOperation {
  return async (caller, request) => answerOf(response, await perform(caller, await parse(request), request));
}

/**
 * A Lambda handler for a group of routes of the management API. Whoever asks has to be signed in before anything of the
 * request is looked at; what a method of one of the paths does is looked up by `GET /admin/me` and its like.
 */
export function adminFunction({
  authenticate,
  operations,
}: {
  readonly authenticate: (request: RawRequest) => Promise<Person>;
  readonly operations: Readonly<Record<string, AdminOperation>>;
}): HttpHandler {
  return rawEndpoint(async (request) => {
    const person = await authenticate(request);
    const operation = operations[`${request.method} ${request.resource}`];
    if (operation === undefined) throw methodNotAllowed(Object.keys(operations), request.resource);
    return operation({ person, requestId: request.sourceEvent.requestContext.requestId }, request);
  });
}

function methodNotAllowed(operations: readonly string[], resource: string): ServiceError {
  const methods = operations.flatMap((operation) => {
    const [method = '', path] = operation.split(' ');
    return path === resource ? [method] : [];
  });
  return new ServiceError('method_not_allowed', 'Method not allowed', { Allow: methods.join(', ') });
}
