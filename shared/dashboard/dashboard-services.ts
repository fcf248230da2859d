import type { ManagementServices } from '#shared/admin/management-services.ts';
import type { Links } from './links.ts';
import type { TokenSealer } from './session/sealed-token.ts';
import type { Session } from './session/session.ts';
import type { SignIn } from './sign-in/sign-in.ts';

/** The dependencies of the pages. */
export interface DashboardServices extends ManagementServices {
  readonly links: Links;
  readonly sealer: TokenSealer;
  readonly signIn: SignIn;
  /** The clock for sessions and time limits. */
  readonly now?: () => Date;
}

/** What Hono carries through one request. */
export interface DashboardRequest {
  Bindings: { readonly requestId: string; readonly sourceIp: string | null; readonly bodyBytes: number };
  Variables: { session: Session | null };
}
