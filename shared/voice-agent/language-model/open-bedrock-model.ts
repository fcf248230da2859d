import type { ProposingModel } from '../core/conversation-core.ts';
import { bedrockTransport, openBedrockClient } from './bedrock-transport.ts';
import { languageModel, type ReportTurn } from './language-model.ts';

/** A language model on Amazon Bedrock, by its ID or ARN. */
export function openBedrockModel(region: string, modelId: string, report: ReportTurn): ProposingModel {
  return languageModel('bedrock', bedrockTransport(openBedrockClient(region), modelId), report);
}
