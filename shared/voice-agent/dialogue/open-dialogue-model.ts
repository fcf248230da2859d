import { log } from '#shared/observability/log.ts';
import { builtInModel } from '../built-in-model/decide.ts';
import { governed, type ProposingModel } from '../core/conversation-core.ts';
import type { DialogueModel } from './dialogue-model.ts';
import { type FallbackLimits, fallbackModel } from './fallback-model.ts';
import { withSecondModel } from './second-model.ts';

export interface DialogueModelSettings {
  /** `built-in`, which older deployments call `scripted`; `bedrock` or `openai` */
  readonly model: string;
  /** ID or ARN of an inference profile, a model or provisioned throughput on Amazon Bedrock. */
  readonly bedrockModelId: string;
  /** Another model for turns in which the first fails; empty: none. */
  readonly bedrockStandbyModelId: string;
  readonly bedrockRegion: string;
  /** An endpoint for OpenAI's chat completions; `secretArn` is empty if it needs no key. */
  readonly openAi: { readonly baseUrl: string; readonly model: string; readonly secretArn: string };
  /** Milliseconds without a word until words bridge the gap, and until the call ends with an apology. */
  readonly fillerAfterMs: number;
  readonly giveUpAfterMs: number;
}

const fixedLimits: Omit<FallbackLimits, 'fillerAfterMs' | 'giveUpAfterMs'> = {
  stalledAfterMs: 5_000,
  // The session cuts off a turn after 18 seconds, and the call may have to end.
  turnWithinMs: 15_000,
};

/**
 * The configured dialogue model, under the core's rules. Language model code is loaded
 * only if used: with the built-in model a function starts without it.
 */
export function openDialogueModel(settings: DialogueModelSettings): DialogueModel {
  if (settings.model === 'built-in' || settings.model === 'scripted') return governed(builtInModel);
  const { bedrockStandbyModelId, giveUpAfterMs } = settings;
  const first = languageModelOf(settings);
  if (bedrockStandbyModelId === '') return supervised(first, settings);
  // Gives the second as much time as the first had.
  const both = withSecondModel(first, bedrock(settings, bedrockStandbyModelId), giveUpAfterMs / 2);
  return supervised(both, settings);
}

/** A slow model, watched while a person waits for it and under the core's rules. */
export function supervised(
  model: ProposingModel,
  { fillerAfterMs, giveUpAfterMs }: Pick<FallbackLimits, 'fillerAfterMs' | 'giveUpAfterMs'>,
): DialogueModel {
  return governed(fallbackModel(model, { ...fixedLimits, fillerAfterMs, giveUpAfterMs }));
}

function languageModelOf(settings: DialogueModelSettings): ProposingModel {
  switch (settings.model) {
    case 'bedrock':
      return bedrock(settings, settings.bedrockModelId);
    case 'openai':
      return loadedModel(
        'openai',
        import('../language-model/open-openai-model.ts').then(({ openOpenAiModel }) =>
          openOpenAiModel(settings.openAi, reportTurn),
        ),
      );
    default:
      throw new Error('DIALOGUE_MODEL must be "built-in", "bedrock" or "openai"');
  }
}

function bedrock({ bedrockRegion }: DialogueModelSettings, modelId: string): ProposingModel {
  return loadedModel(
    'bedrock',
    import('../language-model/open-bedrock-model.ts').then(({ openBedrockModel }) =>
      openBedrockModel(bedrockRegion, modelId, reportTurn),
    ),
  );
}

function reportTurn(turn: Parameters<typeof log>[1]): void {
  log('language-model-turn', turn);
}

/** A model loaded at startup, not while a person waits for the first answer. */
function loadedModel(name: string, loading: Promise<ProposingModel>): ProposingModel {
  // A turn that needs it fails; until then the failure is ignored.
  loading.catch(() => undefined);
  return {
    name,
    isImmediate: false,
    async *takeTurn(input, signal) {
      yield* (await loading).takeTurn(input, signal);
    },
  };
}
