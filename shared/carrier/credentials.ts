import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import { parseJson } from './parse-json.ts';

/** How we and a carrier authenticate to each other. */
export interface CarrierCredentials {
  readonly accountSid: string;
  /** User and password of REST requests: an API key pair if given, else the account and its auth token. */
  readonly restUser: string;
  readonly restPassword: string;
  /** Keys of the carrier's signatures, newest first; several during a rotation. */
  readonly authTokens: readonly [string, ...string[]];
}

/** Both forms of the secret: one auth token, or an API key pair with a list of auth tokens. */
const CarrierSecret = z.object({
  account_sid: z.string().check(z.minLength(1)),
  api_key_sid: z.optional(z.string().check(z.minLength(1))),
  api_key_secret: z.optional(z.string().check(z.minLength(1))),
  auth_tokens: z.optional(z.array(z.string().check(z.minLength(1)))),
  auth_token: z.optional(z.string().check(z.minLength(1))),
});

/** Why the credentials cannot be used; each has its own remedy. */
export type CarrierSecretFault =
  /** The secret does not exist or is being deleted: store it. */
  | 'missing'
  /** Secrets Manager denies access: grant it to the function. */
  | 'denied'
  /** The secret is malformed: store it again. */
  | 'malformed'
  /** Secrets Manager did not respond; nothing is known about the secret. */
  | 'unavailable';

/** Names the secret and the problem, never its content; omits the cause, which may quote it. */
export class CarrierSecretError extends Error {
  override readonly name = 'CarrierSecretError';
  readonly fault: CarrierSecretFault;

  constructor(secretId: string, fault: CarrierSecretFault, detail: string) {
    super(`carrier secret ${secretId} ${detail}`);
    this.fault = fault;
  }
}

/** A rotated secret is picked up within this time, even without an error. */
const cacheLifetimeMs = 3 * 60 * 1000;
/** A possibly rotated secret is reread at most this often, so that a flood of forgeries costs nothing. */
const rereadAfterMs = 5_000;
/** The carrier waits 15 s for the response to its callback; two failed reads must fit in. */
const requestTimeoutMs = 3_000;
const maxAttempts = 2;

interface Reading {
  readonly credentials: Promise<CarrierCredentials>;
  readonly startedAtMs: number;
  /** How long it is cached; shorter after a reread without news. */
  lifetimeMs: number;
}

const readings = new Map<string, Reading>();

let sharedClient: SecretsManagerClient | undefined;

interface ReadOptions {
  readonly client?: SecretsManagerClient;
  readonly nowMs?: number;
}

/**
 * Reads a carrier's credentials from Secrets Manager, at most every few minutes per secret. While Secrets Manager does
 * not respond, the last ones stay in use. Throws a `CarrierSecretError`.
 */
export function loadCarrierCredentials(
  secretId: string,
  options: ReadOptions = {},
): Promise<CarrierCredentials> {
  return readAtMostEvery(cacheLifetimeMs, secretId, options);
}

/**
 * Rereads credentials that were refused, at most every few seconds per secret. Otherwise like
 * `loadCarrierCredentials`.
 */
export function reloadCarrierCredentials(
  secretId: string,
  options: ReadOptions = {},
): Promise<CarrierCredentials> {
  return readAtMostEvery(rereadAfterMs, secretId, options);
}

function readAtMostEvery(
  intervalMs: number,
  secretId: string,
  { client, nowMs = Date.now() }: ReadOptions,
): Promise<CarrierCredentials> {
  const last = readings.get(secretId);
  if (last !== undefined && nowMs - last.startedAtMs < Math.min(intervalMs, last.lifetimeMs)) {
    return last.credentials;
  }
  sharedClient ??= new SecretsManagerClient(clientLimits(requestTimeoutMs, maxAttempts));
  const reading: Reading = {
    credentials: readCarrierSecret(client ?? sharedClient, secretId).catch((error) => {
      reading.lifetimeMs = rereadAfterMs;
      if (!(error instanceof CarrierSecretError)) throw error;
      if (error.fault === 'unavailable' && last !== undefined) {
        // No alarm while there are credentials that most likely still work.
        logError('carrier-secret-read-later', error);
        return last.credentials;
      }
      logError(alarmingEvents.carrierSecretNotRead, error, { fault: error.fault });
      // A failure is not cached: the next attempt may succeed.
      if (error.fault === 'unavailable' && readings.get(secretId) === reading) readings.delete(secretId);
      throw error;
    }),
    startedAtMs: nowMs,
    lifetimeMs: cacheLifetimeMs,
  };
  readings.set(secretId, reading);
  return reading.credentials;
}

/** Reads a carrier's credentials once, without a cache. Throws a `CarrierSecretError`. */
export async function readCarrierSecret(
  client: SecretsManagerClient,
  secretId: string,
): Promise<CarrierCredentials> {
  let text: string;
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    text = SecretString;
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    throw new CarrierSecretError(
      secretId,
      faultByErrorName[name] ?? 'unavailable',
      `could not be read: ${name}`,
    );
  }
  return parseCarrierSecret(secretId, text);
}

/**
 * Errors of GetSecretValue that persist until a person acts; any other is transient (its API reference lists them).
 */
const faultByErrorName: Readonly<Record<string, CarrierSecretFault>> = {
  ResourceNotFoundException: 'missing',
  InvalidRequestException: 'missing',
  AccessDeniedException: 'denied',
  DecryptionFailure: 'denied',
  InvalidParameterException: 'missing',
  ValidationException: 'missing',
};

/** Throws a `CarrierSecretError`, which does not quote the secret as `JSON.parse` errors would. */
export function parseCarrierSecret(secretId: string, text: string): CarrierCredentials {
  const secret = CarrierSecret.safeParse(parseJson(text));
  if (!secret.success) throw malformed(secretId, 'does not have the expected members');
  const { account_sid, api_key_sid, api_key_secret, auth_token, auth_tokens = [] } = secret.data;
  const [newest, ...older] = [
    ...new Set(auth_token === undefined ? auth_tokens : [...auth_tokens, auth_token]),
  ];
  if (newest === undefined) throw malformed(secretId, 'holds no auth token');
  const hasKeyPair = api_key_sid !== undefined && api_key_secret !== undefined;
  // Otherwise requests would use the account's token, which half a key pair cannot have meant.
  if (!hasKeyPair && (api_key_sid ?? api_key_secret) !== undefined) {
    throw malformed(secretId, 'holds half of an API key pair');
  }
  return {
    accountSid: account_sid,
    restUser: hasKeyPair ? api_key_sid : account_sid,
    restPassword: hasKeyPair ? api_key_secret : (auth_token ?? newest),
    authTokens: [newest, ...older],
  };
}

function malformed(secretId: string, detail: string): CarrierSecretError {
  return new CarrierSecretError(secretId, 'malformed', detail);
}
