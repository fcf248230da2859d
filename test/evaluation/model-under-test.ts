import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { openDialogueModel } from '#shared/voice-agent/dialogue/open-dialogue-model.ts';

/** The dialogue model whose conversations are judged when they are held without the stack: the built-in one. */
export function openModelUnderTest(): DialogueModel {
  return openDialogueModel({
    model: 'scripted',
    bedrockModelId: '',
    bedrockRegion: '',
    fillerAfterMs: 0,
    giveUpAfterMs: 0,
  });
}
