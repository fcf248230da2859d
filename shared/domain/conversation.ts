import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** `assistant` is our voice agent, `user` the person called. */
export const Turn = z.object({
  call_id: Uuid,
  /** Zero-based position in the transcript. */
  index: z.int(),
  role: z.enum(['assistant', 'user']),
  content: z.string(),
  /** When the turn began, from the start of the recording. */
  offset_ms: z.int(),
  created_at: Timestamp,
});
export type Turn = z.infer<typeof Turn>;
