import type * as z from 'zod/mini';
import type {
  ErrorStatus,
  Operation,
  Operations,
  ResponseHeader,
  Success,
  Tag,
} from '#shared/operations/operation.ts';
import { componentNotes, components, ErrorBody } from './components.ts';
import { componentPath, type JsonSchema, toJsonSchemas } from './json-schema.ts';

import type { OpenApiDocument } from './with-server.ts';

/** Stands for the address, which only the running service knows. */
const placeholder = 'https://api.example.com';

/**
 * The document of the API: OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html), made of the operations and of the
 * schemas by which they validate and answer.
 */
export function openApiDocument(operations: Operations): OpenApiDocument {
  const used = Object.values(operations);
  const names = namesOf(operations);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, operation] of Object.entries(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operationId, operation, names),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Voice agent tasks',
      version: '1.0.0',
      description:
        'Telephone calls for patients: register a patient, create a task, and read what became of it, or be told by a webhook. Errors are `{"detail": "…"}`; every answer has an `X-Request-Id`.',
    },
    servers: [{ url: placeholder }],
    tags: tags.filter(({ name }) => used.some(({ tag }) => tag === name)),
    paths,
    components: {
      schemas: componentSchemas(names, used),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the project.' },
        signIn: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token that the OpenID Connect provider gave to a person who signed in.',
        },
      },
    },
  };
}

const tags: readonly { readonly name: Tag; readonly description: string }[] = [
  { name: 'Patients', description: 'For whom calls are made.' },
  { name: 'Tasks', description: 'What the calls are to achieve, and what came of them.' },
  { name: 'Recordings', description: 'What was heard on the line.' },
  { name: 'Erasures', description: 'What was erased, and how far that has come.' },
  { name: 'Opt-outs', description: 'Numbers that asked not to be called again.' },
  { name: 'Projects', description: 'What clients belong to, and how calls of theirs are made.' },
  { name: 'Members', description: 'Who may enter a project: owners change it, viewers read it.' },
  { name: 'API keys', description: 'What clients say who they are with.' },
  {
    name: 'Webhooks',
    description: 'Where clients are told of completed calls and tasks, and what came of telling them.',
  },
  { name: 'Audit log', description: 'What was done in a project, and who looked at health information.' },
  { name: 'Interface', description: 'This description.' },
];

/** Every schema of the document by its name: one of its own, or one made from the operation that it belongs to. */
type Names = ReadonlyMap<string, z.core.$ZodType>;

function namesOf(operations: Operations): Names {
  const names = new Map<string, z.core.$ZodType>(components);
  const named = new Set(names.values());
  const add = (name: string, schema: z.core.$ZodType): void => {
    if (named.has(schema)) return;
    named.add(schema);
    names.set(name, schema);
  };
  for (const [operationId, { body, success }] of Object.entries(operations)) {
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    if (body !== undefined) add(`${name}Request`, body.schema);
    if (hasJson(success)) add(`${name}Answer`, success.schema);
  }
  return names;
}

function hasJson(success: Success): success is Success & { schema: z.core.$ZodType } {
  return success.schema !== null && success.mediaType === undefined;
}

function nameOf(names: Names, schema: z.core.$ZodType): string {
  for (const [name, candidate] of names) {
    if (candidate === schema) return name;
  }
  throw new Error('a schema of the document has no name');
}

function reference(names: Names, schema: z.core.$ZodType): JsonSchema {
  return { $ref: `${componentPath}${nameOf(names, schema)}` };
}

/**
 * What is both sent to us and answered, such as an address, is described as it must be sent: what is answered was sent
 * before.
 */
function componentSchemas(names: Names, operations: readonly Operation[]): Record<string, JsonSchema> {
  const sent = operations.flatMap(({ body }) => (body === undefined ? [] : [nameOf(names, body.schema)]));
  const answered = operations.flatMap(({ success }) =>
    hasJson(success) ? [nameOf(names, success.schema)] : [],
  );
  const schemas = {
    ...reachable(toJsonSchemas(names, 'answer'), [...answered, nameOf(names, ErrorBody)]),
    ...reachable(toJsonSchemas(names, 'request'), sent),
  };
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, schema]): [string, JsonSchema] => [name, { ...componentNotes[name], ...schema }])
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}

/** The schemas of these names and all that they refer to. */
function reachable(
  schemas: Readonly<Record<string, JsonSchema>>,
  names: readonly string[],
): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const schema = schemas[name];
    if (schema === undefined || name in found) continue;
    found[name] = schema;
    for (const [, other = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      pending.push(other);
    }
  }
  return found;
}

function describe(operationId: string, operation: Operation, names: Names): Record<string, unknown> {
  const { tag, summary, description, body } = operation;
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...keyParameter(operation),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required ?? true,
            content: {
              'application/json': {
                schema: reference(names, body.schema),
                examples: toExamples(body.examples),
              },
            },
          },
        }),
    responses: responses(operation, names),
  };
}

function security({ authentication }: Operation): object[] {
  switch (authentication) {
    case 'api-key':
      return [{ apiKey: [] }];
    case 'oidc':
      return [{ signIn: [] }];
    case 'none':
      return [];
  }
}

function pathParameters({ path, pathParameters: own = {} }: Operation): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(own[name] ?? {
      description: `Identifier of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`,
      schema: { type: 'string', format: 'uuid' },
    }),
  }));
}

function queryParameters({ query = [] }: Operation): object[] {
  return query.map((parameter) => ({ ...parameter, in: 'query', required: false }));
}

function keyParameter({ idempotent = false }: Operation): object[] {
  if (!idempotent) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The same request sent again with the same key within 24 hours gets the first answer, with `Idempotent-Replayed: true`, and nothing is done twice.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    },
  ];
}

function responses(operation: Operation, names: Names): Record<string, unknown> {
  const { success } = operation;
  const errors = Object.entries(errorsOf(operation)).map(([status, details]) => [
    status,
    errorResponse(Number(status), details, operation, names),
  ]);
  const headerNames: AnyHeader[] = [
    'X-Request-Id',
    ...(success.headers ?? []),
    ...(operation.idempotent === true ? (['Idempotent-Replayed'] as const) : []),
  ];
  return {
    [success.status]: {
      description: success.description,
      headers: toHeaders(headerNames),
      ...(success.schema === null ? {} : { content: successContent(success, success.schema, names) }),
    },
    ...Object.fromEntries(errors),
  };
}

function successContent(success: Success, schema: z.core.$ZodType, names: Names): object {
  if (success.mediaType !== undefined) return { [success.mediaType]: { schema: { type: 'string' } } };
  return {
    'application/json': {
      schema: reference(names, schema),
      ...(success.example === undefined ? {} : { example: success.example }),
    },
  };
}

/** The errors of an operation and those that every operation of its kind has, by status. */
function errorsOf(operation: Operation): Record<string, string[]> {
  const usual: [ErrorStatus, string][] = [
    [429, 'Too many requests'],
    [500, 'Internal server error'],
  ];
  const { authentication } = operation;
  if (authentication === 'api-key') usual.push([401, 'Invalid API key']);
  if (authentication === 'oidc') usual.push([401, 'Invalid token']);
  if (operation.body !== undefined) usual.push([413, 'Request body must not be larger than 256 KB']);
  if (operation.idempotent === true) {
    usual.push([409, 'Another request with this Idempotency-Key is being carried out; try again']);
    usual.push([422, 'Idempotency-Key was used with another request; use a new key']);
  }
  const errors: Record<string, string[]> = {};
  for (const [status, details] of Object.entries(operation.errors)) errors[status] = [...details];
  for (const [status, detail] of usual) errors[status] = [...(errors[status] ?? []), detail];
  return errors;
}

function errorResponse(
  status: number,
  details: readonly string[],
  operation: Operation,
  names: Names,
): Record<string, unknown> {
  const headerNames: AnyHeader[] = ['X-Request-Id'];
  if (status === 400 && operation.body !== undefined) headerNames.push('X-Error-Fields');
  if (status === 401) headerNames.push('WWW-Authenticate');
  if (status === 429) headerNames.push('Retry-After');
  return {
    description: errorDescriptions[status] ?? 'Refused.',
    headers: toHeaders(headerNames),
    content: {
      'application/json': {
        schema: reference(names, ErrorBody),
        examples: toExamples(Object.fromEntries(details.map((detail) => [detail, { detail }]))),
      },
    },
  };
}

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'Something in the request is missing or wrong.',
  401: 'Who asks is not known.',
  403: 'Who asks may not do this.',
  404: 'There is no such thing, or it belongs to somebody else.',
  405: 'The path does not have this method.',
  409: 'It cannot be done as things stand now.',
  413: 'The body is too large.',
  422: 'The idempotency key belongs to another request.',
  429: 'Too many requests at once; `Retry-After` says how many seconds to wait.',
  500: 'A fault of ours.',
};

/** Examples are named in the document by keys of letters and digits, and shown by their summaries. */
function toExamples(examples: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value], index) => [`example${index + 1}`, { summary, value }]),
  );
}

type AnyHeader =
  | ResponseHeader
  | 'X-Request-Id'
  | 'X-Error-Fields'
  | 'WWW-Authenticate'
  | 'Retry-After'
  | 'Idempotent-Replayed';

const headers: Readonly<Record<AnyHeader, { description: string; schema: JsonSchema }>> = {
  'X-Request-Id': { description: 'Names the request in our logs.', schema: { type: 'string' } },
  'X-Error-Fields': {
    description: 'With `Missing required fields`: which ones, separated by commas.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'How to say who asks.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  'Idempotent-Replayed': {
    description: '`true` when the answer is that to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  Link: {
    description: 'The address of the next page with `rel="next"` (RFC 8288); absent on the last page.',
    schema: { type: 'string' },
  },
  Location: { description: 'The address to go on to.', schema: { type: 'string', format: 'uri' } },
  ETag: { description: 'Of this version, for `If-None-Match`.', schema: { type: 'string' } },
};

function toHeaders(names: readonly AnyHeader[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}
