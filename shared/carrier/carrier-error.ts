/**
 * What a refused or lost request to the carrier means:
 * - `bad-number`: the number can never be called; final.
 * - `configuration`: credentials, caller number or our request are wrong; nothing was done, a person must act.
 * - `throttled`: the carrier did not accept the request; nothing was done, the same request may be sent later.
 * - `not-found`: no such call or recording, or not yet.
 * - `unknown`: the request may or may not have been carried out.
 */
export type CarrierErrorKind = 'bad-number' | 'configuration' | 'throttled' | 'not-found' | 'unknown';

/**
 * A failed request to the carrier. Its message holds only status and codes: the carrier's own text may quote the phone
 * number.
 */
export class CarrierError extends Error {
  readonly kind: CarrierErrorKind;
  /** HTTP status, or null without a response. */
  readonly status: number | null;
  /** The carrier's error code, if the response had one. */
  readonly code: number | null;
  /** The earliest time that the carrier allows a retry; null if it did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(
    kind: CarrierErrorKind,
    operation: string,
    {
      status = null,
      code = null,
      retryAfterSeconds = null,
      cause,
    }: {
      status?: number | null;
      code?: number | null;
      retryAfterSeconds?: number | null;
      cause?: unknown;
    } = {},
  ) {
    super(`${operation}: ${kind} (status ${status ?? 'none'}, code ${code ?? 'none'})`, { cause });
    this.name = 'CarrierError';
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The carrier's codes for a number that no account can call (twilio.com/docs/api/errors). Every other refusal concerns
 * our account, so the task waits for a person to fix it: a country that the account may not call (21215), a trial
 * account and an unverified number (21219), a caller number that is not ours (21210, 21212). So does a blocked call
 * (21216): besides suspected fraud, the carrier blocks all calls to North America of an account without a customer
 * profile.
 */
const badNumberCodes: ReadonlySet<number> = new Set([
  13223, // format of a dialed number
  21211, // invalid 'To'
  21214, // 'To' cannot be reached
  21217, // not a valid telephone number
]);

/** The carrier's codes for what it takes again later (twilio.com/docs/api/errors). */
const throttlingCodes: ReadonlySet<number> = new Set([
  10004, // the account's limit of concurrent calls
  20429, // too many requests at a time; such a request "is never processed"
]);

/** The kind of an unsuccessful response. */
export function classifyResponse(status: number, code: number | null): CarrierErrorKind {
  if (status === 429 || (code !== null && throttlingCodes.has(code))) return 'throttled';
  if (status === 404) return 'not-found';
  // A timeout reported by the carrier leaves open what happened behind it, as does any fault of its own.
  if (status === 408 || status >= 500) return 'unknown';
  if (code !== null && badNumberCodes.has(code)) return 'bad-number';
  return status >= 400 ? 'configuration' : 'unknown';
}

/** Seconds until the carrier allows a retry: the header has their number, or a date (RFC 9110, 10.2.3). */
export function readRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - now.getTime()) / 1000));
}

/** The request never left: no name, no route, or connection refused. */
const neverSentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The kind of an exception of `fetch`: throttled if the request surely never reached the carrier, else unknown. */
export function classifyFailure(error: unknown): CarrierErrorKind {
  const causes = rootCauses(error);
  return causes.length > 0 && causes.every((code) => neverSentCodes.has(code)) ? 'throttled' : 'unknown';
}

/** `fetch` wraps the network error, and aggregates attempts at several addresses in one more error. */
function rootCauses(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(rootCauses);
  if (!(error instanceof Error)) return [];
  if (error.cause !== undefined) return rootCauses(error.cause);
  return 'code' in error && typeof error.code === 'string' ? [error.code] : [error.name];
}
