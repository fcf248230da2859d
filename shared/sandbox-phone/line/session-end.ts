import { log } from '#shared/observability/log.ts';
import type { RelayEvent } from './relay-socket.ts';

/** How a relay session ended, as the action callback says it. */
export type SessionEnd =
  | { readonly status: 'ended'; readonly handoffData: string | null }
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly errorCode: string; readonly errorMessage: string };

/** How the application ended it, with the action callback's error codes and messages. */
export function sessionEndOf(
  callSid: string,
  event: Extract<RelayEvent, { kind: 'end' | 'closed' }>,
): SessionEnd {
  if (event.kind === 'end') return { status: 'ended', handoffData: event.handoffData };
  log('sandbox-relay-closed-by-application', { call_sid: callSid, code: event.code });
  return {
    status: 'failed',
    errorCode: '64105',
    errorMessage: event.isTooMalformed
      ? 'Too many consecutive malformed messages'
      : 'WebSocket ended by the server during the call',
  };
}
