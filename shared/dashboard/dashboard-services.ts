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

/** The dependencies of the pages. */
export interface DashboardServices extends WebhookServices, ReplayServices, MemberServices {
  readonly keys: ProjectKeyMaker | null;
  readonly publicBaseUrl: string;
  /** Receives new tasks and calls to end. */
  readonly callQueue: CallQueue;
  /** Whether sandbox projects can place calls here. */
  readonly hasSandboxPhone: boolean;
  /** Receives orders to erase. */
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
