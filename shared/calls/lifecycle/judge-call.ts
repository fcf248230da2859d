import type { CallServices } from '#shared/calls/call-services.ts';
import type { Call } from '#shared/domain/call.ts';
import { logError } from '#shared/observability/log.ts';
import { type Conversation, getConversation, waitedMs } from '#shared/table/conversation.ts';
import { type CallConclusion, concludeCall } from './conclude-call.ts';
import { conversationGraceSeconds, resultGiveUpAfterSeconds, secondsSince } from './deadlines.ts';

/** The conclusion of an ended call, and the conversation to close with it. */
export interface CallEnd {
  readonly conclusion: CallConclusion;
  /** The conversation as judged, if still open: the person hung up, or the line was lost. */
  readonly openConversation: Conversation | null;
  /** How long the agent was on hold. */
  readonly holdSeconds: number;
}

/** Whether the voice agent is still processing a turn and may write more. */
function isAnswering({ answering }: Conversation, now: Date): boolean {
  return answering !== null && Date.parse(answering.until) > now.getTime();
}

/** A hold that ends with a hang-up lasts until the hang-up. */
function holdSeconds(conversation: Conversation, endedAt: Date): number {
  return Math.round((conversation.held_ms + waitedMs(conversation, endedAt)) / 1000);
}

/**
 * Judges an ended call. Null while the last words of its conversation may still be on their way, or while its
 * evaluation fails and may be retried.
 */
export async function judgeCall(
  services: Pick<CallServices, 'table' | 'callResult'>,
  call: Call,
  now: Date,
): Promise<CallEnd | null> {
  const waitedSeconds = secondsSince(call.ended_at ?? call.created_at, now);
  try {
    // Read first: if it changes later, completing the call fails and is retried.
    const conversation = await getConversation(services.table, call.id);
    const isOpen = conversation !== null && conversation.status !== 'ended';
    if (isOpen && (waitedSeconds < conversationGraceSeconds || isAnswering(conversation, now))) return null;
    const result = await services.callResult(call.id);
    return {
      conclusion: concludeCall(call, result),
      openConversation: isOpen ? conversation : null,
      holdSeconds: conversation === null ? 0 : holdSeconds(conversation, new Date(call.ended_at ?? now)),
    };
  } catch (error) {
    logError('call-result-not-read', error, { call_id: call.id });
    // Keeps the carrier's report and retries; in the end completes the call without result and verdict, because the
    // unreadable conversation may contain speech.
    return waitedSeconds < resultGiveUpAfterSeconds
      ? null
      : {
          conclusion: concludeCall({ ...call, answered_by: null }, null),
          openConversation: null,
          holdSeconds: 0,
        };
  }
}
