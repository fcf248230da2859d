import type { CallAnswer, CallEnding, CallResult, Disclosure, Obstacle } from '#shared/domain/call-result.ts';
import type { Table } from '#shared/table/client.ts';
import { getConversationWithTurns, isInTranscript, type StoredTurn } from '#shared/table/conversation.ts';
import { getConversationPlan } from '#shared/table/conversation-plan.ts';
import { CallPlan, type PlanItem } from '../call-plan/call-plan.ts';
import { isGoalReached, isRelevant } from '../call-plan/progress.ts';
import { ConversationState } from '../dialogue/conversation-state.ts';
import type { DialogueRecord, ObstacleReason, RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { quoted } from '../dialogue/written-values.ts';
import { disclosedIn } from './disclosures.ts';
import { summarize } from './result-summary.ts';
import { readAgain } from './second-reading.ts';

type FoundAnswers = ReadonlyMap<string, RecordedAnswer>;

/** The structured result of a call; `null` without a conversation. */
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
 * The result of a conversation, however far it got. Pure. An answer counts only if its quote is in the
 * person's turn that it names; otherwise the question is reported as unanswered. Answers that a second reading of the
 * transcript does not confirm are marked for review. Turns are named by position in the transcript, whatever their
 * index.
 */
export function deriveCallResult({
  plan,
  state: { record },
  turns: stored,
}: {
  plan: CallPlan;
  state: Pick<ConversationState, 'record'>;
  turns: readonly StoredTurn[];
}): CallResult {
  const turns = stored.filter(isInTranscript);
  const founded = record.answers.filter((answer) => positionOfWords(answer, turns) !== null);
  const answers = new Map(
    readAgain(plan, founded, turns).flatMap((answer) => {
      const position = positionOfWords(answer, turns);
      return position === null ? [] : [[answer.key, { ...answer, turn: position }] as const];
    }),
  );
  const goalReached = isGoalReached(plan, answers);
  const obstacle = goalReached ? null : obstacleOf(record, turns);
  const reference = ['confirmation_number', 'reference_number']
    .map((key) => answers.get(key))
    .find((answer) => answer?.needs_review === false);
  const heard = turns.some(({ role }) => role === 'user');
  const ending = endingOf(record, obstacle, heard);
  return {
    goal_reached: goalReached,
    definite: goalReached || isDefinite(ending),
    answers: plan.items.flatMap((item) => callAnswer(item, answers, plan)),
    ending,
    obstacle,
    reference_number: reference?.answer ?? null,
    person_name: record.person_name,
    follow_up: heard ? followUp(plan, record, answers) : null,
    disclosures: disclosuresOf(plan, record, turns),
    summary: summarize({ plan, record, ending, answers, obstacle, goalReached }),
  };
}

/**
 * Without a word there was no conversation. A person who hangs up when told that a machine calls has
 * refused, and one who hangs up on what cannot be done has declined.
 */
function endingOf(
  { ending }: Pick<DialogueRecord, 'ending'>,
  obstacle: Obstacle | null,
  heard: boolean,
): CallEnding {
  if (!heard && ending?.reason !== 'voicemail') return 'no-speech';
  if (ending !== null) return ending.reason;
  if (obstacle?.reason === 'no_ai') return 'refused';
  return obstacle === null || callsAgain.has(obstacle.reason) ? 'hung-up' : 'declined';
}

/** They may say something else in another call. */
const callsAgain: ReadonlySet<ObstacleReason> = new Set(['call_back_at', 'not_verified']);

/** After this many turns, something else made them hang up. */
const goesOnAfter = 2;

function obstacleOf({ obstacle, ending }: DialogueRecord, turns: readonly StoredTurn[]): Obstacle | null {
  const position = obstacle === null ? null : positionOfWords(obstacle, turns);
  if (obstacle === null || position === null) return null;
  const followed = turns.slice(position + 1).filter(({ role }) => role === 'user').length;
  return ending === null && followed >= goesOnAfter ? null : { ...obstacle, turn: position };
}

/** The transcript position of supporting words; null if absent. */
function positionOfWords(
  { quote, turn }: Pick<RecordedAnswer, 'quote' | 'turn'>,
  turns: readonly StoredTurn[],
): number | null {
  const position = turns.findIndex(({ index }) => index === turn);
  const words = turns[position];
  return quote.trim() !== '' && words?.role === 'user' && words.content.includes(quote) ? position : null;
}

/** The facts in our words, from the turn, the record, or the words themselves. */
function disclosuresOf(plan: CallPlan, record: DialogueRecord, turns: readonly StoredTurn[]): Disclosure[] {
  return turns.flatMap(({ role, index, content, disclosed }, position) => {
    if (role !== 'assistant') return [];
    const recorded = record.disclosures.filter(({ turn }) => turn === index).map(({ field }) => field);
    return disclosedIn(content, plan.facts, disclosed ?? recorded).map((field) => ({
      field,
      turn: position,
    }));
  });
}

/** Another call is useless: everything was asked, or the other side will not or cannot help. */
function isDefinite(reason: CallEnding): boolean {
  switch (reason) {
    case 'finished':
    case 'declined':
    case 'refused':
    case 'opted-out':
    case 'wrong-number':
      return true;
    case 'call-again':
    case 'voicemail':
    case 'no-speech':
    case 'gave-up':
    case 'hung-up':
      return false;
  }
}

/** Unasked items appear only if answered. */
function callAnswer(item: PlanItem, answers: FoundAnswers, plan: CallPlan): CallAnswer[] {
  const { key, question } = item;
  const found = answers.get(key);
  if (found !== undefined) {
    const { answer, value, quote, turn, needs_review } = found;
    return [{ key, question, answer, value, quote, turn, needs_review }];
  }
  const expected = (item.asked || item.required) && key !== 'person_name' && isRelevant(item, answers, plan);
  const open = { answer: null, value: null, quote: null, turn: null, needs_review: false } as const;
  return expected ? [{ key, question, ...open }] : [];
}

function followUp(plan: CallPlan, record: DialogueRecord, answers: FoundAnswers): string | null {
  const derived: string[] = [];
  if (answers.get('pre_authorization')?.value === true) derived.push('Request the pre-authorization.');
  const missing = answers.get('missing_documents');
  if (missing?.value === true) derived.push(`Send what is missing: ${quoted(missing.quote)}`);
  const unanswered = plan.items.filter(
    (item) => item.required && isRelevant(item, answers, plan) && !answers.has(item.key),
  );
  if (record.ending?.reason === 'finished' && unanswered.length > 0) {
    derived.push(`Still open: ${unanswered.map(({ question }) => question).join(' ')}`);
  }
  const all = [...record.follow_ups, ...derived];
  return all.length === 0 ? null : all.join(' ');
}
