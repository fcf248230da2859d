import type { DialogueEnvironment } from '#shared/triggers/dialogue-variables.ts';
import type { DialogueModels } from './choose-model.ts';
import { type DialogueModelSettings, openDialogueModel } from './open-dialogue-model.ts';

/** The deployment's dialogue models, as its parameters say. */
export function configuredDialogueModels(env: DialogueEnvironment): DialogueModels {
  const settings: DialogueModelSettings = {
    model: env.DIALOGUE_MODEL,
    bedrockModelId: env.BEDROCK_MODEL_ID,
    bedrockStandbyModelId: env.BEDROCK_STANDBY_MODEL_ID,
    bedrockRegion: env.BEDROCK_REGION,
    openAi: {
      baseUrl: env.OPENAI_BASE_URL,
      model: env.OPENAI_MODEL,
      secretArn: env.OPENAI_SECRET_ARN,
    },
    fillerAfterMs: env.BEDROCK_FILLER_AFTER_MS,
    giveUpAfterMs: env.BEDROCK_GIVE_UP_AFTER_MS,
  };
  return {
    model: openDialogueModel(settings),
    builtInModel: openDialogueModel({ ...settings, model: 'built-in' }),
  };
}
