import * as z from 'zod/mini';
import type { CarrierProgress } from '#shared/domain/call.ts';
import { CallStatus } from './call-status.ts';
import { CarrierError, classifyResponse, readRetryAfter } from './carrier-error.ts';

/** A call of the carrier's REST API in this service's terms. */
export interface CarrierCall {
  readonly sid: string;
  readonly progress: CarrierProgress;
  /** When the carrier accepted the call; null if it does not say. */
  readonly createdAtMs: number | null;
  /** From answer to hang-up; null while unknown. */
  readonly talkSeconds: number | null;
  /**
   * The carrier's estimate of how long the call waits before it is dialed; null if it does
   * not say.
   */
  readonly queueMs: number | null;
}

export interface CarrierRecording {
  readonly sid: string;
  readonly status: 'in-progress' | 'completed' | 'absent';
  /** Null while unknown. */
  readonly durationSeconds: number | null;
}

// Every member but the status may be null in the carrier’s own OpenAPI file, and members may be added at any time.
export const CallResponse = z.object({
  sid: z.string(),
  status: CallStatus,
  date_created: z.optional(z.nullable(z.string())),
  start_time: z.optional(z.nullable(z.string())),
  duration: z.optional(z.nullable(z.string())),
  queue_time: z.optional(z.nullable(z.string())),
});

export const CallListResponse = z.object({
  calls: z.array(CallResponse),
  next_page_uri: z.optional(z.nullable(z.string())),
});

const RecordingResponse = z.object({
  sid: z.string(),
  status: z.string(),
  duration: z.optional(z.nullable(z.string())),
});

export const RecordingListResponse = z.object({
  recordings: z.array(RecordingResponse),
  next_page_uri: z.optional(z.nullable(z.string())),
});

const OwnNumber = z.object({
  phone_number: z.nullable(z.string()),
  capabilities: z.optional(z.nullable(z.object({ voice: z.optional(z.nullable(z.boolean())) }))),
});
export const NumberListResponse = z.object({
  incoming_phone_numbers: z.optional(z.array(OwnNumber)),
  outgoing_caller_ids: z.optional(z.array(OwnNumber)),
  next_page_uri: z.optional(z.nullable(z.string())),
});

const ErrorResponse = z.object({ code: z.optional(z.nullable(z.int())) });

/** Parses a successful response. Throws a `CarrierError` of kind `unknown` when the body does not fit the schema. */
export function accept<Answer>(operation: string, schema: z.ZodMiniType<Answer>, body: unknown): Answer {
  const result = z.safeParse(schema, body);
  // The request succeeded, but its result is unreadable.
  if (!result.success) throw new CarrierError('unknown', operation);
  return result.data;
}

/** The error for an unsuccessful response. */
export function refusal(operation: string, { status, headers }: Response, body: unknown): CarrierError {
  const response = ErrorResponse.safeParse(body);
  const code = response.success ? (response.data.code ?? null) : null;
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), new Date());
  return new CarrierError(classifyResponse(status, code), operation, { status, code, retryAfterSeconds });
}

export function toCall(response: z.infer<typeof CallResponse>): CarrierCall {
  return {
    sid: response.sid,
    progress: response.status,
    createdAtMs: toTimeMs(response.date_created) ?? toTimeMs(response.start_time),
    talkSeconds: toWholeNumber(response.duration),
    queueMs: toWholeNumber(response.queue_time),
  };
}

export function toRecording({ sid, status, duration }: z.infer<typeof RecordingResponse>): CarrierRecording {
  return { sid, status: toRecordingStatus(status), durationSeconds: toWholeNumber(duration) };
}

function toRecordingStatus(status: string): CarrierRecording['status'] {
  if (status === 'completed') return 'completed';
  return status === 'absent' || status === 'deleted' ? 'absent' : 'in-progress';
}

/** The carrier's dates are RFC 2822 text. */
function toTimeMs(text: string | null | undefined): number | null {
  const timeMs = Date.parse(text ?? '');
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** The carrier writes durations as decimal text: of calls in seconds, of its queue in milliseconds. */
function toWholeNumber(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

/** Throws a `CarrierError` when the next page is on another host. */
export function nextPageUrl(operation: string, baseUrl: string, uri: string): string {
  const url = uri.startsWith('/2010-04-01/') ? new URL(`${baseUrl}${uri}`) : new URL(uri, baseUrl);
  // Only the carrier gets our credentials.
  if (url.origin !== new URL(baseUrl).origin) throw new CarrierError('unknown', operation);
  return url.href;
}

/** A compressed response announces its compressed length. */
export function plainContentLength(response: Response): number | null {
  const text = response.headers.get('content-length');
  if (text === null || !/^\d+$/.test(text)) return null;
  return (response.headers.get('content-encoding') ?? 'identity') === 'identity' ? Number(text) : null;
}
