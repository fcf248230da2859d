import type * as z from 'zod/mini';
import type { Scope } from '#shared/domain/api-key.ts';
import type { JsonSchema } from '#shared/openapi/json-schema.ts';

/** An endpoint: its address, whom it lets in and what it is for. */
export interface Route {
  readonly method: Method;
  /** Resource path as API Gateway and OpenAPI write it, with `{name}` for a path parameter. */
  readonly path: string;
  /**
   * `api-key`: a client's bearer key. `oidc`: a person's OpenID Connect token. `carrier-signature`: the
   * carrier signed it. `session`: the session cookie of a signed-in person. `basic`: account SID and auth
   * token. `none`: anyone.
   */
  readonly authentication: 'api-key' | 'oidc' | 'session' | 'carrier-signature' | 'basic' | 'none';
  /** One sentence. */
  readonly summary: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An endpoint that clients and people call, with all that the OpenAPI document says about it. */
export interface Operation extends Route {
  readonly authentication: 'api-key' | 'oidc' | 'none';
  readonly tag: Tag;
  /** What a client's key must be allowed, unless it may do everything. */
  readonly scope?: Scope;
  readonly description?: string;
  /** Parameters of the path that are no UUID, by name; all others are. */
  readonly pathParameters?: Readonly<Record<string, { description: string; schema: JsonSchema }>>;
  readonly query?: readonly QueryParameter[];
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  readonly body?: RequestBody;
  readonly success: Success;
  /** The 200 answer to `dry_run=true`, which says what would happen and does nothing. */
  readonly dryRun?: Omit<Success, 'status'>;
  /** The statuses that an operation of its kind does not have anyway, each with what `detail` says. */
  readonly errors: Partial<Record<ErrorStatus, readonly string[]>>;
}

/** Operations by the name that each has in generated clients, such as `createPatient`. */
export type Operations = Readonly<Record<string, Operation>>;

/** An operation as far as its answer goes. */
export type Answered = Pick<Operation, 'success' | 'dryRun'>;

/** What an operation answers when it succeeds: the body that its schema describes, or none. */
export type BodyOf<One extends Answered> = One['success']['schema'] extends z.ZodMiniType
  ? z.output<One['success']['schema']>
  : null;

export type Tag =
  | 'Patients'
  | 'Tasks'
  | 'Recordings'
  | 'Erasures'
  | 'Opt-outs'
  | 'Destinations'
  | 'Projects'
  | 'Members'
  | 'API keys'
  | 'Webhooks'
  | 'Audit log'
  | 'Events'
  | 'Interface';

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500;

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface RequestBody {
  /** The schema that the body is validated with. */
  readonly schema: z.ZodMiniType;
  /** Invented bodies by what they show; the first one is what a reader sees first. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** False when an empty body will do. */
  readonly required?: boolean;
}

export interface Success {
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly description: string;
  /** The schema that the answer is cut to; null for an answer without a body. */
  readonly schema: z.ZodMiniType | null;
  /** Of an answer that is not JSON. */
  readonly mediaType?: string;
  readonly headers?: readonly ResponseHeader[];
  readonly example?: unknown;
  /** Operations that go on from the answer, by what they do. */
  readonly links?: Readonly<Record<string, OperationLink>>;
}

/** How the answer fills in a parameter of another operation, as runtime expressions of OpenAPI. */
export interface OperationLink {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export type ResponseHeader = 'Link' | 'Location' | 'ETag';
