import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { readAgain } from '#shared/voice-agent/result/second-reading.ts';
import { answer as recorded } from './booked-conversation.ts';
import { again, ask, benefits, planOf, turnsOf, visit } from './reading-again.ts';

test('what was confirmed stands against what was said before, and not against what follows', () => {
  const answer = recorded('deductible', 1200, 'Out of network, which is yours, $1,200.', 1);
  const lines = [
    ask(benefits, 'deductible'),
    'The deductible is $400 in network. Out of network, which is yours, $1,200.',
    'So the deductible is $1,200. Is that right?',
    "Yes, that's correct.",
  ];
  const confirmed = { ...answer, confirmed_at: 3 };
  expect(again(benefits, lines, [answer]).get('deductible')).toMatchObject({ needs_review: true });
  expect(again(benefits, lines, [confirmed]).get('deductible')).toMatchObject({
    value: 1200,
    needs_review: false,
  });
  const more = [...lines, 'Thank you.', 'Sorry, I misread that. The deductible is one thousand dollars.'];
  expect(again(benefits, more, [confirmed]).get('deductible')).toMatchObject({ needs_review: true });
});

describe('an answer needs review', () => {
  test('if a later statement contradicts it, and keeps both quotes', () => {
    const answer = recorded('deductible', 1500, 'The deductible is $1,500.', 1);
    const lines = [
      ask(benefits, 'deductible'),
      answer.quote,
      ask(benefits, 'coinsurance'),
      'Sorry, I misread that. The deductible is one thousand dollars.',
    ];
    expect(again(benefits, lines, [answer]).get('deductible')).toMatchObject({
      value: null,
      needs_review: true,
      quote: answer.quote,
      turn: 1,
      answer: '"The deductible is $1,500." But also: "The deductible is one thousand dollars."',
    });
  });

  test('if the last statement is withdrawn without naming it', () => {
    const answer = recorded('copay', 40, 'The copay is forty dollars.', 1);
    const lines = [
      ask(benefits, 'copay'),
      answer.quote,
      ask(benefits, 'deductible'),
      'Wait, no, scratch that, I misspoke, it is thirty dollars.',
    ];
    expect(again(benefits, lines, [answer]).get('copay')).toMatchObject({ value: null, needs_review: true });
  });

  test.each(['oh i transposed that', 'Wait, I misread it.'])(
    'if a prompt of its own announces that it was wrong: "%s"',
    (slip) => {
      const answer = recorded('deductible_met', 256, 'She has met $256.', 1);
      const lines = [ask(benefits, 'deductible_met'), answer.quote, 'All right.', slip, 'I see.', '$265'];
      expect(again(benefits, lines, [answer]).get('deductible_met')).toMatchObject({ needs_review: true });
      expect(again(benefits, lines, []).has('deductible_met')).toBe(false);
      const asked = [...lines.slice(0, 4), ask(benefits, 'copay'), '$265'];
      expect(again(benefits, asked, [answer]).get('deductible_met')).toMatchObject({ value: 256 });
    },
  );

  test('if a yes has a condition, which is in its text', () => {
    const said = 'Yes, the provider is in network, as long as she stays with the group.';
    const answer = recorded('in_network', true, 'Yes, the provider is in network,', 1);
    const found = again(benefits, [ask(benefits, 'in_network'), said], [answer]).get('in_network');
    expect(found).toMatchObject({ value: null, needs_review: true });
    expect(found?.answer).toContain('as long as she stays with the group');
    expect(said).toContain(found?.quote);
  });

  test('if the condition of a yes comes a moment later', () => {
    const item = clientItem('question_0', 'Can a student get extra time?', null, []);
    const lines = [
      item.question,
      'Yeah, people get extra time.',
      'I mean, yes, only if the office has a letter on file.',
    ];
    const turns = turnsOf(lines).map((turn) =>
      turn.index === 0 ? turn : { ...turn, role: 'user' as const },
    );
    const answer = recorded('question_0', true, 'Yeah, people get extra time.', 1);
    const [found] = readAgain({ ...benefits, items: [item] }, [answer], turns);
    expect(found).toMatchObject({ value: null, needs_review: true });
    expect(found?.answer).toContain('only if the office has a letter on file');
  });

  test.each([
    'Not at first. Only after the twelfth visit.',
    'It is required only once the first ten are used.',
    'It is, only with an outside referral.',
  ])('if it applies only after, once or with something else: "%s"', (said) => {
    const answer = recorded('pre_authorization', true, said.split('. ')[0] ?? said, 1);
    const found = again(benefits, [ask(benefits, 'pre_authorization'), said], [answer]);
    expect(found.get('pre_authorization')).toMatchObject({ value: null, needs_review: true });
  });

  test('if it is based on another tier than asked', () => {
    const answer = recorded('deductible', 4000, 'The out-of-network deductible is four thousand.', 1);
    const found = again(benefits, [ask(benefits, 'deductible'), answer.quote], [answer]).get('deductible');
    expect(found).toMatchObject({ value: null, needs_review: true });
  });

  test('if the end date was taken for the start date', () => {
    const answer = recorded('effective_date', '2026-03-03', 'Coverage terminated on March 3rd, 2026.', 1);
    const found = again(benefits, [ask(benefits, 'effective_date'), answer.quote], [answer]);
    expect(found.get('effective_date')).toMatchObject({ value: null, needs_review: true });
  });

  test('if another time is booked than chosen', () => {
    const answers = [
      recorded('appointment_time', '2026-11-24T10:30', 'I have Tuesday, November 24th at 10:30.', 1),
      recorded('booking_confirmed', true, "You're all booked", 3),
    ];
    const lines = [
      ask(visit, 'appointment_time'),
      'I have Tuesday, November 24th at 10:30.',
      'Please book that.',
      "You're all booked for Wednesday, November 25th at 2 PM, the appointment is set.",
    ];
    const found = again(visit, lines, answers);
    expect(found.get('appointment_time')?.needs_review).toBe(true);
  });

  test("if the answer to a client's question is withdrawn", () => {
    const plan = planOf('CUSTOM_TASK', {
      questions_to_ask: [{ index: 0, question: 'Do you take walk-ins?' }],
    });
    const answer = recorded('question_0', true, 'Yes, we take walk-ins.', 1);
    const lines = [
      'Do you take walk-ins?',
      answer.quote,
      'Thank you. What else?',
      'Sorry, scratch that, I was wrong, no, we do not.',
    ];
    expect(again(plan, lines, [answer]).get('question_0')).toMatchObject({ value: null, needs_review: true });
  });

  test('if it was made of a refusal', () => {
    const answer = recorded('in_network', false, "I'm sorry, I can't give that information out.", 1);
    const found = again(benefits, [ask(benefits, 'in_network'), answer.quote], [answer]).get('in_network');
    expect(found).toMatchObject({ value: null, needs_review: true });
  });
});
