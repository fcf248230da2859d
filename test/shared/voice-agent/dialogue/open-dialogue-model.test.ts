import { afterAll, expect, test } from 'vitest';
import { openDialogueModel } from '#shared/voice-agent/dialogue/open-dialogue-model.ts';

const settings = {
  bedrockModelId: 'us.anthropic.claude-haiku-4-5-20251001-v1:0',
  bedrockStandbyModelId: '',
  bedrockRegion: 'us-east-1',
  openAi: { baseUrl: 'http://127.0.0.1:9/v1', model: 'qwen3:8b', secretArn: '' },
  fillerAfterMs: 1200,
  giveUpAfterMs: 6000,
};

// Opening a model only begins to load its code; no import may be under way when the file ends.
afterAll(async () => {
  await import('#shared/voice-agent/language-model/open-bedrock-model.ts');
  await import('#shared/voice-agent/language-model/open-openai-model.ts');
});

test.each(['built-in', 'scripted'])('%s is the built-in model, which decides at once', (model) => {
  expect(openDialogueModel({ ...settings, model })).toMatchObject({ name: 'built-in', isImmediate: true });
});

test.each(['bedrock', 'openai'])('the language model by %s takes its time', (model) => {
  for (const bedrockStandbyModelId of ['', 'us.amazon.nova-lite-v1:0']) {
    expect(openDialogueModel({ ...settings, model, bedrockStandbyModelId })).toMatchObject({
      name: model,
      isImmediate: false,
    });
  }
});

test('an unknown model is a deployment error, found at startup', () => {
  expect(() => openDialogueModel({ ...settings, model: 'echo' })).toThrow('DIALOGUE_MODEL');
});
