import { describe, expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from '#shared/voice-agent/plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/plan/create-call-plan.ts';
import { replyOf } from '#shared/voice-agent/scripted-model/answers/reply.ts';
import { findAnswers } from '#shared/voice-agent/scripted-model/find-answers.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

function planOf(task_type: TaskType, task_data: Record<string, unknown>): CallPlan {
  return createCallPlan(sampleTask(sampleProject(), { task_type, task_data }), patient, sampleProject());
}

const benefits = planOf('VERIFY_INSURANCE', { service: { description: 'Physical therapy' } });
const claim = planOf('REIMBURSEMENT', { case_info: { number: 'CLM-1' } });
const office = planOf('CUSTOM_TASK', {
  questions_to_ask: [
    { index: 0, question: 'Is the deposit due at the first visit?' },
    { index: 1, question: 'How much is a crown without insurance?' },
    { index: 2, question: 'How many days before the cleaning must one cancel?' },
    { index: 3, question: 'What is the lowest monthly rate?' },
    { index: 4, question: 'How long may one pay a monthly rate?' },
  ],
});
const visit = planOf('SCHEDULE_APPOINTMENT', {});

function answersTo(plan: CallPlan, asked: string, said: string): Record<string, unknown> {
  const item = plan.items.find(({ key }) => key === asked) ?? null;
  const found = findAnswers(replyOf(said, '2026-11-16'), plan, item);
  return Object.fromEntries(found.map(({ key, answer, value }) => [key, value ?? answer]));
}

describe('what comes after a question without answering it answers nothing', () => {
  test.each<[plan: CallPlan, asked: string, said: string]>([
    [benefits, 'plan_name', 'Mhm.'],
    [benefits, 'plan_name', 'That all lines up.'],
    [benefits, 'plan_name', 'My niece works the front desk over there.'],
    [benefits, 'plan_name', 'Verified.'],
    [benefits, 'in_network', 'Yep, active since March 1st, 2024.'],
    [benefits, 'pre_authorization', "Yes, she's eligible."],
    [benefits, 'pre_authorization', 'A quote of benefits is no guarantee of payment.'],
    [benefits, 'copay', 'Active, Northwind HMO 25, effective March 1st, 2024.'],
    [claim, 'denial_reason', 'It was denied on June 12th.'],
    [claim, 'appeal_deadline', 'You can fax that to 202-555-0138.'],
    [claim, 'appeal_deadline', 'Okay, here.'],
    [claim, 'expected_payment', 'The amount is $410.20.'],
    [claim, 'send_documents_to', 'Fine, I can skip that one.'],
    [claim, 'missing_documents', 'Good question, sorry, you were breaking up.'],
    [claim, 'reference_number', 'The fax number is 2 0 2 5 5 5 0 1 3 8.'],
    [visit, 'instructions', 'For your notes, that would be KX40122.'],
    [visit, 'instructions', 'All righty then.'],
    [benefits, 'plan_name', 'March 1st, 2024.'],
    [benefits, 'coinsurance', "It's zero dollars."],
    [office, 'question_0', 'Certainly you may.'],
    [office, 'question_1', 'That takes 40 minutes.'],
    [office, 'question_2', 'That one is $880.'],
  ])('%#: %s %s', (plan, asked, said) => {
    expect(answersTo(plan, asked, said)[asked]).toBeUndefined();
  });
});

describe('what is taken back in the same breath does not count', () => {
  test.each<[plan: CallPlan, asked: string, said: string, value: unknown]>([
    [
      visit,
      'confirmation_number',
      "It's 330918. Wait, that's the lady ahead of you. Yours is 338214.",
      '338214',
    ],
    [claim, 'paid_amount', 'We paid $310.40. Oh shoot, that is the old rate. It was $301.40.', 301.4],
    [claim, 'paid_amount', 'the payment was $870.10 hold on i was looking at it wrong $807.10', 807.1],
    [benefits, 'deductible', "It's $3,000. Hm, that was last year's. It's $3,500.", 3500],
  ])('%#: %s %s', (plan, asked, said, value) => {
    expect(answersTo(plan, asked, said)[asked]).toBe(value);
  });
});

describe('whether documents are missing', () => {
  test.each<[said: string, value: unknown]>([
    ["No, we don't need a thing.", false],
    ["Nothing's missing.", false],
    ['We have received everything.', false],
    ["We aren't waiting on anything.", false],
    ['The file is complete.', false],
    ['Yes, the itemized bill.', true],
    ['We still need the operative report.', true],
    ['It was denied because the records had not been sent in time.', undefined],
  ])('%s', (said, value) => {
    expect(answersTo(claim, 'missing_documents', said).missing_documents).toBe(value);
  });
});

describe('a question of the client’s', () => {
  test('is answered by a yes with a condition in it', () => {
    expect(
      answersTo(office, 'question_0', 'Yes, at check-in, and if it is not paid we cancel.').question_0,
    ).toBe(true);
  });

  test('is answered late, but not before it was asked', () => {
    expect(answersTo(office, 'question_2', 'A crown is $880.')).toEqual({ question_1: 880 });
    expect(answersTo(office, 'question_3', '$30 a month.')).toEqual({ question_3: '$30 a month.' });
  });
});
