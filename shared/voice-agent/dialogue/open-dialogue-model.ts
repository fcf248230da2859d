import { log } from '#shared/observability/log.ts';
import { builtInModel } from '../built-in-model/decide.ts';
import { governed, type ProposingModel } from '../core/conversation-core.ts';
import type { DialogueModel } from './dialogue-model.ts';
import { type FallbackLimits, fallbackModel } from './fallback-model.ts';
import { withSecondModel } from './second-model.ts';

export interface DialogueModelSettings {
  /** `built-in`, which older deployments call `scripted`; `bedrock` or `openai` */
  readonly model: string;
  /** Id or ARN of an inference profile, a model or provisioned throughput on Amazon Bedrock. */
  readonly bedrockModelId: string;
  /** Another one, which takes a turn in which the first fails; empty: none. */
  readonly bedrockStandbyModelId: string;
  readonly bedrockRegion: string;
  /** An endpoint that speaks OpenAI's chat completions; `secretArn` is empty when it wants no key. */
  readonly openAi: { readonly baseUrl: string; readonly model: string; readonly secretArn: string };
  /** Milliseconds without a word after which the gap is bridged, and after which the call ends with an excuse. */
  readonly fillerAfterMs: number;
  readonly giveUpAfterMs: number;
}

const fixedLimits: Omit<FallbackLimits, 'fillerAfterMs' | 'giveUpAfterMs'> = {
  stalledAfterMs: 5_000,
  // The session cuts a turn after 18 seconds, and the call may have to be ended.
  turnWithinMs: 15_000,
};

/**
 * The dialogue model that is configured, under the rules of the core. The code for language models is loaded
 * only where it is used: with the built-in model a function starts without it.
 */
export function openDialogueModel(settings: DialogueModelSettings): DialogueModel {
  if (settings.model === 'built-in' || settings.model === 'scripted') return governed(builtInModel);
  const { bedrockStandbyModelId, giveUpAfterMs } = settings;
  const first = languageModelOf(settings);
  if (bedrockStandbyModelId === '') return supervised(first, settings);
  // Leaves the second as much time as the first has had.
  const both = withSecondModel(first, bedrock(settings, bedrockStandbyModelId), giveUpAfterMs / 2);
  return supervised(both, settings);
}

/** A model that takes its time, watched while somebody waits for it and under the rules of the core. */
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

/** A model that is loaded while the function starts, and not while somebody waits for the first answer. */
function loadedModel(name: string, loading: Promise<ProposingModel>): ProposingModel {
  // A turn that needs it fails; until then the failure is nobody's.
  loading.catch(() => undefined);
  return {
    name,
    isImmediate: false,
    async *takeTurn(input, signal) {
      yield* (await loading).takeTurn(input, signal);
    },
  };
}
