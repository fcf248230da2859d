import { annotateLog, logError } from '#shared/observability/log.ts';
import { getCall } from '#shared/table/call.ts';
import { type Conversation, getConversation } from '#shared/table/conversation.ts';
import type { ConversationServices } from './conversation-services.ts';
import { handleNoInput } from './converse.ts';
import { planOf } from './known-calls.ts';
import type { NoInputMessage } from './no-input-timer.ts';
import { msUntilTooQuiet } from './silence.ts';

/** The gateway closes every session after 2 h; nothing is to be watched any longer than that. */
const longestConversationMs = 2 * 60 * 60 * 1000;

/**
 * Looks whether it has been quiet on the line for too long, and has the conversation looked at again unless it is over.
 * A message that comes twice does no harm: each look judges the conversation as it stands, and whatever is done about a
 * silence ends it.
 */
export async function checkNoInput(
  services: ConversationServices,
  { call_id }: NoInputMessage,
): Promise<void> {
  annotateLog({ call_id });
  const { table, noInputTimer } = services;
  const conversation = await getConversation(table, call_id);
  if (conversation === null || conversation.status === 'ended') return;
  const now = services.now();
  if (now.getTime() - Date.parse(conversation.started_at) > longestConversationMs) return;
  const restMs = msUntilTooQuiet(conversation, await planOf(table, call_id), noInputTimer.silenceMs, now);
  if (restMs > 0) return noInputTimer.schedule(call_id, restMs);
  // When the person has hung up, the call knows and the conversation does not.
  if (await isCallOver(services, conversation)) return;
  try {
    await handleNoInput(services, conversation);
  } catch (error) {
    logError('no-input-not-handled', error);
  }
  await noInputTimer.schedule(call_id, noInputTimer.silenceMs);
}

async function isCallOver(
  { table }: ConversationServices,
  { task_id, call_id }: Conversation,
): Promise<boolean> {
  const call = await getCall(table, task_id, call_id);
  return (
    call === null || call.status !== 'IN_PROGRESS' || call.ended_at !== null || call.session_status !== null
  );
}
