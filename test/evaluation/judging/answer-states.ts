import type { CallAnswer } from '#shared/domain/call-result.ts';
import type { Casting } from '../cast.ts';
import type { Held } from '../held.ts';
import { compareFact } from './compare.ts';
import { isIdleTalk, whatWasSaidAt } from './exchanges.ts';
import { needsReview, saysSomething } from './read-result.ts';
import type { Truth } from './truth.ts';

/**
 * The value of an answer in the result.
 * - `right`, `wrong`: compared with the truth
 * - `garbage`: rests on words that answered nothing (a question, "I don't know"), or answers what nobody told
 * - `unclear`: says something that cannot be compared with the truth, or there is no truth to compare it with
 * - `review`: says nothing and is marked for review
 * - `open`: says nothing
 */
export type AnswerState = 'right' | 'wrong' | 'garbage' | 'unclear' | 'review' | 'open';

/** The state of every answer by its key. */
export function answerStates(
  held: Held,
  truths: ReadonlyMap<string, Truth>,
): ReadonlyMap<string, AnswerState> {
  const answers = held.result?.answers ?? [];
  return new Map(answers.map((answer) => [answer.key, stateOf(held, answer, truths.get(answer.key))]));
}

function stateOf(held: Held, answer: CallAnswer, truth: Truth | undefined): AnswerState {
  if (!saysSomething(answer)) return needsReview(answer) ? 'review' : 'open';
  if (answer.key === 'person_name') return 'unclear';
  const comparison = truth === undefined ? 'incomparable' : compareFact(truth.known, answer);
  if (comparison === 'right') return 'right';
  // A person who hung up before correcting a slip of their own has told what was reported.
  if (comparison === 'wrong') return isTheirSlip(held.casting, truth) ? 'unclear' : 'wrong';
  return isGarbage(held, answer, truth) ? 'garbage' : 'unclear';
}

function isTheirSlip({ person }: Casting, truth: Truth | undefined): boolean {
  return truth !== undefined && !truth.isTold && person.temper.misspeaks?.fact === truth.fact;
}

/** Whether an answer that cannot be compared rests on nothing that answers it. */
function isGarbage(held: Held, answer: CallAnswer, truth: Truth | undefined): boolean {
  if (isQuestion(answer.quote ?? '') || isQuestion(answer.answer ?? '')) return true;
  if (truth !== undefined && !truth.isTold) return true;
  const said = answer.turn === null ? null : whatWasSaidAt(held, answer.turn);
  if (said !== null && isIdleTalk(said)) return true;
  return truth === undefined && isDisclaimed(held, answer);
}

function isQuestion(words: string): boolean {
  return /\?["')]*\s*$/.test(words);
}

/** Whether the person, asked exactly this in any of its wordings, had no answer to it. */
function isDisclaimed({ called, plan }: Held, { key, question }: CallAnswer): boolean {
  const item = plan.items.find((one) => one.key === key);
  const wordings = [question, item?.rephrase ?? question, item?.rephrase2 ?? question];
  const asked = (called?.exchanges ?? []).filter(
    ({ heard }) => heard !== null && wordings.some((wording) => asksFor(heard, wording)),
  );
  return asked.length > 0 && asked.every((exchange) => isIdleTalk(exchange));
}

/** Whether most of a question's important words occur in what was said. */
function asksFor(heard: string, question: string): boolean {
  const wanted = contentWords(question);
  const said = new Set(contentWords(heard));
  return wanted.length > 0 && wanted.filter((word) => said.has(word)).length / wanted.length >= 0.7;
}

function contentWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3);
}
