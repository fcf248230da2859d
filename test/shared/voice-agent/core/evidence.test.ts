import { describe, expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { askedItem } from '#shared/voice-agent/core/conversation-core.ts';
import { type Evidence, evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import type { EntityType } from '#shared/voice-agent/entities/entities.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

function planOf(task_type: TaskType): CallPlan {
  const project = sampleProject();
  return createCallPlan(sampleTask(project, { task_type, task: 'Call.' }), patient, project);
}

const benefits = planOf('VERIFY_INSURANCE');
const claim = planOf('REIMBURSEMENT');
const expecting: Readonly<Record<string, readonly EntityType[]>> = {
  money: ['money'],
  number: ['quantity', 'number'],
  identifier: ['identifier'],
};

type Known = Pick<Evidence, 'key' | 'value'>;

/** What words come to by item, as the answer to what was asked. */
function told(plan: CallPlan, key: string | null, said: string, known: readonly Known[] = []) {
  const asked = plan.items.find((item) => item.key === key) ?? null;
  const heard = understand(said, 1, {
    today: '2026-11-16',
    after: asked === null ? null : asked.kind === 'yes-no' ? 'yes-no-question' : 'question',
    direction: 'past',
    expecting: expecting[asked?.kind ?? ''] ?? [],
  });
  const sure = evidenceIn(heard, plan, asked, known).filter(({ confidence }) => confidence >= 0.55);
  return Object.fromEntries(sure.map((evidence) => [evidence.key, evidence.value]));
}

describe('figures', () => {
  test('in one breath each belong to their own topic', () => {
    expect(
      told(benefits, 'deductible_met', 'The deductible is $610. She has met $75 of the deductible.'),
    ).toMatchObject({ deductible: 610, deductible_met: 75 });
  });

  test('that are put right name what was wrong; the next one answers the question', () => {
    const known = [
      { key: 'copay', value: 35 },
      { key: 'deductible', value: 160 },
    ];
    const said = 'Sorry, I misread the deductible, it is $610. Only $75 was credited so far.';
    expect(told(benefits, 'deductible_met', said, known)).toMatchObject({
      deductible: 610,
      deductible_met: 75,
    });
  });

  test('that are put right after a pause replace the last of their kind', () => {
    const known = [{ key: 'paid_amount', value: 218.5 }];
    expect(told(claim, null, 'No, scratch that, $281.50.', known)).toMatchObject({ paid_amount: 281.5 });
  });

  test('are those of the tier that the provider is in', () => {
    const said = 'In network it is $20 a visit, out of network it is $70.';
    expect(told(benefits, 'copay', said)).toMatchObject({ copay: 20 });
    expect(told(benefits, 'copay', said, [{ key: 'in_network', value: false }])).toMatchObject({ copay: 70 });
  });

  test('without a unit mean what was asked for', () => {
    expect(told(benefits, 'visit_limit', 'Up to 18 a year.')).toEqual({ visit_limit: 18 });
  });
});

describe('what is no answer', () => {
  test('our own number that is read back', () => {
    const [id] = benefits.facts.filter(({ topic }) => topic === 'member-id');
    expect(id).toBeDefined();
    expect(told(benefits, null, `Okay, ${id?.value}, got it.`)).toEqual({});
  });

  test('that somebody who is not found has nothing', () => {
    const said = 'I have no member by that name. No plan and no deductible under her.';
    expect(told(benefits, 'coverage_active', said)).toEqual({});
  });

  test('that a claim which was decided came in or is closed', () => {
    expect(told(claim, 'claim_status', 'It has been paid. The claim is closed.')).toMatchObject({
      claim_status: 'paid',
    });
  });
});

test('what was asked is still asked after somebody was bidden to take their time', () => {
  const history = ['What is the copay?', 'Of course, I will wait.'].map((content, index) => ({
    call_id: '01930000-0000-7000-8000-000000000004',
    index,
    role: 'assistant' as const,
    content,
    offset_ms: 0,
    created_at: '2026-11-16T15:00:00.000Z',
  }));
  expect(askedItem(benefits, history)?.key).toBe('copay');
});
