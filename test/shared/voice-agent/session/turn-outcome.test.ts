import { describe, expect, test } from 'vitest';
import type { DialogueAction } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { carryOut } from '#shared/voice-agent/session/turn-outcome.ts';

const before = { record: emptyRecord, memory: null };
const facts = [
  {
    field: 'patient.name',
    topic: 'patient-name',
    label: 'name',
    value: 'Maya Rivera',
    spoken: 'Maya Rivera',
    may_be_told: true,
  },
] as const;
const identity = {
  agent_name: null,
  organization: null,
  on_behalf_of: 'patient',
  callback_number: null,
  npi: null,
  tax_id: null,
} as const;
const leaveMessage: DialogueAction[] = [{ type: 'end', reason: 'voicemail', farewell: 'voicemail' }];

describe('a turn', () => {
  test('at a voicemail leaves the callback number, also in the transcript', () => {
    const plan = { facts: [...facts], identity, voicemail: { callback_number: '+12025550199' } };
    const outcome = carryOut(leaveMessage, before, 3, plan);
    expect(outcome.words).toBe(
      'Hello. This is an automated assistant. Please call us back at 2 0 2, 5 5 5, 0 1 9 9. I repeat: 2 0 ' +
        '2, 5 5 5, 0 1 9 9. Thank you. Goodbye.',
    );
    expect(outcome.frames).toEqual([
      { type: 'end', handoffData: '{"farewell":"voicemail","callback_number":"+12025550199"}' },
    ]);
    expect(outcome.record.ending).toEqual({ reason: 'voicemail', farewell: 'voicemail' });
  });

  test('at a voicemail names the organization, if known', () => {
    const outcome = carryOut(leaveMessage, before, 3, {
      facts: [...facts],
      identity: { ...identity, agent_name: 'Sam', organization: 'Example Care' },
      voicemail: { callback_number: '+12025550199' },
    });
    expect(outcome.words).toMatch(
      /^Hello\. This is an automated assistant from Example Care\. Please call us/,
    );
    expect(outcome.frames).toEqual([
      {
        type: 'end',
        handoffData:
          '{"farewell":"voicemail","callback_number":"+12025550199","organization":"Example Care"}',
      },
    ]);
  });

  test('at a voicemail without a message hangs up silently', () => {
    const outcome = carryOut(leaveMessage, before, 3, { facts: [...facts], identity, voicemail: null });
    expect(outcome).toMatchObject({
      words: null,
      ended: true,
      frames: [{ type: 'end', handoffData: '{"farewell":"voicemail"}' }],
    });
  });

  test('records the facts in its words, declared or not, at their index', () => {
    const actions: DialogueAction[] = [
      { type: 'say', text: 'It is for Maya Rivera,' },
      { type: 'say', text: 'whose knee hurts.' },
      { type: 'disclose', field: 'task_data.visit_reason' },
    ];
    const outcome = carryOut(actions, before, 5, { facts: [...facts], identity, voicemail: null });
    expect(outcome.disclosed).toEqual(['task_data.visit_reason', 'patient.name']);
    expect(outcome.record.disclosures).toEqual([
      { field: 'task_data.visit_reason', turn: 5 },
      { field: 'patient.name', turn: 5 },
    ]);
  });

  test('does nothing after the end', () => {
    const actions: DialogueAction[] = [
      { type: 'end', reason: 'refused', farewell: 'refused' },
      { type: 'say', text: 'One more thing.' },
    ];
    expect(carryOut(actions, before, 0, { facts: [], identity, voicemail: null }).frames).toHaveLength(1);
  });
});
