import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

export const templateLimits = {
  nameCharacters: 60,
  questions: 50,
  questionCharacters: 500,
  templates: 100,
} as const;

/** A named set of questions for reuse, without patient data. */
export const QuestionTemplate = z.object({
  id: Uuid,
  project_id: Uuid,
  name: z.string(),
  questions: z.array(z.string()),
  updated_by: z.string(),
  updated_at: Timestamp,
});
export type QuestionTemplate = z.infer<typeof QuestionTemplate>;
