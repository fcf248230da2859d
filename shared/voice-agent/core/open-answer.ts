import { plainWords } from '../call-plan/words.ts';
import { isCapitalized, type Token } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { guess } from '../understanding/linear-model.ts';
import { openAnswerFeatures } from '../understanding/open-answer-features.ts';
import { modelOf } from '../understanding/understand.ts';

/** Below this the words more likely evade the question, or speak of something else. */
const leastAnswering = 0.4;
/** The same, of words that name a time, asked how long something takes, or somebody, asked who. */
const leastOfKind = 0.1;

/** Whether words may be the answer to an open question. */
export function mayAnswerOpenQuestion(question: string, answer: readonly Token[]): boolean {
  const isOfKind =
    (asksHowLong(question) && answer.some(({ norm }) => timeWords.has(norm))) ||
    namesSomebody(question, answer);
  return openAnswerLikelihood(question, answer) >= (isOfKind ? leastOfKind : leastAnswering);
}

/** How likely words are the answer to an open question, 0 to 1. */
export function openAnswerLikelihood(question: string, answer: readonly Token[]): number {
  const guesses = guess(modelOf('open-answers'), openAnswerFeatures(question, answer));
  return guesses.find(({ label }) => label === 'answers')?.confidence ?? 0;
}

/** "How long does it take?" is answered by "the next morning", too. */
function asksHowLong(question: string): boolean {
  const [first, second = ''] = plainWords(question);
  return first === 'how' && spans.has(second);
}

/** "You want Odette Marchand", "anyone over eighteen", asked who: a capital letter inside the clause, except "I". */
export function namesSomebody(question: string, answer: readonly Token[]): boolean {
  const asksWho = plainWords(question)
    .slice(0, 2)
    .some((word) => word === 'who' || word === 'whom');
  const isName = ({ kind, text }: Token, at: number): boolean =>
    at > 0 && kind === 'word' && isCapitalized(text) && text.length > 1 && !text.startsWith("I'");
  return asksWho && answer.some((token, at) => isName(token, at) || anybody.has(token.norm));
}

const anybody: ReadonlySet<string> = new Set(['anyone', 'anybody', 'whoever', 'everyone', 'everybody']);
const timeWords: ReadonlySet<string> = new Set(words.times.split(' '));
const spans: ReadonlySet<string> = new Set(['long', 'soon', 'quickly', 'fast', 'far']);
