import * as z from 'zod/mini';
import {
  BEDROCK_FILLER_AFTER_MS,
  BEDROCK_GIVE_UP_AFTER_MS,
  BEDROCK_MODEL_ID,
  BEDROCK_REGION,
  BEDROCK_STANDBY_MODEL_ID,
  DIALOGUE_MODEL,
  OPENAI_BASE_URL,
  OPENAI_MODEL,
  OPENAI_SECRET_ARN,
} from './variables.ts';

/** The variables of every function that runs a dialogue model. */
export const dialogueVariables = {
  DIALOGUE_MODEL,
  BEDROCK_MODEL_ID,
  BEDROCK_STANDBY_MODEL_ID,
  BEDROCK_REGION,
  BEDROCK_FILLER_AFTER_MS,
  BEDROCK_GIVE_UP_AFTER_MS,
  OPENAI_BASE_URL,
  OPENAI_MODEL,
  OPENAI_SECRET_ARN,
};

const DialogueEnvironment = z.object(dialogueVariables);
export type DialogueEnvironment = z.output<typeof DialogueEnvironment>;
