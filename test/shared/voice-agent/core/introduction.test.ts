import { expect, test } from 'vitest';
import { AgentSettings } from '#shared/domain/agent-settings.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { introduction } from '#shared/voice-agent/core/wording.ts';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { openDialogueModel } from '#shared/voice-agent/dialogue/open-dialogue-model.ts';
import { callTime, patient } from '../../../support/conversation.ts';
import { actionsOf } from '../../../support/dialogue-turns.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

const planFor = (agent: object) =>
  createCallPlan(sampleTask(sampleProject()), patient, sampleProject(), AgentSettings.parse(agent));

test.each([
  [{}, 'Hello, this is an automated assistant calling on behalf of a patient.'],
  [
    { agent_name: 'Sam', organization_name: 'Example Care' },
    'Hello, this is Sam, an automated assistant from Example Care calling on behalf of a patient.',
  ],
  [
    { on_behalf_of: 'provider' },
    "Hello, this is an automated assistant calling on behalf of a provider's office about a patient.",
  ],
  [
    { on_behalf_of: 'provider', organization_name: 'Example Care' },
    'Hello, this is an automated assistant from Example Care calling about a patient.',
  ],
])('an agent with the settings %j introduces itself', (agent, words) => {
  expect(introduction(planFor(agent))).toBe(words);
});

test('the opening names the caller before verification', async () => {
  const model = openDialogueModel({
    model: 'built-in',
    bedrockModelId: '',
    bedrockStandbyModelId: '',
    bedrockRegion: '',
    openAi: { baseUrl: '', model: '', secretArn: '' },
    fillerAfterMs: 0,
    giveUpAfterMs: 0,
  });
  const plan = planFor({ agent_name: 'Sam', organization_name: 'Example Care', npi: '1234567893' });
  const actions = await actionsOf(model, {
    plan,
    record: emptyRecord,
    memory: null,
    history: [],
    event: { type: 'opened' },
    answeredBy: null,
    now: callTime,
  });
  const words = actions.flatMap((action) => (action.type === 'say' ? [action.text] : [])).join(' ');
  expect(words).toMatch(/^Hello, this is Sam, an automated assistant from Example Care calling on behalf/);
  expect(words).not.toMatch(/Elena|Marsh|1 2 3/);
});
