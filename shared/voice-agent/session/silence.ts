import type { Conversation } from '#shared/table/conversation.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';

/*
 * Silence means one of two things. On hold it is expected, and only the project's limit counts. Otherwise the
 * other side should speak: the model is told, and the second time without a word in between the call ends.
 */

/** While words are still being generated, and their end is unknown. */
const busyLookMs = 2_000;

/** Whether our words are being generated and spoken right now. */
export function isAnswering({ answering }: Pick<Conversation, 'answering'>, now: Date): boolean {
  return answering !== null && Date.parse(answering.until) > now.getTime();
}

/** How long the line has been silent, in milliseconds; negative while our words are still audible. */
export function quietMs(
  { quiet_since, updated_at }: Pick<Conversation, 'quiet_since' | 'updated_at'>,
  now: Date,
): number {
  return now.getTime() - Date.parse(quiet_since ?? updated_at);
}

/** The milliseconds until the silence, or the hold, may be too long; zero if it is. */
export function msUntilTooQuiet(
  conversation: Conversation,
  plan: Pick<CallPlan, 'max_hold_seconds'>,
  silenceMs: number,
  now: Date,
): number {
  if (isAnswering(conversation, now)) return busyLookMs;
  if (conversation.waiting_since !== null) {
    if (isHeldTooLong(conversation.waiting_since, plan, now)) return 0;
    // A person may speak to a waiting agent at any moment, and from then on a silence counts again.
    return Math.min(silenceMs, Math.max(1, holdEndsAtMs(conversation.waiting_since, plan) - now.getTime()));
  }
  return Math.max(0, silenceMs - quietMs(conversation, now));
}

/** Since when we are on hold after a turn with these actions. */
export function waitingSince(
  { waiting_since }: Pick<Conversation, 'waiting_since'>,
  actions: readonly DialogueAction[],
  now: Date,
): string | null {
  if (actions.some(({ type }) => type === 'end')) return null;
  if (actions.some(({ type }) => type === 'wait')) return waiting_since ?? now.toISOString();
  return actions.some(({ type }) => type === 'say' || type === 'press') ? null : waiting_since;
}

/** The actions of a turn, and the end of the call if they would keep waiting too long. */
export function withinHoldLimit(
  actions: readonly DialogueAction[],
  conversation: Pick<Conversation, 'waiting_since'>,
  plan: Pick<CallPlan, 'max_hold_seconds'>,
  now: Date,
): readonly DialogueAction[] {
  const since = waitingSince(conversation, actions, now);
  return since !== null && isHeldTooLong(since, plan, now)
    ? [...actions, ...giveUpHolding(since, now)]
    : actions;
}

export function isHeldTooLong(since: string, plan: Pick<CallPlan, 'max_hold_seconds'>, now: Date): boolean {
  return now.getTime() >= holdEndsAtMs(since, plan);
}

function holdEndsAtMs(since: string, { max_hold_seconds }: Pick<CallPlan, 'max_hold_seconds'>): number {
  return Date.parse(since) + max_hold_seconds * 1000;
}

export function giveUpHolding(since: string, now: Date): DialogueAction[] {
  return [
    {
      type: 'follow-up',
      text: `We were on hold for ${spokenDuration(now.getTime() - Date.parse(since))} and gave up.`,
    },
    { type: 'end', reason: 'gave-up', farewell: 'on-hold' },
  ];
}

/** No one has said anything, although asked twice. */
export const giveUpListening: readonly DialogueAction[] = [
  { type: 'follow-up', text: 'Nobody answered on the line any more.' },
  { type: 'end', reason: 'gave-up', farewell: 'unheard' },
];

function spokenDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}
