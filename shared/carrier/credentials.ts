import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';

/** How we authenticate to a carrier and how it authenticates to us. */
export interface CarrierCredentials {
  readonly accountSid: string;
  /** User and password of REST requests: an API key pair where there is one, else the account and its auth token. */
  readonly restUser: string;
  readonly restPassword: string;
  /** Keys of the carrier's signatures, newest first; more than one while a token is being rotated. */
  readonly authTokens: readonly [string, ...string[]];
}

/** Both shapes of the secret: one auth token, or an API key pair with a list of auth tokens. */
const CarrierSecret = z.object({
  account_sid: z.string().check(z.minLength(1)),
  api_key_sid: z.optional(z.string().check(z.minLength(1))),
  api_key_secret: z.optional(z.string().check(z.minLength(1))),
  auth_tokens: z.optional(z.array(z.string().check(z.minLength(1)))),
  auth_token: z.optional(z.string().check(z.minLength(1))),
});

/** A rotated secret is seen within this time. */
const cacheLifetimeMs = 3 * 60 * 1000;

const cache = new Map<
  string,
  { readonly credentials: Promise<CarrierCredentials>; readonly staleAtMs: number }
>();

let sharedClient: SecretsManagerClient | undefined;

/**
 * Reads a carrier's credentials from Secrets Manager, at most every few minutes per secret.
 * Errors name the secret and never its content.
 */
export function loadCarrierCredentials(
  secretId: string,
  { client, nowMs = Date.now() }: { client?: SecretsManagerClient; nowMs?: number } = {},
): Promise<CarrierCredentials> {
  const cached = cache.get(secretId);
  if (cached !== undefined && nowMs < cached.staleAtMs) return cached.credentials;
  sharedClient ??= new SecretsManagerClient({});
  const credentials = readSecret(client ?? sharedClient, secretId);
  const entry = { credentials, staleAtMs: nowMs + cacheLifetimeMs };
  cache.set(secretId, entry);
  // A failed read is not remembered: the next caller tries again.
  credentials.catch(() => {
    if (cache.get(secretId) === entry) cache.delete(secretId);
  });
  return credentials;
}

async function readSecret(client: SecretsManagerClient, secretId: string): Promise<CarrierCredentials> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  return parseCarrierSecret(secretId, SecretString);
}

/** Throws without quoting the secret, as the errors of `JSON.parse` would. */
export function parseCarrierSecret(secretId: string, text: string): CarrierCredentials {
  const secret = CarrierSecret.safeParse(parseJson(text));
  if (!secret.success) throw new Error(`carrier secret ${secretId} does not have the expected members`);
  const { account_sid, api_key_sid, api_key_secret, auth_token, auth_tokens = [] } = secret.data;
  const [newest, ...older] = [
    ...new Set(auth_token === undefined ? auth_tokens : [...auth_tokens, auth_token]),
  ];
  if (newest === undefined) throw new Error(`carrier secret ${secretId} holds no auth token`);
  const hasKeyPair = api_key_sid !== undefined && api_key_secret !== undefined;
  return {
    accountSid: account_sid,
    restUser: hasKeyPair ? api_key_sid : account_sid,
    restPassword: hasKeyPair ? api_key_secret : (auth_token ?? newest),
    authTokens: [newest, ...older],
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
