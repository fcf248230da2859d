import { describe, expect, test } from 'vitest';
import type { CallAnswer } from '#shared/domain/call-result.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

const questions = [
  { index: 0, question: 'When do you open?' },
  { index: 1, question: 'Where are you?' },
];

function answer(key: string, text: string | null): CallAnswer {
  return {
    key,
    question: '',
    answer: text,
    value: text,
    quote: text,
    turn: text === null ? null : 1,
    needs_review: false,
  };
}

/** The plan of a further call, after earlier ones that brought these answers. */
function planAfter(task_type: TaskType, answers: CallAnswer[] | null): CallPlan {
  const project = sampleProject();
  const task = sampleTask(project, {
    task_type,
    task_data: task_type === 'CUSTOM_TASK' ? { questions_to_ask: questions } : null,
    result: answers === null ? null : sampleResult({ goal_reached: false, definite: false, answers }),
  });
  return createCallPlan(task, patient, project);
}

function keys(plan: CallPlan): string[] {
  return plan.items.map(({ key }) => key);
}

describe('the plan of a further call', () => {
  test('asks only open questions', () => {
    expect(keys(planAfter('CUSTOM_TASK', null))).toEqual(['question_0', 'question_1']);
    const answers = [answer('question_0', 'At eight'), answer('question_1', null)];
    expect(keys(planAfter('CUSTOM_TASK', answers))).toEqual(['question_1']);
  });

  test('asks everything if no required question is open', () => {
    const answers = [answer('question_0', 'At eight'), answer('question_1', '12 Mill Road')];
    expect(keys(planAfter('CUSTOM_TASK', answers))).toEqual(['question_0', 'question_1']);
  });

  test.each([
    [
      'VERIFY_INSURANCE',
      ['coverage_active', 'pre_authorization', 'reference_number'],
      ['copay', 'plan_name'],
    ],
    ['REIMBURSEMENT', ['claim_status', 'missing_documents', 'reference_number'], ['payment_date']],
  ] as const)('of a %s asks again what other questions hang on', (type, again, notAgain) => {
    const before = keys(planAfter(type, null));
    const open = keys(
      planAfter(
        type,
        [...again, ...notAgain].map((key) => answer(key, 'known')),
      ),
    );
    expect(open).toEqual(before.filter((key) => !notAgain.some((known) => known === key)));
  });

  test('repeats a question whose answer needs review', () => {
    const unsure = { ...answer('question_0', 'At eight'), needs_review: true };
    expect(keys(planAfter('CUSTOM_TASK', [unsure, answer('question_1', '12 Mill Road')]))).toEqual([
      'question_0',
    ]);
  });

  test('starts an appointment over', () => {
    const before = planAfter('SCHEDULE_APPOINTMENT', null);
    expect(planAfter('SCHEDULE_APPOINTMENT', [answer('appointment_time', 'Monday at 9')]).items).toEqual(
      before.items,
    );
  });
});
