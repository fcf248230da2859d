import type { LogFields } from '#shared/observability/log.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { openDialogueModel, supervised } from '#shared/voice-agent/dialogue/open-dialogue-model.ts';
import { languageModel } from '#shared/voice-agent/language-model/language-model.ts';
import { openBedrockModel } from '#shared/voice-agent/language-model/open-bedrock-model.ts';
import { openAiTransport } from '#shared/voice-agent/language-model/openai-transport.ts';
import { UsageError } from '../../infra/command.ts';

export const modelNames = ['built-in', 'bedrock', 'openai'] as const;
export type ModelName = (typeof modelNames)[number];

/** By default as deployed. */
const patience = { fillerAfterMs: 1_200, giveUpAfterMs: 6_000 };
const usualBedrockModel = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';

/**
 * The dialogue model to judge when conversations are held without the stack. Language models use the caller's
 * AWS credentials, or `OPENAI_BASE_URL`, `OPENAI_MODEL` and `OPENAI_API_KEY`.
 *
 * @param report receives the counts of every turn of a language model
 * @throws UsageError if the environment does not say which language model
 */
export function openModelUnderTest(
  name: ModelName = 'built-in',
  report: (turn: LogFields) => void = () => undefined,
): DialogueModel {
  switch (name) {
    case 'built-in':
      return openDialogueModel({
        model: name,
        bedrockModelId: '',
        bedrockStandbyModelId: '',
        bedrockRegion: '',
        openAi: { baseUrl: '', model: '', secretArn: '' },
        ...patience,
      });
    case 'bedrock': {
      const { AWS_REGION = 'us-east-1', BEDROCK_MODEL_ID = usualBedrockModel } = process.env;
      return supervised(openBedrockModel(AWS_REGION, BEDROCK_MODEL_ID, report), patience);
    }
    case 'openai':
      return supervised(languageModel('openai', openAiFromEnvironment(), report), patience);
  }
}

function openAiFromEnvironment() {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model, OPENAI_API_KEY: key } = process.env;
  if (baseUrl === undefined || model === undefined)
    throw new UsageError('--model openai needs OPENAI_BASE_URL and OPENAI_MODEL in the environment');
  const given = key === undefined ? null : { read: async () => key, forget: () => undefined };
  return openAiTransport({
    baseUrl: baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl,
    model,
    key: given,
  });
}
