import { createServer } from 'node:http';
import type { Role } from '#shared/domain/person.ts';
import {
  generateSigningKey,
  localClientId,
  type SigningKey,
  serveIdentityProvider,
} from '../../infra/local/identity/identity-provider.ts';
import { signInAs } from '../../infra/local/identity/sign-in-as.ts';
import { listenOnLoopback } from '../../infra/loopback.ts';
import { signInPath } from '../../infra/sign-in-redirect.ts';

/** The local stack's identity provider on its own port. */
export interface TestIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly signingKey: SigningKey;
  /** What it printed for the person who started the stack. */
  readonly told: readonly string[];
  signIn(role: Role): Promise<string>;
  stop(): Promise<void>;
}

export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
  const signingKey = await generateSigningKey();
  const told: string[] = [];
  await serveIdentityProvider(server, {
    issuer,
    signingKey,
    redirectUris: [`http://localhost${signInPath}`],
    signedOutUris: [],
    log: (line) => told.push(line),
  });
  const provider = { issuer, clientId: localClientId };
  return {
    ...provider,
    signingKey,
    told,
    signIn: (role) => signInAs(role, provider),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
