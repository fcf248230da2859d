import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

export const savedViewLimits = { nameCharacters: 60, views: 50 } as const;

/** A name for filters of the list of tasks. */
export const SavedView = z.object({
  project_id: Uuid,
  name: z.string(),
  /** E-mail address of the one who sees it; null for everybody in the project. */
  owner: z.nullable(z.string()),
  /** The filters, as the address of the list says them. */
  query: z.record(z.string(), z.string()),
  created_at: Timestamp,
});
export type SavedView = z.infer<typeof SavedView>;
