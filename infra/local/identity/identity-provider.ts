import { generateKeyPair, randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import * as z from 'zod/mini';
import { demoPersonOf } from './demo-people.ts';
import { memoryAdapter } from './memory-adapter.ts';
import { errorPage, personField, sendPage, signedOutPage, signInPage, signOutPage } from './pages.ts';

/** The one client of the local provider: the service itself, as a public client. */
export const localClientId = 'voice-agent-tasks';

const signInPrefix = '/sign-in/';
const longestFormBytes = 10_000;

const hourSeconds = 60 * 60;
const lifetimeSeconds = {
  Interaction: hourSeconds,
  Session: 14 * 24 * hourSeconds,
  Grant: 14 * 24 * hourSeconds,
  AccessToken: hourSeconds,
  IdToken: hourSeconds,
};

export const SigningKey = z.object({
  kty: z.literal('RSA'),
  kid: z.string(),
  alg: z.literal('RS256'),
  use: z.literal('sig'),
  n: z.string(),
  e: z.string(),
  d: z.string(),
  p: z.string(),
  q: z.string(),
  dp: z.string(),
  dq: z.string(),
  qi: z.string(),
});
/** A signing key for ID tokens, of the same kind as Amazon Cognito's. */
export type SigningKey = z.infer<typeof SigningKey>;

export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const kid = randomBytes(8).toString('hex');
  return SigningKey.parse({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' });
}

interface IdentityProviderOptions {
  readonly issuer: string;
  readonly signingKey: SigningKey;
  /** Allowed redirect addresses; on a loopback address with any port. */
  readonly redirectUris: readonly string[];
  /** The same for those who sign out. */
  readonly signedOutUris: readonly string[];
  readonly log: (line: string) => void;
}

/**
 * Serves an OpenID provider: the real protocol with invented people, in place of Amazon Cognito. Loaded here, because
 * loading takes a moment that the rest of a start need not wait for. Sign-ins are forgotten when the server stops;
 * tokens stay valid.
 */
export async function serveIdentityProvider(server: Server, options: IdentityProviderOptions): Promise<void> {
  const { default: Provider, interactionPolicy } = await import('oidc-provider');
  // The local stack's people need not consent to sharing data: they are invented.
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const provider = new Provider(options.issuer, {
    ...configurationOf(options),
    interactions: { policy, url: (_, interaction) => `${signInPrefix}${interaction.uid}` },
  });
  provider.on('server_error', (_, error) => options.log(`the identity provider failed: ${error.name}`));
  const serveProtocol = provider.callback();

  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await provider.interactionDetails(request, response);
      if (request.method === 'POST') {
        const person = demoPersonOf((await readForm(request)).get(personField) ?? '');
        if (person !== undefined) {
          const result = { login: { accountId: person.subject } };
          return await provider.interactionFinished(request, response, result);
        }
      }
      sendPage(response, 200, signInPage());
    } catch {
      // A sign-in that has expired, or was begun before the last start.
      sendPage(response, 400, errorPage());
    }
  };
  server.on('request', (request, response) => {
    if (request.url?.startsWith(signInPrefix) === true) void signIn(request, response);
    else void serveProtocol(request, response);
  });
}

function configurationOf({
  signingKey,
  redirectUris,
  signedOutUris,
}: IdentityProviderOptions): Configuration {
  return {
    clients: [
      {
        client_id: localClientId,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...signedOutUris],
      },
    ],
    adapter: memoryAdapter(),
    jwks: { keys: [signingKey] },
    findAccount: (_, subject) => {
      const person = demoPersonOf(subject);
      if (person === undefined) return undefined;
      const { name, email } = person;
      return {
        accountId: subject,
        claims: () => ({ sub: subject, name, email, email_verified: true }),
      };
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // The service reads the claims of scopes in the ID token, where Amazon Cognito puts them too.
    conformIdTokenClaims: false,
    loadExistingGrant: existingOrNewGrant,
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    ttl: lifetimeSeconds,
    clientBasedCORS: () => false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = signOutPage(form);
        },
        postLogoutSuccessSource: (context) => {
          context.body = signedOutPage();
        },
      },
    },
    renderError: (context) => {
      context.type = 'html';
      context.body = errorPage();
    },
  };
}

/** What the person's session has been granted, and at a first sign-in everything that the client may ask for. */
async function existingOrNewGrant(context: KoaContextWithOIDC) {
  const { client, session, provider } = context.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (existing !== undefined) return existing;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > longestFormBytes) throw new Error('the form is too long');
    chunks.push(buffer);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
