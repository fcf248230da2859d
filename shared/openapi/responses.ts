import { errorCodes } from '#shared/domain/errors.ts';
import { noProject } from '#shared/operations/admin/errors.ts';
import type { ErrorStatus, Operation, ResponseHeader } from '#shared/operations/operation.ts';
import {
  bodyErrors,
  cursorError,
  keyError,
  limitError,
  otherProjectsKey,
} from '#shared/operations/parameters.ts';
import { componentPath, type JsonSchema } from './json-schema.ts';

type AnyHeader =
  | ResponseHeader
  | 'X-Request-Id'
  | 'X-Error-Code'
  | 'X-Error-Fields'
  | 'WWW-Authenticate'
  | 'Retry-After'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Idempotent-Replayed';

/** The document's headers by name, which responses refer to. */
export const headerComponents: Readonly<
  Record<AnyHeader, { description: string; required?: boolean; schema: JsonSchema }>
> = {
  'X-Request-Id': {
    description: 'Identifies the request in the logs.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Error-Code': {
    description: 'Machine-readable error code; `detail` is for people.',
    required: true,
    schema: { type: 'string', enum: errorCodes },
  },
  'X-Error-Fields': {
    description:
      'Missing or invalid members of the body, or the parameter: comma-separated paths such as ' +
      '`insurance.medical[0].phone_number`.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  RateLimit: {
    description:
      'The remaining rate of the project: `"project";r=` requests and `t=` seconds until it resets.',
    schema: { type: 'string', examples: ['"project";r=487;t=4'] },
  },
  'RateLimit-Policy': {
    description: 'The rate of the project: `"project";q=` requests in each window of `w=` seconds.',
    schema: { type: 'string', examples: ['"project";q=500;w=10'] },
  },
  'Idempotent-Replayed': {
    description: '`true` for the response to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  Link: {
    description: 'URL of the next page with `rel="next"` (RFC 8288); absent on the last page.',
    schema: { type: 'string' },
  },
  Location: { description: 'The address to redirect to.', schema: { type: 'string', format: 'uri' } },
  ETag: { description: 'Tag of this version, for `If-None-Match`.', schema: { type: 'string' } },
};

export function toHeaders(names: readonly AnyHeader[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of a success besides `X-Request-Id`, which every response has. */
export function successHeaders({ success, idempotent, authentication }: Operation): AnyHeader[] {
  return [
    ...(success.headers ?? []),
    ...(idempotent === true ? (['Idempotent-Replayed'] as const) : []),
    ...(authentication === 'api-key' ? (['RateLimit'] as const) : []),
  ];
}

interface ErrorComponent {
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly AnyHeader[];
  readonly example: string;
}

/** One response per status, which operations refer to. */
const errorComponents: Readonly<Record<ErrorStatus, ErrorComponent>> = {
  400: {
    name: 'BadRequest',
    description: 'Part of the request is missing or invalid; `X-Error-Fields` says which.',
    headers: ['X-Error-Fields'],
    example: 'Missing required fields',
  },
  401: {
    name: 'Unauthorized',
    description: 'Missing or invalid credentials.',
    headers: ['WWW-Authenticate'],
    example: 'Invalid API key',
  },
  403: {
    name: 'Forbidden',
    description: 'Not allowed for this API key or person.',
    example: 'API key does not grant access to this project',
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist or belongs to another project.',
    example: 'Task not found',
  },
  409: {
    name: 'Conflict',
    description:
      'It conflicts with the current state, or another request with this `Idempotency-Key` is in progress; ' +
      '`X-Error-Code` says which.',
    example: 'Task is already COMPLETED and cannot be cancelled',
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 256 KB or than can be stored.',
    example: 'Request body must not be larger than 256 KB',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body uses a compression other than `gzip` or `deflate`.',
    example: 'Unsupported media type',
  },
  422: {
    name: 'IdempotencyKeyReused',
    description: 'The `Idempotency-Key` was used with a different request; use a new one.',
    example: 'Idempotency-Key was used with another request; use a new key',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests; wait for `Retry-After` seconds.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    example: 'Too many requests',
  },
  500: { name: 'ServerError', description: 'An internal error.', example: 'Internal server error' },
};

/** What operations of the management API share. */
const otherError: ErrorComponent = {
  name: 'OtherError',
  description:
    'A malformed path or `X-Access-Reason` (400), missing or invalid credentials (401, with ' +
    '`WWW-Authenticate`), a body that is too large (413) or in an unknown compression (415), too many ' +
    'requests (429, with `Retry-After`), or an internal error (500).',
  headers: ['WWW-Authenticate', 'Retry-After'],
  example: 'Internal server error',
};

/** The responses of the document by name. */
export function responseComponents(): Record<string, unknown> {
  return Object.fromEntries(
    [...Object.values(errorComponents), otherError].map(({ name, description, headers = [], example }) => [
      name,
      {
        description,
        headers: toHeaders(['X-Request-Id', 'X-Error-Code', ...headers]),
        content: {
          'application/json': { schema: { $ref: `${componentPath}Error` }, example: { detail: example } },
        },
      },
    ]),
  );
}

/** An operation's errors, with those that every operation of its kind has, by status. */
export function errorResponses(operation: Operation): Record<string, unknown> {
  const all = errorStatuses.filter((status) => errorsOf(operation)[status] !== undefined);
  const ownOnes = all.filter((status) => status !== 401);
  // `default` covers 401 too, but each operation has to list some refusal.
  const statuses = operation.authentication === 'oidc' && ownOnes.length > 0 ? ownOnes : all;
  const toResponse = ({ name }: ErrorComponent): object => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(statuses.map((status) => [String(status), toResponse(errorComponents[status])])),
    ...(operation.authentication === 'oidc' ? { default: toResponse(otherError) } : {}),
  };
}

/** The `detail` texts by status: of the operation's own errors, and of its kind's. */
export function errorsOf(operation: Operation): Partial<Record<ErrorStatus, string[]>> {
  const { authentication, body, idempotent } = operation;
  // For the management API's operations, `default` describes the shared ones.
  const isListed = authentication !== 'oidc';
  const usual: readonly [ErrorStatus, boolean][] = [
    [401, authentication !== 'none'],
    [409, idempotent === true],
    [413, body !== undefined && (isListed || operation.errors[413] !== undefined)],
    [415, isListed && body !== undefined],
    [422, idempotent === true],
    [429, isListed],
    [500, isListed],
  ];
  const all = errorStatuses.map((status): [ErrorStatus, string[]] => {
    const isUsual = usual.some(([one, holds]) => one === status && holds);
    return [
      status,
      [...(operation.errors[status] ?? []), ...(isUsual ? [usualDetail(status, operation)] : [])],
    ];
  });
  return Object.fromEntries(all.filter(([, details]) => details.length > 0));
}

function usualDetail(status: ErrorStatus, { authentication }: Operation): string {
  if (status === 401 && authentication === 'oidc') return 'Invalid token';
  if (status === 409) return 'Another request with this Idempotency-Key is in progress; try again';
  return errorComponents[status].example;
}

const errorStatuses = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500] as const satisfies ErrorStatus[];

/** Who may do it, and the `detail` of the operation's own errors: sentences for its description. */
export function errorDetails({ errors, authentication }: Operation): string | null {
  const isUsual = (detail: string): boolean =>
    usualDetails.includes(detail) ||
    isOfEnum(detail) ||
    whoOnly(detail) !== null ||
    (authentication === 'oidc' && / (not found|format)$/.test(detail));
  const told = errorStatuses.flatMap((status) => {
    const details = (errors[status] ?? []).filter((detail) => !isUsual(detail));
    return details.length === 0 ? [] : [`${status} ${details.map((detail) => `\`${detail}\``).join(', ')}`];
  });
  const sentences = [
    ...(errors[403] ?? []).flatMap((detail) => whoOnly(detail) ?? []),
    ...(told.length === 0 ? [] : [`Errors: ${told.join('; ')}.`]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** The roles that allow it, from the refusal of all others. */
function whoOnly(detail: string): string | null {
  const [, who] = /^(Only .+) of the project may do this$/.exec(detail) ?? [];
  return who === undefined ? null : `${who}.`;
}

/** The parameter lists the same values. */
function isOfEnum(detail: string): boolean {
  return / must be one of /.test(detail);
}

/** `detail` wherever the case exists. */
const usualDetails: readonly string[] = [
  ...bodyErrors,
  keyError,
  limitError,
  cursorError,
  otherProjectsKey,
  'phone_number must match ^\\+[1-9]\\d{1,14}$',
  noProject,
];
