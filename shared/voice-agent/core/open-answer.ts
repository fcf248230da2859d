import type { Token } from '../entities/tokens.ts';
import { guess } from '../understanding/linear-model.ts';
import { openAnswerFeatures } from '../understanding/open-answer-features.ts';
import { modelOf } from '../understanding/understand.ts';

/** Below this the words more likely evade the question, or speak of something else. */
const leastAnswering = 0.5;

/** Whether words may be the answer to an open question. */
export function mayAnswerOpenQuestion(question: string, answer: readonly Token[]): boolean {
  const guesses = guess(modelOf('open-answers'), openAnswerFeatures(question, answer));
  return (guesses.find(({ label }) => label === 'answers')?.confidence ?? 0) >= leastAnswering;
}
