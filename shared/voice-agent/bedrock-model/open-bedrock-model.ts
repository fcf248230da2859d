import type { DialogueModel } from '../dialogue/dialogue-model.ts';
import { openBedrockClient } from './bedrock-client.ts';
import { type BedrockModelSettings, bedrockModel } from './bedrock-model.ts';

/** The model with the bounds that a conversation by telephone needs. */
export function openBedrockModel(
  region: string,
  modelId: string,
  report: BedrockModelSettings['report'],
): DialogueModel {
  return bedrockModel(openBedrockClient(region), { modelId, maxTokens: 600, maxRounds: 4, report });
}
