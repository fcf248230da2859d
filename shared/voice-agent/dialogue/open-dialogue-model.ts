import { log } from '#shared/observability/log.ts';
import { scriptedModel } from '../scripted-model/scripted-model.ts';
import type { DialogueModel } from './dialogue-model.ts';
import { type FallbackLimits, fallbackModel } from './fallback-model.ts';
import { scriptedStandby } from './scripted-standby.ts';

export interface DialogueModelSettings {
  /** `scripted` or `bedrock` */
  readonly model: string;
  /** Id of the inference profile on Amazon Bedrock, such as `us.anthropic.claude-haiku-4-5-20251001-v1:0`. */
  readonly bedrockModelId: string;
  readonly bedrockRegion: string;
  /** Milliseconds without a word after which the gap is bridged, and after which the scripted model takes the turn. */
  readonly fillerAfterMs: number;
  readonly giveUpAfterMs: number;
}

const fixedLimits: Omit<FallbackLimits, 'fillerAfterMs' | 'giveUpAfterMs'> = {
  stalledAfterMs: 5_000,
  // The session cuts a turn after 18 seconds, and the standby may have to end it.
  turnWithinMs: 15_000,
  maxFailures: 2,
};

/**
 * The dialogue model that is configured. The code for Amazon Bedrock is loaded only where it is used: with the scripted
 * model a function starts without it.
 */
export function openDialogueModel(settings: DialogueModelSettings): DialogueModel {
  switch (settings.model) {
    case 'scripted':
      return scriptedModel;
    case 'bedrock': {
      const { fillerAfterMs, giveUpAfterMs } = settings;
      return fallbackModel(bedrock(settings), scriptedStandby, {
        ...fixedLimits,
        fillerAfterMs,
        giveUpAfterMs,
      });
    }
    default:
      throw new Error('DIALOGUE_MODEL must be "scripted" or "bedrock"');
  }
}

function bedrock({ bedrockModelId, bedrockRegion }: DialogueModelSettings): DialogueModel {
  // While the function starts, and not while somebody waits for the first answer.
  const loading = import('../bedrock-model/open-bedrock-model.ts').then(({ openBedrockModel }) =>
    openBedrockModel(bedrockRegion, bedrockModelId, (turn) => log('bedrock-turn', turn)),
  );
  // A turn that needs it fails, and is taken by the scripted model; until then the failure is nobody's.
  loading.catch(() => undefined);
  return {
    name: 'bedrock',
    isImmediate: false,
    async *takeTurn(input, signal) {
      yield* (await loading).takeTurn(input, signal);
    },
  };
}
