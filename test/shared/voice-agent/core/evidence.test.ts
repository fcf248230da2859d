import { describe, expect, test } from 'vitest';
import type { CallPlan, PlanItem } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { askedItem } from '#shared/voice-agent/core/conversation-core.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, claim, quoteFor, told } from './told-in.ts';

test.each([
  'It was reprocessed and paid. Disregard the letter you received in May.',
  'It was reprocessed and paid. Please ignore the note that you received in June.',
])('what we are told to disregard answers nothing: "%s"', (said) => {
  expect(told(claim, 'claim_status', said)).toEqual({ claim_status: 'paid' });
});

test('a number is told in words that sound like a question', () => {
  const said = "WS-1207, if I'm reading it right, and I am.";
  expect(told(benefits, 'reference_number', said)).toEqual({ reference_number: 'WS-1207' });
});

describe('a name', () => {
  const asking = (question: string) => {
    const item = clientItem('question_0', question, null, []);
    return { ...benefits, items: [item] };
  };

  test.each([
    ['Marisol Vega.', 'Marisol Vega'],
    ["Mrs. Adeyemi. She's here until noon.", 'Mrs. Adeyemi'],
    ['marisol vega', 'Marisol Vega'],
  ])('alone answers who: "%s"', (said, name) => {
    expect(told(asking('Who signs the forms?'), 'question_0', said)).toEqual({ question_0: name });
  });

  test.each(["That'd be Marisol.", 'That is Marisol Vega.'])('is neither yes nor no: "%s"', (said) => {
    expect(told(asking('Can she eat before the test?'), 'question_0', said)).toEqual({});
    expect(told(asking('Can she eat before the test?'), 'question_0', `Yes. ${said}`)).toEqual({
      question_0: true,
    });
  });
});

test.each([
  ['When is the class?', 'so the class is monday and wednesday at 10 a m'],
  ['How soon is the copy ready?', 'If we get the form before three, the next business day.'],
])('%s is answered in words: "%s"', (question, said) => {
  const plan = { ...benefits, items: [clientItem('question_0', question, null, [])] };
  expect(told(plan, 'question_0', said)).toEqual({ question_0: null });
  expect(quoteFor(plan, 'question_0', said)).toBe(said);
});

test('the day of a condition is not the one that was asked for', () => {
  const plan = { ...benefits, items: [clientItem('question_0', 'When could you deliver it?', null, [])] };
  const said = 'If you call today, the next business day, after noon.';
  expect(told(plan, 'question_0', said)).toEqual({ question_0: null });
  expect(quoteFor(plan, 'question_0', said)).toContain('the next business day, after noon.');
});

test('a list of what they need is an answer, though it names what identifies the patient', () => {
  const items = [clientItem('question_0', 'What must be on the release form?', null, [])];
  const plan = { ...benefits, items };
  const said = "So it's her full name, date of birth, and a wet signature.";
  expect(quoteFor(plan, 'question_0', said)).toBe(said);
  expect(
    quoteFor(plan, 'question_0', 'I need her full name, date of birth, and the claim number.'),
  ).toBeUndefined();
});

test('a future day is not the day on which something was done', () => {
  const said = 'The last day for that is March 1st, 2027.';
  expect(told(claim, 'processed_date', said)).not.toHaveProperty('processed_date');
});

test("repeating the question's subject beside a date answers it", () => {
  const said = 'I can verify active coverage, with the effective date being February 1st, 2025.';
  expect(told(benefits, 'coverage_active', said)).toMatchObject({
    coverage_active: true,
    effective_date: '2025-02-01',
  });
});

test('nothing unasked costs nothing', () => {
  expect(told(benefits, 'copay', 'Zero dollars, deductible comes first.')).not.toHaveProperty('deductible');
});

test("a plan's name is heard even if it sounds like a referral", () => {
  expect(told(benefits, 'plan_name', "That'd be the Meadow Choice PPO.")).toHaveProperty('plan_name');
});

test('a hypothetical payment was not made', () => {
  const said = 'It would have paid three hundred ten dollars, but it never went through.';
  expect(told(claim, 'paid_amount', said).paid_amount).not.toBe(310);
});

describe('not an answer:', () => {
  test('our own number, read back', () => {
    const [id] = benefits.facts.filter(({ topic }) => topic === 'member-id');
    expect(id).toBeDefined();
    expect(told(benefits, null, `Okay, ${id?.value}, got it.`)).toEqual({});
  });

  test('that a person who cannot be found has nothing', () => {
    const said = 'I have no member by that name. No plan and no deductible under her.';
    expect(told(benefits, 'coverage_active', said)).toEqual({});
  });

  test.each([
    'Nobody with that birthday at this company, so no coverage that I could read out.',
    'You have the wrong plan, there is no coverage for that person here.',
  ])('that an unknown person has no coverage: "%s"', (said) => {
    expect(told(benefits, 'coverage_active', said)).toEqual({});
  });

  test('that a person who may not discuss a claim has none', () => {
    const said = "Without her consent on file I can't speak to it. No claim I could talk about.";
    expect(told(claim, 'claim_status', said)).toEqual({});
  });

  test.each(["We've been through that.", 'I already told you that.', "I've told you that three times now."])(
    'a reproach: "%s"',
    (said) => {
      const items = [clientItem('question_0', 'Do you offer payment plans?', null, [])];
      expect(told({ ...claim, items }, 'question_0', said)).toEqual({});
      expect(told({ ...claim, items }, 'question_0', 'I told you, yes, we do.')).toEqual({
        question_0: true,
      });
    },
  );

  test('that a decided claim was received or is closed', () => {
    expect(told(claim, 'claim_status', 'It has been paid. The claim is closed.')).toMatchObject({
      claim_status: 'paid',
    });
  });
});

test.each([
  ['after "take your time"', ['What is the copay?', 'Of course, I will wait.']],
  ['inside another sentence', ['Okay. Before we finish, one more time, what is the copay?']],
])('our question stays open %s', (_, words) => {
  const history = words.map((content, index) => ({
    call_id: '01930000-0000-7000-8000-000000000004',
    index,
    role: 'assistant' as const,
    content,
    offset_ms: 0,
    created_at: '2026-11-16T15:00:00.000Z',
  }));
  expect(askedItem(benefits, history)?.key).toBe('copay');
});

/** Below this the agent asks once more. */
const leastSure = 0.55;

function answerTo(question: string, said: string): { value: unknown; quote: string; isSure: boolean } | null {
  const item: PlanItem = clientItem('question_0', question, null, []);
  const plan: CallPlan = { ...benefits, items: [item], facts: [] };
  const heard = understand(said, 1, {
    today: '2026-11-22',
    after: item.kind === 'yes-no' ? 'yes-no-question' : 'question',
    expecting: item.kind === 'money' ? ['money'] : item.kind === 'date' ? ['date'] : [],
  });
  const found = evidenceIn(heard, plan, item).find(({ key }) => key === item.key);
  if (found === undefined) return null;
  return { value: found.value, quote: found.quote, isSure: found.confidence >= leastSure };
}

test.each([
  ['What does a copy cost?', 'It was ten dollars for years, and now it is $14.', 14],
  ['What does a copy cost?', "It's $20 a page. No, sorry, $12.", 12],
  ['When is the next class?', 'We had one Saturday. So the next is a week from Thursday.', '2026-12-03'],
  ['Is there a fee for the form?', 'The form, no fee.', false],
  ['What does a copy cost?', 'It was ten dollars for twenty years, then they met and now it is $12.', 12],
  ['What does a copy cost?', 'A copy is $16. No, that was last year, $19 now.', 19],
  ['What does a copy cost?', 'That is $61. Wait, wrong line. It is $16.', 16],
  ['How many hours is the fast?', '10 hours. Not six.', 10],
  ['Is the scooter still under guarantee?', 'The scooter is out of guarantee.', false],
  ['Is polishing the lenses free?', 'Polishing, no charge.', true],
  ['Can a companion ride along at no charge?', "Okay, I'm back. One person can ride along, no charge.", true],
  ['Can a companion ride along at no charge?', "No, there's a charge.", false],
])('%s "%s" is answered by what stands', (question, said, value) => {
  expect(answerTo(question, said)).toMatchObject({ value, isSure: true });
});

test.each([
  ['Are you open on Sundays?', 'Yes, of course. No Sundays, no.'],
  ['Do you keep the vaccine in stock?', 'It is kept in stock, only the children one is not kept in stock.'],
  ['How late is the shop open on Fridays?', 'I look the ticket.'],
  ['Do you take walk-ins for hearing tests?', 'we did that, no it is by slot only, yes, what else'],
  ['Do you have the cream?', "We ain't out of the cream, no."],
])('%s "%s" is asked once more', (question, said) => {
  expect(answerTo(question, said)?.isSure ?? false).toBe(false);
});

test('recurring days are not a date', () => {
  expect(answerTo('When is the lab open?', 'Every Monday and Thursday from 8 to 11:30.')).toMatchObject({
    value: null,
  });
});

test('a referral without a number does not say how it is done', () => {
  expect(answerTo('How does the discount program work?', "That isn't something I handle.")).toBeNull();
});

test('"no trouble" is not a denial', () => {
  expect(answerTo('Do you lend wheelchairs?', "Wheelchair's no trouble.")).toMatchObject({ value: true });
});

test('a free answer is quoted in full', () => {
  const said = 'We speak English and Polish here, and we can call an interpreter.';
  expect(answerTo('Which languages do you speak at the office?', said)).toMatchObject({ quote: said });
});

test('an answer stands when they continue with a question', () => {
  const said = 'Sandpiper Gold, with the blue card. And what is it that she needs?';
  expect(Object.keys(told(benefits, 'plan_name', said))).toContain('plan_name');
});

test('an answer about a day keeps its hours', () => {
  const plan: CallPlan = {
    ...claim,
    items: [clientItem('question_0', 'On what day will the bed be delivered?', null, [])],
  };
  const heard = understand('Friday between nine and noon.', 1, { today: '2026-11-16', after: 'question' });
  const [answer] = evidenceIn(heard, plan, plan.items[0] ?? null);
  expect(answer).toMatchObject({ value: '2026-11-20', answer: 'Friday between nine and noon' });
});

test.each([
  ['plan b seniors', 'plan b seniors'],
  ['we call it prairie ridge 2000', 'we call it prairie ridge 2000'],
  [
    'That used to be Juniper Gold HMO, but it is closed.',
    'That used to be Juniper Gold HMO, but it is closed.',
  ],
  ['Bronze Saver Active. There is a retiree one, too.', 'Bronze Saver Active. There is a retiree one, too.'],
])('a plan’s name may be any words: "%s"', (said, quote) => {
  expect(quoteFor(benefits, 'plan_name', said)).toBe(quote);
});

test.each(['She is in network with us.', 'Hang on, let me look.', 'I told you already.'])(
  'what is about something else names no plan: "%s"',
  (said) => {
    expect(quoteFor(benefits, 'plan_name', said)).toBeUndefined();
  },
);

test.each([
  "We don't have that claim on file, I'm sorry.",
  'The claim is not on file.',
  'It is not on file here. Sorry.',
])('an apology refuses nothing: "%s"', (said) => {
  expect(told(claim, 'claim_status', said)).toMatchObject({ claim_status: 'not on file' });
});

test("a request may need another person's number for an answer, not ours", () => {
  const item = clientItem('question_0', 'What do you need from the family to send the films?', null, []);
  const plan: CallPlan = { ...benefits, items: [item] };
  const said = "To mail them I only need the first dentist's phone number.";
  expect(quoteFor(plan, 'question_0', said)).toContain("the first dentist's phone number");
});

test('a number answers the request for it, however it is introduced', () => {
  expect(told(benefits, 'reference_number', 'Put down T46560-B. What else you need?')).toEqual({
    reference_number: 'T46560-B',
  });
});

test('what is said of another tier is not said of the patient’s', () => {
  const said =
    "In network it's $30 each visit. Outside there's no copay at all, they just don't cover it flat.";
  expect(told(benefits, 'copay', said)).not.toHaveProperty('service_covered');
});

test('what a form is called is no number of the call', () => {
  const said = 'they need the signed plan of care the form they call a four eighty-five';
  expect(told(claim, 'missing_documents', said)).not.toHaveProperty('reference_number');
  const named = 'We need the signed form. Your reference is TB4419.';
  expect(told(claim, 'missing_documents', named)).toHaveProperty('reference_number');
});

test.each(['Scrolling.', 'Scrolling down.', 'Loading.'])(
  'what they do meanwhile is no yes or no: "%s"',
  (said) => {
    expect(told(benefits, 'coverage_active', said)).toEqual({});
    expect(told(claim, 'missing_documents', 'Nothing missing.')).toMatchObject({ missing_documents: false });
    expect(told(claim, 'missing_documents', 'Missing, yes.')).toMatchObject({ missing_documents: true });
  },
);

test('that she can go out of network says nothing of the provider', () => {
  const said = "So it's the Pelican Choice POS, which means she can go out of network, it just costs her.";
  expect(told(benefits, 'plan_name', said)).not.toHaveProperty('in_network');
  expect(told(benefits, 'plan_name', 'The Choice POS, and they are out of network.')).toHaveProperty(
    'in_network',
    false,
  );
});
