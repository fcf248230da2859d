import type { CallAnswer, CallResult } from '#shared/domain/call-result.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import type { Table } from '#shared/table/client.ts';
import { getConversationWithTurns } from '#shared/table/conversation.ts';
import { getConversationPlan } from '#shared/table/conversation-plan.ts';
import { ConversationState } from './conversation-state.ts';
import type { DialogueRecord, EndReason, RecordedAnswer } from './dialogue-record.ts';
import { CallPlan, type PlanItem } from './plan/call-plan.ts';
import { type Answers, isGoalReached, isRelevant } from './plan/progress.ts';
import { summarize } from './result-summary.ts';

/** The structured result of a call; `null` when no conversation took place. */
export async function loadCallResult(table: Table, callId: string): Promise<CallResult | null> {
  const [{ conversation, turns }, plan] = await Promise.all([
    getConversationWithTurns(table, callId),
    getConversationPlan(table, callId),
  ]);
  return conversation === null
    ? null
    : deriveCallResult({
        plan: CallPlan.parse(plan),
        state: ConversationState.parse(conversation.state),
        turns,
      });
}

/**
 * What a conversation came to, however far it got. Pure. An answer counts only when the words it rests on stand in the
 * turn of the person that it names; otherwise the question is reported as unanswered.
 */
export function deriveCallResult({
  plan,
  state: { record },
  turns,
}: {
  plan: CallPlan;
  state: Pick<ConversationState, 'record'>;
  turns: readonly Turn[];
}): CallResult {
  const answers = new Map(
    record.answers.filter((answer) => restsOnWords(answer, turns)).map((answer) => [answer.key, answer]),
  );
  const goalReached = isGoalReached(plan, answers);
  const reference = answers.get('confirmation_number') ?? answers.get('reference_number');
  const heard = turns.some(({ role }) => role === 'user');
  return {
    goal_reached: goalReached,
    definite: goalReached || isDefinite(record.ending?.reason ?? null),
    answers: plan.items.flatMap((item) => callAnswer(item, answers)),
    ending: record.ending?.reason ?? 'hung-up',
    reference_number: reference?.answer ?? null,
    person_name: record.person_name,
    follow_up: followUp(plan, record, answers),
    disclosures: record.disclosures,
    summary: summarize({ plan, record, answers, goalReached, heard }),
  };
}

function restsOnWords({ quote, turn }: RecordedAnswer, turns: readonly Turn[]): boolean {
  const words = turns.find(({ index }) => index === turn);
  return quote.trim() !== '' && words?.role === 'user' && words.content.includes(quote);
}

/** Calling again would bring nothing: everything was asked, or the other side will not or cannot do it. */
function isDefinite(reason: EndReason | null): boolean {
  switch (reason) {
    case 'finished':
    case 'declined':
    case 'refused':
    case 'opted-out':
    case 'wrong-number':
      return true;
    case 'call-again':
    case 'voicemail':
    case 'gave-up':
    case null:
      return false;
  }
}

/** Items that nobody asked for appear only when they were answered. */
function callAnswer(item: PlanItem, answers: Answers): CallAnswer[] {
  const found = answers.get(item.key);
  if (found !== undefined) {
    const { answer, value, quote, turn } = found;
    return [{ key: item.key, question: item.question, answer, value, quote, turn }];
  }
  const expected = (item.asked || item.required) && item.key !== 'person_name' && isRelevant(item, answers);
  return expected
    ? [{ key: item.key, question: item.question, answer: null, value: null, quote: null, turn: null }]
    : [];
}

function followUp(plan: CallPlan, record: DialogueRecord, answers: Answers): string | null {
  const derived: string[] = [];
  if (answers.get('pre_authorization')?.value === true) derived.push('Request the pre-authorization.');
  const missing = answers.get('missing_documents');
  if (missing?.value === true) derived.push(`Send what is missing: ${missing.answer}`);
  const unanswered = plan.items.filter(
    (item) => item.required && isRelevant(item, answers) && !answers.has(item.key),
  );
  if (record.ending?.reason === 'finished' && unanswered.length > 0) {
    derived.push(`Still open: ${unanswered.map(({ question }) => question).join(' ')}`);
  }
  const all = [...record.follow_ups, ...derived];
  return all.length === 0 ? null : all.join(' ');
}
