import type { MemberServices } from '#shared/admin/members.ts';
import type { WebhookServices } from '#shared/admin/webhooks.ts';
import type { CallQueue } from '#shared/calls/call-queue.ts';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import type { ErasureQueue } from '#shared/erasure/erasure-queue.ts';
import type { ReplayServices } from '#shared/webhooks/replay.ts';
import type { Links } from './links.ts';
import type { TokenSealer } from './session/sealed-token.ts';
import type { Session } from './session/session.ts';
import type { SignIn } from './sign-in/sign-in.ts';

/** What the pages are made with. */
export interface DashboardServices extends WebhookServices, ReplayServices, MemberServices {
  readonly keys: ProjectKeyMaker | null;
  readonly publicBaseUrl: string;
  /** Told of new tasks and of calls to end. */
  readonly callQueue: CallQueue;
  /** Whether sandbox projects can call anybody here. */
  readonly hasSandboxPhone: boolean;
  /** Takes orders to erase. */
  readonly erasureQueue: ErasureQueue;
  /** Of the recordings. */
  readonly bucket: string;
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
