/**
 * What a refused or lost request to the carrier means for us:
 * - `bad-number`: the number can never be called; final.
 * - `configuration`: credentials, caller number or our request are wrong; nothing was done, a person must act.
 * - `throttled`: the carrier did not take the request; nothing was done, the same request may be sent later.
 * - `not-found`: no such call or recording, or not yet.
 * - `unknown`: the request may or may not have been carried out.
 */
export type CarrierErrorKind = 'bad-number' | 'configuration' | 'throttled' | 'not-found' | 'unknown';

/**
 * A request to the carrier that did not succeed. Its message holds status and codes only: the carrier's own text may
 * quote the telephone number.
 */
export class CarrierError extends Error {
  readonly kind: CarrierErrorKind;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** The carrier's error code, where the answer had one. */
  readonly code: number | null;
  /** When the carrier wants to be asked again at the earliest; null when it did not say. */
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
 * The carrier's codes for a number that no account can call (twilio.com/docs/api/errors). Every other refusal
 * is about us, so a person can do something about it and the task waits for that: a country that the account may not
 * call (21215), a trial account and a number that it has not verified (21219), a caller number that is not ours (21210,
 * 21212). So is a blocked call (21216): besides numbers that are suspected of fraud, the carrier blocks all calls to
 * North America of an account without a customer profile.
 */
const badNumberCodes: ReadonlySet<number> = new Set([
  13223, // format of a dialed number
  21211, // invalid 'To'
  21214, // 'To' cannot be reached
  21217, // not a valid telephone number
]);

/** Too many requests at a time; such a request "is never processed" (twilio.com/docs/api/errors/20429). */
const tooManyRequestsCode = 20429;

/** The class of an answer that is not a success. */
export function classifyResponse(status: number, code: number | null): CarrierErrorKind {
  if (status === 429 || code === tooManyRequestsCode) return 'throttled';
  if (status === 404) return 'not-found';
  // A time-out reported by the carrier leaves open what happened behind it, as any fault of its own does.
  if (status === 408 || status >= 500) return 'unknown';
  if (code !== null && badNumberCodes.has(code)) return 'bad-number';
  return status >= 400 ? 'configuration' : 'unknown';
}

/** Seconds until the carrier wants to be asked again: the header gives their number, or a date (RFC 9110, 10.2.3). */
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

/** The class of an exception of `fetch`: throttled when the request surely never reached the carrier, else unknown. */
export function classifyFailure(error: unknown): CarrierErrorKind {
  const causes = rootCauses(error);
  return causes.length > 0 && causes.every((code) => neverSentCodes.has(code)) ? 'throttled' : 'unknown';
}

/** `fetch` wraps the network error, and several attempts at several addresses are gathered in one more error. */
function rootCauses(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(rootCauses);
  if (!(error instanceof Error)) return [];
  if (error.cause !== undefined) return rootCauses(error.cause);
  return 'code' in error && typeof error.code === 'string' ? [error.code] : [error.name];
}
