import type { DialogueModel } from '../dialogue-model.ts';
import { openBedrockClient } from './bedrock-client.ts';
import { bedrockModel } from './bedrock-model.ts';

/** The model with the bounds that a conversation by telephone needs. */
export function openBedrockModel(region: string, modelId: string): DialogueModel {
  return bedrockModel(openBedrockClient(region), { modelId, maxTokens: 600, maxRounds: 4 });
}
