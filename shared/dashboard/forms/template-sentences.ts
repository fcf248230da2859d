import { templateLimits } from '#shared/domain/question-template.ts';

const { nameCharacters, questions, questionCharacters } = templateLimits;

/** What the fields of a template require, in our words. */
export const templateSentences = {
  name: `Enter a template name of up to ${nameCharacters} visible characters`,
  questions: `Enter 1 to ${questions} questions, each of up to ${questionCharacters} characters`,
};
