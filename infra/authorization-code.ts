import { createServer, type Server } from 'node:http';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { listenOnLoopback } from './loopback.ts';
import { signInPath } from './sign-in-redirect.ts';

export interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  /**
   * Local port for the redirect. 0 picks a free one, for providers that allow any port of a loopback address (RFC 8252
   * §7.3).
   */
  readonly port: number;
  /** How long to wait for the sign-in. */
  readonly timeoutMs: number;
  /** Opens the sign-in address in a browser. */
  readonly visit: (address: string) => void | Promise<void>;
}

/** Signs a person in by authorization code with PKCE, redirecting to this machine, and returns the ID token. */
export async function signIn({ issuer, clientId, port, timeoutMs, visit }: SignIn): Promise<string> {
  const isLoopback = ['127.0.0.1', 'localhost'].includes(new URL(issuer).hostname);
  const configuration = await discovery(new URL(issuer), clientId, undefined, None(), {
    execute: isLoopback ? [allowInsecureRequests] : [],
  });
  const server = createServer();
  // By name, because Amazon Cognito allows plain HTTP only for localhost.
  const redirectUri = `http://localhost:${await listenOnLoopback(server, port)}${signInPath}`;
  try {
    const verifier = randomPKCECodeVerifier();
    const [state, nonce] = [randomState(), randomNonce()];
    const callback = nextCallback(server, redirectUri, state, timeoutMs);
    // The failed visit is reported separately; nothing waits for its callback anymore.
    callback.catch(() => {});
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    await visit(address.href);
    const tokens = await authorizationCodeGrant(configuration, await callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    if (tokens.id_token === undefined) throw new Error('the provider gave no ID token');
    return tokens.id_token;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Waits for the address the provider redirects to; responses to other requests are ignored. */
function nextCallback(server: Server, redirectUri: string, state: string, timeoutMs: number): Promise<URL> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no sign-in within ${timeoutMs / 1000} s`)), timeoutMs);
    server.on('request', (request, response) => {
      const address = new URL(request.url ?? '/', redirectUri);
      if (address.pathname !== signInPath || address.searchParams.get('state') !== state) {
        response.writeHead(404).end();
        return;
      }
      response
        .writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
        .end('Signed in. Close this page and return to the terminal.\n', () => {
          clearTimeout(timer);
          resolve(address);
        });
    });
  });
}
