import { describe, expect, test } from 'vitest';
import { AgentSettings } from '#shared/domain/agent-settings.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

function mayTell(
  task_type: TaskType,
  settings = AgentSettings.parse({}),
  task_data: Record<string, unknown> = {},
): string[] {
  const task = sampleTask(sampleProject(), { task_type, task_data });
  const { facts } = createCallPlan(task, patient, sampleProject(), settings);
  return facts.filter((fact) => fact.may_be_told).map(({ topic }) => topic);
}

describe('of the patient’s record only what the task needs may be told', () => {
  test.each<[type: TaskType, told: string[], kept: string[]]>([
    [
      'SCHEDULE_APPOINTMENT',
      ['patient-name', 'date-of-birth', 'phone', 'insurer', 'member-id', 'primary-care-provider'],
      ['email', 'address'],
    ],
    [
      'VERIFY_INSURANCE',
      ['patient-name', 'date-of-birth', 'member-id', 'group-number'],
      ['phone', 'email', 'address'],
    ],
    [
      'REIMBURSEMENT',
      ['patient-name', 'date-of-birth', 'member-id'],
      ['phone', 'email', 'address', 'primary-care-provider'],
    ],
    ['CUSTOM_TASK', ['patient-name', 'date-of-birth', 'phone'], ['email', 'address', 'member-id', 'insurer']],
  ])('%s', (type, told, kept) => {
    const topics = mayTell(type);
    expect(topics).toEqual(expect.arrayContaining(told));
    expect(topics.filter((topic) => kept.includes(topic))).toEqual([]);
  });

  test('unless the project allows or forbids it', () => {
    const settings = AgentSettings.parse({
      disclosure: { allow: ['email', 'patient.address', 'phone'], deny: ['phone', 'member-id'] },
    });
    const topics = mayTell('SCHEDULE_APPOINTMENT', settings);
    expect(topics).toEqual(expect.arrayContaining(['email', 'address']));
    expect(topics).not.toContain('phone');
    expect(topics).not.toContain('member-id');
  });
});

test('a forbidden fact is in no sentence about the purpose', () => {
  const settings = AgentSettings.parse({ disclosure: { deny: ['service'] } });
  const task = sampleTask(sampleProject(), {
    task_type: 'VERIFY_INSURANCE',
    task_data: { service: { description: 'Outpatient chemotherapy' } },
    task: 'Verify benefits.',
  });
  const plan = createCallPlan(task, patient, sampleProject(), settings);
  expect(plan.purpose).toEqual({
    text: 'I would like to verify the insurance coverage and benefits of a patient.',
    discloses: [],
  });
  expect(plan.items.map(({ question }) => question).join(' ')).not.toMatch(/chemo/i);
});

describe('the caller', () => {
  const settings = AgentSettings.parse({
    agent_name: 'Sam',
    organization_name: 'Example Care',
    npi: '1234567893',
    tax_id: '12-3456789',
    disclosure: { deny: ['provider-npi', 'caller-name'] },
  });

  test('may always be told', () => {
    expect(mayTell('CUSTOM_TASK', settings)).toEqual(
      expect.arrayContaining([
        'caller-name',
        'caller-organization',
        'callback-number',
        'tax-id',
        'provider-npi',
      ]),
    );
  });

  test('never has the number of the patient', () => {
    const task = sampleTask(sampleProject());
    const project = sampleProject({ caller_number: patient.phone_number });
    expect(createCallPlan(task, patient, project).identity.callback_number).toBeNull();
    expect(createCallPlan(task, patient, sampleProject()).identity).toEqual({
      agent_name: null,
      organization: null,
      on_behalf_of: 'patient',
      callback_number: '+12025550199',
      npi: null,
      tax_id: null,
    });
  });
});
