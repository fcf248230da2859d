import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

export const savedViewLimits = { nameCharacters: 60, views: 50 } as const;

/** Saved filters of the task list. */
export const SavedView = z.object({
  project_id: Uuid,
  name: z.string(),
  /** Email address of its only reader; null when shared with the project. */
  owner: z.nullable(z.string()),
  /** The filters as the list's query string. */
  query: z.record(z.string(), z.string()),
  created_at: Timestamp,
});
export type SavedView = z.infer<typeof SavedView>;
