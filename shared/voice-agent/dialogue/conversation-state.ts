import * as z from 'zod/mini';
import { DialogueRecord } from './dialogue-record.ts';

/** What the voice agent keeps in a conversation's `state`. */
export const ConversationState = z.object({
  /** Name of the dialogue model that holds the conversation. */
  model: z.string(),
  record: DialogueRecord,
  /** The model's own; see `DialogueAction` `remember`. */
  memory: z.unknown(),
});
export type ConversationState = z.infer<typeof ConversationState>;
