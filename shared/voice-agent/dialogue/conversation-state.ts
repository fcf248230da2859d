import * as z from 'zod/mini';
import { DialogueRecord } from './dialogue-record.ts';

/** The contents of a conversation's `state`. */
export const ConversationState = z.object({
  /** Name of the conversation's dialogue model. */
  model: z.string(),
  record: DialogueRecord,
  /** The model's own memory; see `DialogueAction` `remember`. */
  memory: z.unknown(),
});
export type ConversationState = z.infer<typeof ConversationState>;
