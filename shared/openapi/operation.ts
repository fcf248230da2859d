import type * as z from 'zod/mini';
import type { JsonSchema } from './json-schema.ts';

/** What the document says about one route, beside what the table of routes says. */
export interface Operation {
  /** Becomes the name of a function in generated clients, such as `createPatient`. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly description?: string;
  /** Parameters of the path that are no UUID, by name; all others are. */
  readonly pathParameters?: Readonly<Record<string, { description: string; schema: JsonSchema }>>;
  readonly query?: readonly QueryParameter[];
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  readonly body?: RequestBody;
  readonly success: Success;
  /** The statuses that an operation of its kind does not have anyway, each with what `detail` says. */
  readonly errors: Partial<Record<ErrorStatus, readonly string[]>>;
}

export type Tag =
  | 'Patients'
  | 'Tasks'
  | 'Recordings'
  | 'Projects'
  | 'Members'
  | 'API keys'
  | 'Webhooks'
  | 'Audit log'
  | 'Interface';

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500;

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
}

export type ResponseHeader = 'Link' | 'Location' | 'ETag';
