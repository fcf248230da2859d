import { openManagementServices } from '#shared/admin/management-services.ts';
import { createDashboard } from '#shared/dashboard/app.tsx';
import { linksBelow } from '#shared/dashboard/links.ts';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';
import { sessionKey } from '#shared/dashboard/session/session-key.ts';
import { signInAt } from '#shared/dashboard/sign-in/sign-in.ts';
import { tokenAuthentication } from '#shared/identity/verify-token.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/dashboard.ts';

const env = readEnvironment(manifest.environment);
const links = linksBelow(env.PUBLIC_BASE_URL);
const provider = { issuer: env.OIDC_ISSUER, clientId: env.OIDC_CLIENT_ID };

export const handler = rawEndpoint(
  createDashboard({
    ...openManagementServices(env),
    links,
    sealer: tokenSealer(sessionKey(env.SESSION_SECRET_ID)),
    signIn: signInAt(provider, {
      redirectUri: links.signedIn,
      homeAddress: `${links.origin}${links.home}`,
      personOfToken: tokenAuthentication(provider),
    }),
  }),
);
