import { describe, expect, test } from 'vitest';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from '#shared/voice-agent/plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/plan/create-call-plan.ts';
import { replyOf } from '#shared/voice-agent/scripted-model/answers/reply.ts';
import { findAnswers } from '#shared/voice-agent/scripted-model/find-answers.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

const today = '2026-11-16';

function planOf(task_type: TaskType, task_data: Record<string, unknown>): CallPlan {
  return createCallPlan(sampleTask(sampleProject(), { task_type, task_data }), patient, sampleProject());
}

const benefits = planOf('VERIFY_INSURANCE', {
  service: { description: 'Physical therapy', cpt_codes: ['97110'] },
  provider: { name: 'Dr. Priya Nair', specialty: 'Orthopedics' },
});
const claim = planOf('REIMBURSEMENT', { case_info: { number: 'CLM-1' } });

type Value = string | number | boolean | null;

/** What a reply settles: the values of all answers that are clear, and `?` for one that is too vague. */
function settled(plan: CallPlan, asked: string | null, said: string): Record<string, Value> {
  const item = plan.items.find(({ key }) => key === asked) ?? null;
  const found = findAnswers(replyOf(said, today), plan, item);
  for (const { quote } of found) expect(said).toContain(quote);
  return Object.fromEntries(found.map(({ key, value, isVague }) => [key, isVague ? '?' : value]));
}

describe('benefits', () => {
  test.each<[asked: string, said: string, value: Value]>([
    ['deductible', 'Under a thousand.', '?'],
    ['copay', 'Over twenty bucks.', '?'],
    ['copay', 'primary is 25 dollars specialist is 50 dollars therapy goes under primary so 25 dollars', 25],
    ['copay', 'Therapy counts as primary care, and primary is $20, specialists $60.', 20],
    ['copay', 'Specialists are $60, primary is $20. Therapy is treated like a specialist, so $60.', 60],
    ['coverage_active', 'Yes, it is.', true],
    ['coverage_active', 'Yes, the member is active.', true],
    ['coverage_active', 'It shows as active, yes.', true],
    ['coverage_active', "She's active.", true],
    ['coverage_active', 'Coverage is in force.', true],
    ['coverage_active', 'Currently eligible.', true],
    ['coverage_active', 'No, the policy was terminated in June.', false],
    ['coverage_active', 'It is not active.', false],
    ['coverage_active', "I'm showing inactive.", false],
    ['coverage_active', 'The coverage lapsed.', false],
    ['in_network', 'Yes, they are in network.', true],
    ['in_network', 'The provider is participating.', true],
    ['in_network', "No, that's out of network.", false],
    ['in_network', 'They are not a participating provider.', false],
    ['service_covered', 'Yes, that is covered.', true],
    ['service_covered', 'Covered, yes.', true],
    ['service_covered', "That's a covered benefit.", true],
    ['service_covered', "It's excluded under this plan.", false],
    ['service_covered', "No, we don't cover that.", false],
    ['copay', 'The copay is $40.', 40],
    ['copay', '$40.', 40],
    ['copay', 'Forty dollars per visit.', 40],
    ['copay', "It's 25.", 25],
    ['copay', "There's a $35 copay for each visit.", 35],
    ['copay', 'She would pay 50 dollars.', 50],
    ['copay', 'There is no copay.', 0],
    ['copay', 'No copay applies to that service.', 0],
    ['copay', 'The copay is waived.', 0],
    ['copay', 'For specialists it is $50, for primary care $20.', 50],
    ['copay', '$20 for primary care and $50 for a specialist.', 50],
    ['copay', 'Around thirty, I think.', '?'],
    ['deductible', 'The deductible is $1,500.', 1500],
    ['deductible', 'Fifteen hundred dollars.', 1500],
    ['deductible', 'Individual is $2,000 and family is $4,000.', 2000],
    ['deductible', '$3,000 for the family and $1,500 for the individual.', 1500],
    ['deductible', 'There is no deductible on this plan.', 0],
    ['deductible', 'In network it is $1,000, out of network $3,000.', 1000],
    ['deductible_met', 'She has met $620.50.', 620.5],
    ['deductible_met', 'So far $350 has been applied.', 350],
    ['deductible_met', '$620.50 of the $1,500 deductible has been met.', 620.5],
    ['deductible_met', 'None of it.', 0],
    ['deductible_met', 'Nothing has been met yet.', 0],
    ['deductible_met', 'Zero so far.', 0],
    ['deductible_met', 'It has been met in full.', true],
    ['deductible_met', 'All of it.', true],
    ['coinsurance', 'The coinsurance is 20%.', 20],
    ['coinsurance', 'Twenty percent after the deductible.', 20],
    ['coinsurance', 'After the deductible the member pays 30 percent.', 30],
    ['coinsurance', 'We pay 80% and the member pays 20%.', 20],
    ['coinsurance', 'The plan pays 70 percent.', 30],
    ['coinsurance', "It's an 80/20 plan.", 20],
    ['coinsurance', 'Covered at 100 percent.', 0],
    ['coinsurance', 'There is no coinsurance.', 0],
    ['coinsurance', '20% in network and 40% out of network.', 20],
    ['pre_authorization', 'Yes, it is required.', true],
    ['pre_authorization', 'Prior authorization is required.', true],
    ['pre_authorization', 'You will need a prior auth for that.', true],
    ['pre_authorization', 'That does require precertification.', true],
    ['pre_authorization', 'No.', false],
    ['pre_authorization', 'No prior authorization is needed.', false],
    ['pre_authorization', "It doesn't require authorization.", false],
    ['pre_authorization', 'Not required.', false],
    ['pre_authorization', 'No auth needed for that code.', false],
    ['pre_authorization', 'It depends on the number of visits.', '?'],
    ['plan_name', "It's the Choice PPO plan.", 'Choice PPO'],
    ['plan_name', 'The plan is called Silver 3000.', 'Silver 3000'],
    ['plan_name', 'Gold HMO.', 'Gold HMO'],
    ['reference_number', 'The reference number for this call is EHB123456.', 'EHB123456'],
    ['reference_number', 'Sure, it is 7 7 1 0 4.', '77104'],
    ['reference_number', 'R F dash 4 4 0 1.', 'RF-4401'],
    ['person_name', 'My name is Denise.', 'Denise'],
    ['person_name', 'Sure, Paul.', 'Paul'],
  ])('%s: %s', (asked, said, value) => {
    expect(settled(benefits, asked, said)[asked]).toBe(value);
  });

  test('given all at once are told apart', () => {
    const said =
      'Her plan is active, effective 1/1/2026. For therapy there is a $35 copay, the deductible is $3,000 and she has met $1,120.45, 30% coinsurance after that, and no prior auth is needed. The out-of-pocket maximum is $7,500 with $1,900 met.';
    expect(settled(benefits, 'coverage_active', said)).toMatchObject({
      coverage_active: true,
      effective_date: '2026-01-01',
      copay: 35,
      deductible: 3000,
      deductible_met: 1120.45,
      coinsurance: 30,
      pre_authorization: false,
      out_of_pocket_maximum: 7500,
      out_of_pocket_met: 1900,
    });
  });

  test.each<[string, string, Record<string, Value>]>([
    ['a correction counts', 'The copay is $40. Sorry, I misspoke, it is $45.', { copay: 45 }],
    ['also within a sentence', "It's 20, wait, no, 25 dollars.", { copay: 25 }],
  ])('%s', (_, said, values) => {
    expect(settled(benefits, 'copay', said)).toMatchObject(values);
  });

  test.each([
    ['copay', 'May I have the member ID first?'],
    ['copay', 'Sure, let me check.'],
    ['coverage_active', 'I can check whether it is active.'],
    ['coverage_active', 'Sure, I can help you with that.'],
    ['reference_number', 'You have 180 days to appeal.'],
    ['reference_number', 'You can call 202-555-0163 for that.'],
    ['person_name', 'Why do you need that?'],
  ])('no answer to %s: %s', (asked, said) => {
    expect(settled(benefits, asked, said)).not.toHaveProperty(asked);
  });
});

describe('claims', () => {
  test.each([
    ["She owes $30, that's the copay.", { patient_responsibility: 30 }],
    [
      'it went through the check got cut on the sixth just the $30',
      { claim_status: 'paid', payment_date: '2026-11-06' },
    ],
  ])('what the patient owes was not paid: %s', (said, values) => {
    expect(settled(claim, 'claim_status', said)).toEqual(values);
  });

  test('a long number is no amount', () => {
    expect(settled(claim, 'patient_responsibility', 'The number is 7701555012.')).not.toHaveProperty(
      'patient_responsibility',
    );
  });

  test('a correction that says of what it is, without the figure, gives the next figure its meaning', () => {
    const said = 'I have a correction on what they have met. It is $210.50. 30% after the deductible.';
    expect(settled(benefits, 'coinsurance', said)).toEqual({ deductible_met: 210.5, coinsurance: 30 });
  });

  test.each<[said: string, status: string]>([
    ['The claim was paid on November 2nd.', 'paid'],
    ['It has been processed and paid.', 'paid'],
    ['We issued a check for it last week. It was paid in full.', 'paid'],
    ['It shows as processed and partially paid.', 'partially paid'],
    ['It was paid in part.', 'partially paid'],
    ['That claim was denied.', 'denied'],
    ['It was rejected because of a coding error.', 'denied'],
    ['It was not approved.', 'denied'],
    ['It is still pending.', 'pending'],
    ['It is in process.', 'pending'],
    ['We received it on November 1st and it is under review.', 'pending'],
    ["It hasn't been processed yet.", 'pending'],
    ['It is on hold, we are waiting for records.', 'pending'],
    ['It was approved and will be paid next week.', 'approved'],
    ['It was first denied, then reprocessed and paid.', 'paid'],
    ["I don't see a claim with that number.", 'not on file'],
    ['There is no record of that claim.', 'not on file'],
    ['We never received that claim.', 'not on file'],
    ['We have received it.', 'received'],
  ])('%s', (said, status) => {
    expect(settled(claim, 'claim_status', said).claim_status).toBe(status);
  });

  test('that were only "processed" are asked about once more', () => {
    expect(settled(claim, 'claim_status', 'The claim has been processed.').claim_status).toBe('?');
  });

  test('amounts and dates are told apart', () => {
    expect(
      settled(
        claim,
        'claim_status',
        'The claim was processed on November 2nd and we paid $980.40 by check on November 5th, check number 4471902. The patient responsibility is $260.10, and $1,240.50 was billed.',
      ),
    ).toMatchObject({
      claim_status: 'paid',
      processed_date: '2026-11-02',
      payment_date: '2026-11-05',
      paid_amount: 980.4,
      payment_number: '4471902',
      patient_responsibility: 260.1,
      billed_amount: 1240.5,
    });
  });

  test('a day that may be that of the processing is not taken for that of the payment', () => {
    const values = settled(claim, 'claim_status', 'It was processed and partially paid on November 9th.');
    expect(values).toMatchObject({ processed_date: '2026-11-09' });
    expect(values).not.toHaveProperty('payment_date');
  });

  test.each<[said: string, missing: Value]>([
    ['No, nothing is missing.', false],
    ['We have everything we need.', false],
    ['No documents needed.', false],
    ['Yes, the itemized bill.', true],
    ['We still need the itemized bill.', true],
    ['We are waiting for the medical records.', true],
    ['Please send us the operative report.', true],
  ])('missing documents: %s', (said, missing) => {
    expect(settled(claim, 'missing_documents', said).missing_documents).toBe(missing);
  });
});

describe('a client’s own questions', () => {
  function answer(question: string, said: string): Value | undefined {
    const plan = planOf('CUSTOM_TASK', { questions_to_ask: [{ index: 0, question }] });
    return settled(plan, 'question_0', said).question_0;
  }

  test.each<[question: string, said: string, value: Value | undefined]>([
    ['Are you accepting new patients?', 'Yes, we are.', true],
    ['Are you accepting new patients?', "We're taking new patients, yes.", true],
    ['Are you accepting new patients?', 'Not at the moment.', false],
    ['Are you accepting new patients?', "I'm afraid we're not.", false],
    ['Do you offer telehealth?', 'We do, on Tuesdays.', true],
    ['Do you offer telehealth?', "We don't offer that.", false],
    ['Is there parking?', "There's a garage next door.", true],
    ['Do you take Medicare?', 'Sure, go ahead.', undefined],
    ['Do you take Medicare?', 'It depends.', '?'],
    ['Do you take Medicaid?', "Yes, of course. No, I'm sorry, we don't take Medicaid.", false],
    ['Do you have Sunday hours?', 'Sure. On Sundays we are closed.', false],
    ['How much is a copy of the records?', '$25.', 25],
    ['What is the delivery fee?', "It's free over 35 dollars, otherwise $4.99.", 4.99],
    ['What is the no-show fee?', 'There is no fee.', 0],
    ['How many days does a refill take?', 'Two business days.', 2],
    ['What is your fax number?', '202 555 0151.', '+12025550151'],
    ['What is the fax number for records?', 'It is 2 0 2, 5 5 5, 0 1 6 7.', '+12025550167'],
    ['What are your hours?', 'Monday to Friday, 8 to 5.', null],
    ['How long does a refill take?', 'Not long.', '?'],
    ['How far out are you booking?', 'About three weeks.', null],
  ])('%s %s', (question, said, value) => {
    expect(answer(question, said)).toBe(value);
  });

  test('are answered in the person’s own words, without the politeness around them', () => {
    const plan = planOf('CUSTOM_TASK', {
      questions_to_ask: [{ index: 0, question: 'What are your hours?' }],
    });
    const said = 'Sure, no problem. We are open from 8 to 5. On Fridays only until noon. Anything else?';
    const [found] = findAnswers(replyOf(said, today), plan, plan.items[0] ?? null);
    expect(found?.answer).toBe('We are open from 8 to 5. On Fridays only until noon.');
  });
});
