import * as z from 'zod/mini';

/*
 * Every environment variable that the stack gives to functions. A manifest names those that its function reads; the
 * stack must have a value for each. Empty text means absent in this deployment.
 */

export const TABLE_NAME = z.string();
export const CALL_QUEUE_URL = z.string();
/** Comma-separated names of functions to start while it rings. */
export const WARMED_FUNCTIONS = z.string();
export const RECORDING_QUEUE_URL = z.string();
export const WATCH_QUEUE_URL = z.string();
export const DELIVERY_QUEUE_URL = z.string();
export const ERASURE_QUEUE_URL = z.string();
export const RECORDINGS_BUCKET = z.string();
/** Bucket of the audit log's copies. */
export const AUDIT_BUCKET = z.string();
/** ARN of the key that seals the signing secrets of webhooks. */
export const SECRETS_KEY_ID = z.string();
/** ARN of the secret that session cookies are sealed with. */
export const SESSION_SECRET_ID = z.string();

/** Base URL of the REST API, without trailing slash. */
export const PUBLIC_BASE_URL = z.string();
/** WebSocket address that the carrier connects to. */
export const RELAY_URL = z.string();
/** HTTPS address of its open connections' management. */
export const RELAY_MANAGEMENT_URL = z.string();
/** Each project's request limit; 0 for none. */
export const PROJECT_REQUESTS_PER_SECOND = z.string();
/** Sender of email; empty when none is sent. */
export const MAIL_FROM = z.string();
/** `allowed` if webhooks may go to this machine. */
export const WEBHOOK_LOOPBACK = z.string();
export const OIDC_ISSUER = z.string();
export const OIDC_CLIENT_ID = z.string();

/** Who may grant live calls by the management API. */
export const OPERATOR_EMAILS = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .toLowerCase()
      .split(',')
      .filter((email) => email !== ''),
  ),
);

export const SANDBOX_CARRIER_SECRET_ID = z.string();
export const SANDBOX_CARRIER_BASE_URL = z.string();
export const LIVE_CARRIER_SECRET_ID = z.string();
export const LIVE_CARRIER_CALLS_PER_SECOND = numeric();
export const LIVE_CARRIER_MAX_CALLS = numeric();
/** How often all live projects together may call a number per day, and how far apart. */
export const NUMBER_CALLS_PER_DAY = numeric();
export const NUMBER_GAP_MINUTES = numeric();
/** The same for toll-free numbers. */
export const SHARED_LINE_CALLS_PER_DAY = numeric();
export const SHARED_LINE_GAP_MINUTES = numeric();
/** Scope of an opt-out: `operator`, all live projects; `project`, the one it was made to. */
export const OPT_OUT_SCOPE = z.enum(['operator', 'project']);

/** Seconds of silence before the agent speaks up. */
export const SILENCE_SECONDS = numeric();
/** Seconds without a frame after which one is sent, to keep a relay's socket open. */
export const RELAY_KEEP_ALIVE_SECONDS = numeric();
export const DIALOGUE_MODEL = z.string();
export const BEDROCK_MODEL_ID = z.string();
export const BEDROCK_STANDBY_MODEL_ID = z.string();
export const BEDROCK_REGION = z.string();
export const OPENAI_BASE_URL = z.string();
export const OPENAI_MODEL = z.string();
export const OPENAI_SECRET_ARN = z.string();
export const BEDROCK_FILLER_AFTER_MS = numeric();
export const BEDROCK_GIVE_UP_AFTER_MS = numeric();

export const SANDBOX_TABLE_NAME = z.string();
export const SANDBOX_BUCKET = z.string();
export const SANDBOX_LINE_QUEUE_URL = z.string();
/** Real seconds per simulated second. */
export const SANDBOX_PHONE_PACE = numeric(z.minimum(0), z.maximum(1));
export const SANDBOX_PHONE_SPEECH = z.enum(['voices', 'tones']);
/** Calls that may start per second; 0 for no limit. */
export const SANDBOX_PHONE_CALLS_PER_SECOND = numeric(z.minimum(0));

/** A number in decimal. Rejects empty text, which JavaScript reads as 0. */
function numeric(...checks: z.core.$ZodCheck<number>[]) {
  const text = z.string().check(z.minLength(1));
  return z.pipe(z.pipe(text, z.transform(Number)), z.number().check(...checks));
}
