import { expect, test } from 'vitest';
import { openDialogueModel } from '#shared/voice-agent/dialogue/open-dialogue-model.ts';
import { scriptedModel } from '#shared/voice-agent/scripted-model/scripted-model.ts';

const settings = {
  bedrockModelId: 'us.anthropic.claude-haiku-4-5-20251001-v1:0',
  bedrockRegion: 'us-east-1',
  fillerAfterMs: 1200,
  giveUpAfterMs: 6000,
};

test('the scripted model is used as it is, so that nothing stands between it and the line', () => {
  expect(openDialogueModel({ ...settings, model: 'scripted' })).toBe(scriptedModel);
});

test('the language model takes its time', () => {
  expect(openDialogueModel({ ...settings, model: 'bedrock' })).toMatchObject({
    name: 'bedrock',
    isImmediate: false,
  });
});

test('another model is a mistake of the deployment, noticed when the function starts', () => {
  expect(() => openDialogueModel({ ...settings, model: 'parrot' })).toThrow('DIALOGUE_MODEL');
});
