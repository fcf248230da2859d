import { annotateLog, logError } from '#shared/observability/log.ts';
import { getCall } from '#shared/table/call.ts';
import { type Conversation, getConversation } from '#shared/table/conversation.ts';
import { endConversationWatch } from '#shared/table/conversation-watch.ts';
import type { ConversationServices, WatchServices } from './conversation-services.ts';
import { handleNoInput } from './converse.ts';
import { keepAlive } from './keep-alive.ts';
import { planOf } from './known-calls.ts';
import type { NoInputMessage } from './no-input-timer.ts';
import { msUntilTooQuiet } from './silence.ts';
import { holdWatch } from './watch.ts';

/** The gateway closes every session after 2 h; nothing is watched longer than that. */
const longestConversationMs = 2 * 60 * 60 * 1000;

/**
 * Checks whether the line has been silent too long, and schedules the next check unless the conversation is over.
 * A duplicate message is harmless: each check judges the current conversation, and any reaction to a
 * silence ends it.
 */
export async function checkNoInput(services: WatchServices, message: NoInputMessage): Promise<void> {
  const { call_id } = message;
  annotateLog({ call_id });
  const { table, noInputTimer } = services;
  const conversation = await getConversation(table, call_id);
  if (conversation !== null) annotateLog({ task_id: conversation.task_id });
  const now = services.now();
  if (conversation === null || isOver(conversation, now)) return endConversationWatch(table, call_id);
  const restMs = msUntilTooQuiet(conversation, await planOf(table, call_id), noInputTimer.silenceMs, now);
  if (restMs > 0) {
    const kept = await keepAlive(services, conversation, message, now);
    const nextMs = Math.min(restMs, kept.nextMs);
    const watch = await holdWatch(table, message, nextMs, now);
    if (watch !== null) await noInputTimer.schedule({ ...watch, kept_alive_at: kept.at }, nextMs);
    return;
  }
  // After the person has hung up, the call knows and the conversation does not.
  if (await isCallOver(services, conversation)) return endConversationWatch(table, call_id);
  const watch = await holdWatch(table, message, noInputTimer.silenceMs, now);
  if (watch === null) return;
  try {
    await handleNoInput(services, conversation);
  } catch (error) {
    logError('no-input-not-handled', error);
  }
  await noInputTimer.schedule(watch, noInputTimer.silenceMs);
}

function isOver({ status, started_at }: Conversation, now: Date): boolean {
  return status === 'ended' || now.getTime() - Date.parse(started_at) > longestConversationMs;
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
