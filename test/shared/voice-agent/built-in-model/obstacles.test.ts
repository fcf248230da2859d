import { expect, test } from 'vitest';
import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import { clientItem, itemsOf } from '#shared/voice-agent/call-plan/items.ts';
import { isWithheld, obstacleIn, withholds } from '#shared/voice-agent/core/obstacles.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { planWith, type Turn, talk } from './talking.ts';

const items = ['Which form is needed for a copy?', 'How many days does a copy take?'].map((question, at) => ({
  ...clientItem(`question_${at}`, question, null, []),
  required: true,
}));
const [first, second] = items;

/** Our turn after this reply to the first question. */
function after(reply: string, timesAsked: number): Turn {
  const plan = planWith({
    task_type: 'CUSTOM_TASK',
    callee: 'office',
    items,
    subject: 'with a few questions',
  });
  const question = { text: first?.question ?? '', fields: [], kind: 'question' as const };
  const memory = {
    pending: 'question_0',
    attempts: { question_0: timesAsked },
    last_words: [question],
    purpose_said: true,
  };
  return talk(proceedWithQuestions, [reply], { plan, memory }).last;
}

test.each([
  ['takes up the words of our question', 'It has to be the release of information form, signed in ink.'],
  ['invites the next one', "We don't give that out to anybody. What else?"],
  ['invites the next one', 'That checks. Okay, fire away.'],
  ['invites the next one', "That checks. Ask away, I'm not going anywhere."],
])('no obstacle is met if the person %s: "%s"', (_, reply) => {
  expect(after(reply, 2).words).toContain(second?.question);
});

test('who found nobody denies nothing of them, though they seem to ask for more', () => {
  const payer = planWith({
    task_type: 'VERIFY_INSURANCE',
    callee: 'insurer',
    items: itemsOf('VERIFY_INSURANCE', { facts: [], wishes: '', isRescheduling: false }),
    subject: 'about insurance benefits',
  });
  const question = { text: 'Is the coverage active?', fields: [], kind: 'question' as const };
  const memory = {
    pending: 'coverage_active',
    attempts: { coverage_active: 1 },
    last_words: [question],
    purpose_said: true,
  };
  const replies = [
    "And by the birth date. I've tried it three ways and there's no such member in our system.",
    "No, that's the whole thing, I don't have her, so there are no benefits I could read to you.",
  ];
  const { answers, memory: after } = talk(proceedWithQuestions, replies, { plan: payer, memory });
  expect(after.obstacles.member_not_found).toBeGreaterThan(0);
  expect(answers.coverage_active?.value ?? null).toBeNull();
});

test('the missing consent of the patient stops all questions', () => {
  const { words } = after('I can only discuss that with the patient herself. What else?', 1);
  expect(words).toContain('What should we do instead?');
});

test('who turns us away twice, and has answered nothing, turns all questions away', () => {
  const reply = "I can't say on the phone. It has to be a portal message. Anything else?";
  const plan = planWith({ task_type: 'CUSTOM_TASK', callee: 'office', items, subject: 'with questions' });
  const question = { text: first?.question ?? '', fields: [], kind: 'question' as const };
  const memory = {
    pending: 'question_0',
    attempts: { question_0: 1 },
    last_words: [question],
    purpose_said: true,
  };
  const { turns } = talk(proceedWithQuestions, [reply, reply], { plan, memory });
  expect(turns[0]?.words).toContain(first?.question);
  expect(turns[1]?.words).toContain('What should we do instead?');
});

test.each([
  ["Not by phone, I'm sorry. Portal only.", true],
  ['Yes. The name has to be on the form, though.', false],
  ['For that kindly check the website. I am quoting active coverage.', false],
])('whether words turn our question away without a yes or no: "%s"', (said, expected) => {
  const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
  const quote = heard.moves.at(-1)?.text ?? '';
  expect(isWithheld(heard, 'Is the coverage currently active?', quote)).toBe(expected);
});

test('a person who turns us away and says goodbye is not asked what else we could do', () => {
  const { words, actions } = after("I'm not allowed to tell you anything. Goodbye now.", 2);
  expect(words).toBe('');
  expect(actions).toContainEqual(expect.objectContaining({ type: 'end', reason: 'declined' }));
});

test('a person who reproaches us with asking again is asked the next', () => {
  const said = "I've told you that twice now. I'm not going over it again. Anything besides that?";
  expect(after(said, 1).words).toContain(second?.question);
});

test('why they cannot help outweighs that they cannot', () => {
  const said = "I can't book that over the phone, I'm afraid. A faxed referral has to come first.";
  const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
  expect(obstacleIn(heard)).toMatchObject({
    reason: 'needs_referral',
    move: { text: 'A faxed referral has to come first.' },
  });
});

test.each([
  ["That's on the portal. I'm not able to read claims out, none of us are.", true],
  ["No ma'am, I'm not permitted. Only in the member portal.", true],
  ["I can't look at a claim without a member, and I don't have her.", true],
  ["It's on hold at the minute.", false],
  ["We are waiting for the operative report. It hasn't been denied.", false],
])('whether words withhold the status of a claim: "%s"', (said, expected) => {
  expect(withholds(understand(said, 1, { today: '2026-11-16', after: 'question' }))).toBe(expected);
});

test('who gives nothing without what we lack withholds it', () => {
  const heard = understand('No code, no benefits.', 1, { today: '2026-11-16', after: 'question' });
  expect(obstacleIn(heard)?.reason).toBe('withheld');
});
