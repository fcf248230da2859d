import { closeServer, loopback } from '../../loopback.ts';
import { signInPath } from '../../sign-in-redirect.ts';
import { holdRequests } from '../gateway/held-requests.ts';
import { openServer } from '../servers/kept-port.ts';
import type { StackState } from '../stack-state.ts';
import { generateSigningKey, localClientId, SigningKey, serveIdentityProvider } from './identity-provider.ts';

/** The identity provider of a local stack: its address is known before it responds, because functions need it. */
export interface StackIdentity {
  /** The parameters of the template that name the provider. */
  readonly parameters: { readonly OidcIssuer: string; readonly OidcClientId: string };
  /** Lets it answer. @param baseUrl address of the service, to which it sends people back */
  serve(baseUrl: string, log: (line: string) => void): Promise<void>;
  stop(): Promise<void>;
}

const keyName = 'identity-provider-signing-key';

/** Keeps port and signing key over restarts, so that a token stays valid as long as it says. */
export async function openStackIdentity(state: StackState): Promise<StackIdentity> {
  const { server, port } = await openServer(0, state.identityPort());
  const releaseRequests = holdRequests(server);
  state.saveIdentityPort(port);
  const issuer = `http://${loopback}:${port}`;
  return {
    parameters: { OidcIssuer: issuer, OidcClientId: localClientId },
    serve: async (baseUrl, log) => {
      await serveIdentityProvider(server, {
        issuer,
        signingKey: await keptSigningKey(state),
        redirectUris: [
          `${baseUrl}/dashboard/signed-in`,
          `http://${loopback}${signInPath}`,
          `http://localhost${signInPath}`,
        ],
        signedOutUris: [`${baseUrl}/dashboard`],
        log,
      });
      releaseRequests();
    },
    stop: () => closeServer(server),
  };
}

async function keptSigningKey(state: StackState): Promise<SigningKey> {
  const kept = state.secret(keyName);
  if (kept !== null) return SigningKey.parse(JSON.parse(kept));
  const key = await generateSigningKey();
  state.saveSecret(keyName, JSON.stringify(key));
  return key;
}
