import type { WebhookServices } from '#shared/admin/webhooks.ts';
import type { ReplayServices } from '#shared/webhooks/replay.ts';
import type { Links } from './links.ts';
import type { TokenSealer } from './session/sealed-token.ts';
import type { Session } from './session/session.ts';
import type { SignIn } from './sign-in/sign-in.ts';

/** What the pages are made with. */
export interface DashboardServices extends WebhookServices, ReplayServices {
  readonly publicBaseUrl: string;
  readonly links: Links;
  readonly sealer: TokenSealer;
  readonly signIn: SignIn;
}

/** What Hono carries through one request. */
export interface DashboardRequest {
  Bindings: { readonly requestId: string };
  Variables: { session: Session | null };
}
