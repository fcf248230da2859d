import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import * as z from 'zod/mini';
import type { Person } from '#shared/domain/person.ts';
import type { IdentityProvider } from '#shared/identity/verify-token.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

/** State to restore when the provider redirects back. */
export const BegunSignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Dashboard path to open afterwards. */
  to: z.string(),
});
export type BegunSignIn = z.infer<typeof BegunSignIn>;

/** Signing in at the identity provider: authorization code with PKCE (RFC 7636), state and nonce. */
export interface SignIn {
  begin(to: string): Promise<{ readonly begun: BegunSignIn; readonly address: URL }>;
  /**
   * The person who returned. Throws when the provider refuses or the response does not belong to this sign-in.
   *
   * @param query of the provider's redirect
   */
  finish(begun: BegunSignIn, query: URLSearchParams): Promise<Person>;
  /** The provider's sign-out URL; null if it has none. */
  endAddress(): Promise<URL | null>;
}

const requestTimeoutSeconds = 5;

/**
 * @param redirectUri where the provider redirects back to, as registered
 * @param homeAddress where people go after signing out
 * @param personOfToken verifies an ID token like the management API, so that both admit the same people
 */
export function signInAt(
  provider: IdentityProvider,
  {
    redirectUri,
    homeAddress,
    personOfToken,
  }: {
    readonly redirectUri: string;
    readonly homeAddress: string;
    readonly personOfToken: (request: Pick<RawRequest, 'headers'>) => Promise<Person>;
  },
): SignIn {
  const configured = configuration(provider);
  return {
    async begin(to) {
      const begun: BegunSignIn = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        to,
      };
      const address = buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        // Otherwise one click on an unattended screen would sign in again.
        prompt: 'login',
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      });
      return { begun, address };
    },
    async finish({ state, nonce, verifier }, query) {
      const tokens = await authorizationCodeGrant(await configured(), new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return personOfToken({ headers: { authorization: `Bearer ${tokens.id_token}` } });
    },
    async endAddress() {
      const config = await configured();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      // Amazon Cognito requires `logout_uri` where the standard has an optional `post_logout_redirect_uri`.
      return buildEndSessionUrl(config, { logout_uri: homeAddress });
    },
  };
}

/** The provider's discovery document, fetched on first use and cached; a failure is retried. */
function configuration({ issuer, clientId }: IdentityProvider): () => Promise<Configuration> {
  let discovering: Promise<Configuration> | null = null;
  const address = new URL(issuer);
  return () => {
    discovering ??= discovery(address, clientId, undefined, None(), {
      timeout: requestTimeoutSeconds,
      // The local stack's provider is on the same machine.
      execute: address.protocol === 'http:' ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      discovering = null;
      throw error;
    });
    return discovering;
  };
}
