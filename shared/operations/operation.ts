import type * as z from 'zod/mini';
import type { Scope } from '#shared/domain/api-key.ts';
import type { JsonSchema } from '#shared/openapi/json-schema.ts';

/** An endpoint: its address, authentication and purpose. */
export interface Route {
  readonly method: Method;
  /** Resource path in the notation of API Gateway and OpenAPI, with `{name}` for a path parameter. */
  readonly path: string;
  /**
   * `api-key`: a client's bearer key. `oidc`: a person's OpenID Connect token. `carrier-signature`: signed by the
   * carrier. `session`: the session cookie of a signed-in person. `basic`: account SID and auth token. `none`: anyone.
   */
  readonly authentication: 'api-key' | 'oidc' | 'session' | 'carrier-signature' | 'basic' | 'none';
  /** One sentence. */
  readonly summary: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An endpoint for clients and people, with everything the OpenAPI document says about it. */
export interface Operation extends Route {
  readonly authentication: 'api-key' | 'oidc' | 'none';
  readonly tag: Tag;
  /** The scope that a limited client key needs. */
  readonly scope?: Scope;
  readonly description?: string;
  /** Path parameters that are not UUIDs, by name. */
  readonly pathParameters?: Readonly<Record<string, { description: string; schema: JsonSchema }>>;
  readonly query?: readonly QueryParameter[];
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  readonly body?: RequestBody;
  readonly success: Success;
  /** The 200 response to `dry_run=true`, which says what would happen and does nothing. */
  readonly dryRun?: Omit<Success, 'status'>;
  /** Errors besides those of every operation of its kind, each with its `detail`. */
  readonly errors: Partial<Record<ErrorStatus, readonly string[]>>;
}

/** Operations by their name in generated clients, such as `createPatient`. */
export type Operations = Readonly<Record<string, Operation>>;

/** The response-related part of an operation. */
export type Answered = Pick<Operation, 'success' | 'dryRun'>;

/** The success response of an operation: the body that its schema describes, or none. */
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
  /** The schema that validates the body. */
  readonly schema: z.ZodMiniType;
  /** Invented bodies by title; readers see the first one first. */
  readonly examples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** False when the body may be empty. */
  readonly required?: boolean;
}

export interface Success {
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly description: string;
  /** The schema that the response is reduced to; null without a body. */
  readonly schema: z.ZodMiniType | null;
  /** Of a response that is not JSON. */
  readonly mediaType?: string;
  readonly headers?: readonly ResponseHeader[];
  readonly example?: unknown;
  /** Follow-up operations, by what they do. */
  readonly links?: Readonly<Record<string, OperationLink>>;
}

/** How the response fills in a parameter of another operation, as OpenAPI runtime expressions. */
export interface OperationLink {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export type ResponseHeader = 'Link' | 'Location' | 'ETag';
