import { describe, expect, test } from 'vitest';
import { AgentSettings } from '#shared/domain/agent-settings.ts';
import { chooseModel, modelNamed } from '#shared/voice-agent/dialogue/choose-model.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';

const named = (name: string): DialogueModel => ({ name, isImmediate: true, async *takeTurn() {} });
const model = named('bedrock');
const builtInModel = named('built-in');

describe('the model of a new call', () => {
  test.each([
    ['sandbox', 'default', builtInModel],
    ['sandbox', 'built-in', builtInModel],
    ['sandbox', 'language-model', model],
    ['live', 'default', model],
    ['live', 'built-in', builtInModel],
    ['live', 'language-model', model],
  ] as const)('of a %s project that wants %s', (carrier, language_model, chosen) => {
    const agent = AgentSettings.parse({ language_model });
    expect(chooseModel({ model, builtInModel }, { carrier, agent })).toBe(chosen);
    expect(chooseModel({ model }, { carrier, agent })).toBe(model);
  });
});

describe('a call in progress', () => {
  test.each([
    ['bedrock', model],
    ['built-in', builtInModel],
    ['openai', model],
  ] as const)('with %s goes on with a model of the deployment', (name, found) => {
    expect(modelNamed({ model, builtInModel }, name)).toBe(found);
  });
});
