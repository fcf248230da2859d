import { expect, test } from 'vitest';
import { kindOfQuestion } from '#shared/voice-agent/call-plan/question-kind.ts';
import data from '#shared/voice-agent/language/en-US/question-kinds.json' with { type: 'json' };

test('the kind of a client’s question is recognized by its words in at least 95 of 100 examples', () => {
  const examples = Object.entries(data.kinds).flatMap(([kind, families]) =>
    families.flatMap(({ says }) => says.map((question) => ({ kind, question }))),
  );
  const wrong = examples.filter(({ kind, question }) => kindOfQuestion(question) !== kind);
  expect(examples.length).toBeGreaterThan(400);
  expect(wrong.length / examples.length).toBeLessThan(0.05);
});

test.each([
  ['Do you accept Medicaid?', 'yes-no'],
  ['What is your fax number?', 'phone-number'],
  ['How much is a copy?', 'money'],
  ['How many refills are left?', 'number'],
  ['What is the tax ID of the practice?', 'identifier'],
  ['Which doctors speak Spanish?', 'text'],
  ['Can you tell me what to bring?', 'text'],
  ['Could you tell me whether forms can be mailed?', 'yes-no'],
  ['Could you tell me how much a copy costs?', 'money'],
  ['Do you give flu shots, and on which days?', 'text'],
  ['Do you give flu shots, and under what condition?', 'text'],
  ['Can she borrow a chair, and for how long?', 'text'],
  ['Is there a late fee, and how much is it?', 'money'],
  ['What time does the lab open on Sundays?', 'text'],
  ['What time is the appointment?', 'date-time'],
  ['When does the swimming class meet?', 'text'],
  ['What day does the support group meet?', 'text'],
  ['When does the referral expire?', 'date'],
  ['If not, which laboratory does it?', 'text'],
  ['What does the patient pay for a paper copy?', 'money'],
  ['When a form is mailed, is there a fee?', 'yes-no'],
  ['For a school form, how much is the fee?', 'money'],
  ['Are the forms mailed, faxed or picked up?', 'text'],
  ['Can she come on Monday, or not?', 'yes-no'],
  ['Is parking free or paid?', 'text'],
  ['Should the form be brought along or mailed?', 'text'],
  ['Is it best to write by letter or by email?', 'text'],
  ['Is there a ramp or an elevator?', 'yes-no'],
  ['Can the form be brought along or mailed?', 'yes-no'],
  ['Is it usually two hours or more?', 'yes-no'],
  ['How far in advance must she call?', 'text'],
  ['How long does a new ID card take?', 'text'],
])('%s is answered by %s', (question, kind) => {
  expect(kindOfQuestion(question)).toBe(kind);
});
