import { environment } from '#shared/triggers/environment.ts';
import type { DialogueModels } from './choose-model.ts';
import { type DialogueModelSettings, openDialogueModel } from './open-dialogue-model.ts';

/** The dialogue models of the deployment: the one that its parameters name, as the function's environment tells them. */
export function configuredDialogueModels(): DialogueModels {
  const settings: DialogueModelSettings = {
    model: environment('DIALOGUE_MODEL'),
    bedrockModelId: environment('BEDROCK_MODEL_ID'),
    bedrockStandbyModelId: environment('BEDROCK_STANDBY_MODEL_ID'),
    bedrockRegion: environment('BEDROCK_REGION'),
    openAi: {
      baseUrl: environment('OPENAI_BASE_URL'),
      model: environment('OPENAI_MODEL'),
      secretArn: environment('OPENAI_SECRET_ARN'),
    },
    fillerAfterMs: Number(environment('BEDROCK_FILLER_AFTER_MS')),
    giveUpAfterMs: Number(environment('BEDROCK_GIVE_UP_AFTER_MS')),
  };
  return {
    model: openDialogueModel(settings),
    builtInModel: openDialogueModel({ ...settings, model: 'built-in' }),
  };
}
