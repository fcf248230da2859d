import { plainWords } from '../call-plan/words.ts';
import type { Token } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { guess } from '../understanding/linear-model.ts';
import { openAnswerFeatures } from '../understanding/open-answer-features.ts';
import { modelOf } from '../understanding/understand.ts';

/** Below this the words more likely evade the question, or speak of something else. */
const leastAnswering = 0.4;
/** The same, of words that name a time, asked how long something takes. */
const leastTimed = 0.1;

/** Whether words may be the answer to an open question. */
export function mayAnswerOpenQuestion(question: string, answer: readonly Token[]): boolean {
  const least =
    asksHowLong(question) && answer.some(({ norm }) => timeWords.has(norm)) ? leastTimed : leastAnswering;
  return openAnswerLikelihood(question, answer) >= least;
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

const timeWords: ReadonlySet<string> = new Set(words.times.split(' '));
const spans: ReadonlySet<string> = new Set(['long', 'soon', 'quickly', 'fast']);
