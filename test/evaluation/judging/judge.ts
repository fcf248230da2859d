import type { Held } from '../held.ts';
import { type AnswerState, answerStates } from './answer-states.ts';
import { type Conduct, conductOf } from './conduct.ts';
import { offPlanDisclosures } from './disclosure-check.ts';
import { slotsAskedFor } from './exchanges.ts';
import { missingToGoal } from './goal.ts';
import { needsReview } from './read-result.ts';
import { type Truth, truthsOf } from './truth.ts';
import { type WrongFact, wrongFactsOf } from './wrong-facts.ts';

export interface Verdict extends Conduct {
  readonly held: Held;
  readonly isReachable: boolean;
  /** The goal was reached if possible; otherwise the call ended as it should. */
  readonly isGood: boolean;
  /** Good, reported as such, and nothing wrong in the result. */
  readonly isUsable: boolean;
  readonly outcome: string;
  readonly wrongFacts: readonly WrongFact[];
  /** Answers that the service marks for review. */
  readonly needsReview: number;
  /** Facts that the person told and the task wanted, and how many of them were reported correctly. */
  readonly factsTold: number;
  readonly factsReported: number;
  /** Those that were told but not reported, with the reason. */
  readonly missedFacts: readonly string[];
  readonly disclosures: readonly string[];
  readonly turns: number;
  readonly talkSeconds: number;
  readonly responseTimesMs: readonly number[];
}

/** Endings after which nothing about the patient may have been said. */
const withoutBusiness = new Set(['wrong-number', 'voicemail']);

/** Compares what was reported with what the person knew, told and booked. Pure. */
export function judge(held: Held): Verdict {
  const { casting, result, plan, transcript } = held;
  const { goal, ending } = casting.person.evaluation;
  const truths = truthsOf(held);
  const states = answerStates(held, truths);
  const wrongFacts = wrongFactsOf(held, truths, states);
  const isReachable = goal === 'reachable';
  const outcome = isReachable
    ? outcomeOfGoal(held, missingToGoal(held, truths, states))
    : outcomeOfEnding(held);
  const isTurnedAway = !isReachable && ending !== undefined && withoutBusiness.has(ending);
  const mayHear = !isTurnedAway && casting.person.temper.wrong_number === undefined;
  return {
    held,
    isReachable,
    isGood: outcome.isGood,
    isUsable: outcome.isGood && outcome.isReportedSo && wrongFacts.length === 0,
    outcome: outcome.words,
    wrongFacts,
    needsReview: (result?.answers ?? []).filter(needsReview).length,
    ...factsIn(truths, states),
    disclosures: offPlanDisclosures(
      plan,
      transcript,
      result?.disclosures ?? [],
      mayHear,
      slotsAskedFor(held),
    ),
    ...conductOf(held),
    turns: transcript.filter(({ role }) => role === 'assistant').length,
    talkSeconds: held.talkSeconds,
    responseTimesMs: held.responseTimesMs,
  };
}

interface Outcome {
  readonly isGood: boolean;
  /** Whether result and task say so, too. */
  readonly isReportedSo: boolean;
  readonly words: string;
}

function outcomeOfGoal({ result, taskStatus }: Held, missing: readonly string[]): Outcome {
  const isReportedSo = result?.goal_reached === true && taskStatus === 'COMPLETED';
  const state = `${result?.ending ?? 'no conversation'}, ${taskStatus}`;
  if (missing.length > 0)
    return { isGood: false, isReportedSo, words: `not reached: ${missing.join(', ')} (${state})` };
  const words = isReportedSo ? 'reached' : `reached and not reported so (${state})`;
  return { isGood: true, isReportedSo, words };
}

function outcomeOfEnding({ casting, result }: Held): Outcome {
  const { ending } = casting.person.evaluation;
  if (result?.goal_reached === true)
    return { isGood: false, isReportedSo: false, words: 'claims a goal that could not be reached' };
  const isGood = ending === undefined || result?.ending === ending;
  const words = isGood
    ? 'ended well'
    : `ended ${result?.ending ?? 'without a conversation'}, not ${ending ?? ''}`;
  return { isGood, isReportedSo: true, words };
}

function factsIn(
  truths: ReadonlyMap<string, Truth>,
  states: ReadonlyMap<string, AnswerState>,
): Pick<Verdict, 'factsTold' | 'factsReported' | 'missedFacts'> {
  const told = [...truths].filter(([, { isTold }]) => isTold);
  const missed = told.filter(([key]) => states.get(key) !== 'right');
  return {
    factsTold: told.length,
    factsReported: told.length - missed.length,
    missedFacts: missed.map(
      ([key, { known }]) => `${key} is ${states.get(key) ?? 'open'}, known ${String(known.value)}`,
    ),
  };
}
