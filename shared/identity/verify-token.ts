import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { EmailAddress, type Person } from '#shared/domain/person.ts';
import { bearerToken } from '#shared/http/bearer-token.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

export interface IdentityProvider {
  /** The provider's issuer identifier, also the base URL of its discovery document. */
  readonly issuer: string;
  /** Our client at the provider; rejects tokens for other clients. */
  readonly clientId: string;
}

/** Asymmetric signatures only: with a shared secret, every verifier could sign. */
const algorithms = ['RS256', 'ES256'];
/** Allowed clock skew between the provider and us. */
const clockToleranceSeconds = 30;
const requestTimeoutMs = 3000;

/**
 * The claims read from an ID token (OpenID Connect Core 1.0 §2 and §5.1). Amazon Cognito writes `email_verified` as a
 * boolean or as text, depending on where the attribute came from, and marks its ID tokens with `token_use`.
 */
const IdTokenClaims = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email: EmailAddress,
  email_verified: z.union([z.literal(true), z.literal('true')]),
  name: z.optional(z.string()),
  azp: z.optional(z.string()),
  token_use: z.optional(z.literal('id')),
});

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** The identity provider malfunctions, so no one can sign in: not the client's fault. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';
}

/**
 * The sender of a request, by the OpenID Connect ID token in its `Authorization` header. Roles depend on the
 * verified email address, which Amazon Cognito's access tokens lack.
 *
 * Every failure gives the same response, so that nothing can be inferred. The provider's keys come from its
 * discovery document, are cached, and are fetched again for a token signed with an unknown key.
 */
export function tokenAuthentication(
  provider: IdentityProvider,
): (request: Pick<RawRequest, 'headers'>) => Promise<Person> {
  const keys = discoveredKeys(provider.issuer);
  return async (request) => {
    const token = bearerToken(request);
    const person = token === null ? null : await personOf(token, provider, keys);
    if (person === null) {
      throw new ServiceError('unauthenticated', 'Invalid token', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    return person;
  };
}

async function personOf(
  token: string,
  { issuer, clientId }: IdentityProvider,
  keys: JWTVerifyGetKey,
): Promise<Person | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: clockToleranceSeconds,
    });
    // JWT access tokens are marked so that they are not taken for ID tokens (RFC 9068 §2.1).
    if (protectedHeader.typ?.toLowerCase().endsWith('at+jwt') === true) return null;
    const claims = IdTokenClaims.safeParse(payload);
    if (!claims.success) return null;
    const { sub, email, name = null, azp = clientId } = claims.data;
    return azp === clientId ? { subject: sub, email, name } : null;
  } catch (error) {
    if (isFaultOfToken(error)) return null;
    throw error instanceof IdentityProviderError
      ? error
      : new IdentityProviderError('the keys of the identity provider are unavailable', { cause: error });
  }
}

function isFaultOfToken(error: unknown): boolean {
  return tokenFaults.some((fault) => error instanceof fault);
}

const tokenFaults = [
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

/**
 * The provider's keys. Fetched only for well-formed tokens, so that noise costs no request; a failed discovery is
 * retried with the next token.
 */
function discoveredKeys(issuer: string): JWTVerifyGetKey {
  let discovery: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    discovery ??= discoverKeys(issuer);
    try {
      return await (await discovery)(header, token);
    } catch (error) {
      if (error instanceof IdentityProviderError) discovery = null;
      throw error;
    }
  };
}

/** Reads the discovery document (OpenID Connect Discovery 1.0 §4), which must be the issuer's own. */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  let document: unknown;
  try {
    const response = await fetchAgain(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    document = await response.json();
  } catch (error) {
    throw new IdentityProviderError('the discovery document is unavailable', { cause: error });
  }
  const discovered = Discovery.safeParse(document);
  if (!discovered.success || discovered.data.issuer !== issuer) {
    throw new IdentityProviderError('the discovery document is not that of the issuer');
  }
  return createRemoteJWKSet(new URL(discovered.data.jwks_uri), {
    timeoutDuration: requestTimeoutMs,
    [customFetch]: fetchAgain,
  });
}

/**
 * Fetches, and retries once on a network error: the provider may have closed a kept-alive connection while the
 * function was frozen, which only shows in use.
 */
async function fetchAgain(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    return fetch(address, init);
  }
}
