import { describe, expect, test } from 'vitest';
import { handleLine } from '#shared/voice-agent/built-in-model/line.ts';
import { clientItem, itemsOf } from '#shared/voice-agent/call-plan/items.ts';
import { planWith, type Talk, talk } from './talking.ts';

const item = clientItem('question_0', 'How many books may a reader borrow?', null, []);
const plan = planWith({
  task_type: 'CUSTOM_TASK',
  callee: 'office',
  items: [item],
  subject: 'with a question',
});

function handle(reply: string): Talk {
  const question = { text: item.question, fields: [], kind: 'question' as const };
  return talk(handleLine, [reply], { plan, memory: { pending: item.key, last_words: [question] } });
}

const elsewhere = "That's the lending department, upstairs.";

test('a person not in charge is asked to transfer us', () => {
  const { returned, words } = handle(elsewhere).last;
  expect(returned).toBe(true);
  expect(words).toContain('transfer me');
});

test.each([
  ['I number my calls. Yours is one three seven two.', false],
  ['We return calls within a day.', false],
  ["You'll have it by the end of next week. If not, call me.", false],
  ["Please don't tell me any more about him.", false],
  ['Do not call this number again, please.', true],
  ["Don't contact us again.", true],
  ['take us off the list', true],
  ['Put us on your do-not-call and have a live body call if they want something.', true],
  ['Remove this number and send us a letter like everybody else does.', true],
])('an opt-out says that something ends: "%s"', (said, isOver) => {
  const { actions } = handle(said).last;
  expect(actions.some((action) => action.type === 'end' && action.reason === 'opted-out')).toBe(isOver);
});

test.each(["I don't want any more of your messages.", 'No more of these, please.'])(
  'a stranger opts out without a word for a call, too: "%s"',
  (said) => {
    const { actions } = talk(handleLine, [said], { isVerified: false }).last;
    expect(actions).toContainEqual(expect.objectContaining({ type: 'end', reason: 'opted-out' }));
  },
);

test('"Which benefit may I quote for you?" sells nothing', () => {
  expect(handle('Which benefit may I quote for you today?').last.words).toBe('');
  expect(handle('May I interest you in our platinum card today?').last.words).not.toBe('');
});

test('a payer who reports a benefit is the right desk', () => {
  const items = itemsOf('VERIFY_INSURANCE', { facts: [], wishes: '', isRescheduling: false });
  const payer = planWith({
    task_type: 'VERIFY_INSURANCE',
    callee: 'insurer',
    items,
    subject: 'about benefits',
  });
  const said = 'i am reading that the facility is not outside it is in network is there any other thing';
  const { returned, words } = talk(handleLine, [said], {
    plan: payer,
    memory: { pending: 'coverage_active' },
  }).last;
  expect([returned, words]).toEqual([false, '']);
});

test('a payer who reports the status of a claim is not off task', () => {
  const items = itemsOf('REIMBURSEMENT', { facts: [], wishes: '', isRescheduling: false });
  const payer = planWith({
    task_type: 'REIMBURSEMENT',
    callee: 'claims-department',
    items,
    subject: 'about a claim',
  });
  const said = "That's her. It's approved and paid, all done.";
  expect(talk(handleLine, [said], { plan: payer, memory: { pending: 'claim_status' } }).last.words).toBe('');
});

test('a person not in charge who answers anyway is not', () => {
  const { returned, words } = handle(`Eight books at a time. ${elsewhere}`).last;
  expect(returned).toBe(false);
  expect(words).toBe('');
});

test('a person who is not in charge of one question is asked the others', () => {
  const question = { text: item.question, fields: [], kind: 'question' as const };
  const memory = { pending: item.key, last_words: [question], closed: ['question_1'] };
  expect(talk(handleLine, [elsewhere], { plan, memory }).last.returned).toBe(false);
});

test('a person who asks us something after mentioning another does not transfer us', () => {
  expect(handle('Let me transfer you to lending.').last.returned).toBe(true);
  expect(handle("I'll transfer you to lending if I get stuck. What's the card number?").last.returned).toBe(
    false,
  );
});

test('giving us a number is not a transfer', () => {
  expect(handle("I'm giving you AG41607.").last.returned).toBe(false);
});

test.each([
  ["Shipwrights' hall, Vernon here. The secretary's at lunch.", false],
  ["Records, this is Lou, Carol's off till Monday.", false],
  ['Call back after lunch, the secretary is out.', true],
])('who greets us with who is away postpones nothing: "%s"', (said, isOver) => {
  const { actions } = talk(handleLine, [said], { plan, isVerified: false, memory: { prompts: 1 } }).last;
  expect(actions.some((action) => action.type === 'end' && action.reason === 'call-again')).toBe(isOver);
});

test('what comes after the time that was asked for is not a time to call back', () => {
  const until = clientItem('question_0', 'Until what time do you take same-day orders?', null, []);
  const question = { text: until.question, fields: [], kind: 'question' as const };
  const line = {
    plan: { ...plan, items: [until] },
    memory: { pending: until.key, purpose_said: true, last_words: [question] },
  };
  const reply = (said: string) => talk(handleLine, [said], line).last;
  expect(reply("Three in the afternoon. After that it's tomorrow.").actions).not.toContainEqual(
    expect.objectContaining({ type: 'end' }),
  );
  expect(reply('You have to call back after lunch.').actions).toContainEqual(
    expect.objectContaining({ type: 'end', reason: 'call-again' }),
  );
});

test('a condition without which there is no visit is no time to call back', () => {
  const said = "I can't put her on without a referral, I'm sorry. Once it's here, we call her.";
  const { last } = talk(handleLine, [said], { plan: planWith(), memory: { purpose_said: true } });
  expect(last.actions).not.toContainEqual(expect.objectContaining({ type: 'end' }));
});

test.each([
  ['Try me. Parking permits. Alright.', false],
  ['Try calling back in an hour.', true],
])('asked whether they can help: "%s"', (said, isOver) => {
  const memory = { pending: 'purpose', purpose_said: true };
  const { last } = talk(handleLine, [said], { plan, memory });
  expect(last.actions.some((action) => action.type === 'end')).toBe(isOver);
});

test('a wrong number is no refusal of machines', () => {
  const said = "You've got the wrong number, I don't have a thing to do with medicine.";
  const { actions } = talk(handleLine, [said], { isVerified: false }).last;
  expect(actions).not.toContainEqual(expect.objectContaining({ type: 'end' }));
});

test.each([
  ["We were short the strap. It'll be tomorrow after three.", false],
  ['You have to call back tomorrow after three.', true],
])('when something is ready is no time to call back: "%s"', (said, isOver) => {
  const ready = clientItem('question_0', 'Is the brace ready?', null, []);
  const question = { text: ready.question, fields: [], kind: 'question' as const };
  for (const pending of [ready.key, 'value-read-back']) {
    const { last } = talk(handleLine, [said], {
      plan: { ...plan, items: [ready] },
      memory: { pending, purpose_said: true, last_words: [question] },
    });
    expect(last.actions.some((action) => action.type === 'end')).toBe(isOver);
  }
});

test.each([
  'Huh. Nothing under that. Try the name, then.',
  'Well, let me try her last name, then.',
  'Noted. And now a contact telephone number.',
])('a request for what identifies the patient ends no call: "%s"', (said) => {
  const memory = { purpose_said: true };
  const { last } = talk(handleLine, [said], { plan: planWith({ callee: 'insurer' }), memory });
  expect(last.actions).not.toContainEqual(expect.objectContaining({ type: 'end' }));
});

test('a request to remove a number ends the call', () => {
  const { last } = talk(handleLine, ['Remove this number from your list.'], {
    plan: planWith({ callee: 'insurer' }),
    memory: { purpose_said: true },
  });
  expect(last.actions).toContainEqual(expect.objectContaining({ type: 'end', reason: 'opted-out' }));
});

describe('asked for an opening', () => {
  const clinic = planWith();
  const answered = (reply: string, prompts: number): Talk =>
    talk(handleLine, [reply], {
      plan: clinic,
      memory: { pending: 'appointment_time', purpose_said: true, prompts },
    });

  test.each([
    "I'm alone up here with a full waiting room. Whoever keeps the book comes at three. Call after three, please.",
    'You have to call back tomorrow morning.',
  ])('a time to call back is not an opening: "%s"', (reply) => {
    const { last } = answered(reply, 2);
    expect(last.actions).toContainEqual(expect.objectContaining({ type: 'end', reason: 'call-again' }));
  });

  test('a long first speech that promises to call back may be a mailbox’s, and postpones nothing', () => {
    const reply =
      "Hey, it's Robin at Larkspur Dental, so happy you rang. I'm out in the yard or under the sink. " +
      "You know how it goes, name and number, and I'll ring you back tomorrow.";
    const { last } = answered(reply, 1);
    expect(last.actions).not.toContainEqual(expect.objectContaining({ reason: 'call-again' }));
  });
});

test('a recording that takes no messages is no mailbox', () => {
  const said =
    "You've reached the Pellmar Claims Center. We are closed for inventory today. Please call again tomorrow between " +
    'eight a.m. and four p.m. Messages cannot be left on this line.';
  const { last } = talk(handleLine, [said], { plan: planWith(), isVerified: false, listener: 'machine' });
  expect(last.actions).toContainEqual(expect.objectContaining({ type: 'end', reason: 'call-again' }));
});

test('a person who refers to themselves is not a recording of a closed office', () => {
  const said =
    'Well, go on. Unless he has been in before I cannot take him, our list is closed. This is the front, you got it.';
  const { last } = talk(handleLine, [said], { plan: planWith(), memory: { pending: 'reach', prompts: 1 } });
  expect(last.actions.some(({ type }) => type === 'end')).toBe(false);
});

test('a person who says yes is not a recording of a closed office', () => {
  const said =
    "Yes, of course. We don't see anyone any more. The practice closed last month, there's no doctor.";
  const memory = { pending: 'purpose', purpose_said: true, prompts: 2 };
  const { last } = talk(handleLine, [said], { plan: planWith(), isVerified: false, memory });
  expect(last.actions).not.toContainEqual(expect.objectContaining({ type: 'end', reason: 'call-again' }));
});

test.each([
  "I've told you that three times now. I'm not going over it again.",
  "They live in the county, do they? Just so I'm not wasting your time.",
])('a person who is tired of a question, or has one, does not refuse us: "%s"', (said) => {
  const { actions } = talk(handleLine, [said], { isVerified: false }).last;
  expect(actions).not.toContainEqual(expect.objectContaining({ type: 'end' }));
});

test('a person who has no time now is called again', () => {
  const said = 'The alarm is going, I have to get everyone out. Try us tomorrow after one thirty.';
  const memory = { pending: 'purpose', purpose_said: true };
  const { last } = talk(handleLine, [said], { plan, memory });
  expect(last.actions).toContainEqual(expect.objectContaining({ type: 'end', reason: 'call-again' }));
});

test('a mailbox that sounds like a person asks who calls, and calls back', () => {
  const said =
    "hi this is robin so i'm with a patient right now tell me who you are and what it's about " +
    "and i'll get right back to you";
  const { last } = talk(handleLine, [said], { plan: planWith(), isVerified: false, memory: { prompts: 1 } });
  expect(last.actions).toContainEqual(expect.objectContaining({ type: 'end', reason: 'voicemail' }));
});
