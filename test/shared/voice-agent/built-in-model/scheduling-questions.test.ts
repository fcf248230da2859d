import { describe, expect, test } from 'vitest';
import { proceedWithScheduling } from '#shared/voice-agent/built-in-model/scheduling.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { planWith, talk } from './talking.ts';

describe("a client's own questions", () => {
  const replyTo = (question: string, reply: string) => {
    const wish = { ...clientItem('wish_0', question, null, []), required: true };
    const plan = planWith({ items: [wish] });
    const memory = { purpose_said: true, pending: 'wish_0', attempts: { wish_0: 1 } };
    const prompts = ['I have Monday at nine.', 'Booked for Monday at nine.', reply];
    return talk(proceedWithScheduling, prompts, { plan, memory });
  };

  test('about a time are answered by a few minutes', () => {
    const { turns, answers } = replyTo(
      'How early should the patient come?',
      '20 minutes before, for the forms.',
    );
    expect(turns[1]?.words).toContain('ow early');
    expect(answers.wish_0?.quote).toContain('20 minutes before');
    expect(turns[2]?.actions).not.toContainEqual({ type: 'wait' });
  });

  test('are not answered by what hardly says yes or no', () => {
    const { answers } = replyTo('Can the patient drive herself?', 'Mm, that the doctor has to tell you.');
    expect(answers.wish_0?.value ?? null).toBeNull();
  });
});

test('a booking stands beside a number to write down', () => {
  const memory = { purpose_said: true, pending: 'appointment_time' };
  const prompts = ['I have Monday at nine.', "It's booked, Monday the 23rd at 9 AM. Write down AG41607."];
  const { answers } = talk(proceedWithScheduling, prompts, { memory });
  expect(answers.booking_confirmed?.value).toBe(true);
});

test('whether it is booked is answered by a yes with the time and idle words beside it', () => {
  const reply = "That is correct, Monday, November 23rd, at nine o'clock in the morning. Full points.";
  const memory = { purpose_said: true, pending: 'appointment_time' };
  const prompts = ['I have Monday at nine.', 'Very good. Monday, November 23rd, at nine.', reply, reply];
  const { turns, answers } = talk(proceedWithScheduling, prompts, { memory });
  expect(turns[2]?.words).toContain('booked now?');
  expect(answers.booking_confirmed?.value).toBe(true);
});

test.each([
  "That's right, it was Monday at nine, and it's taken.",
  'That is correct, but Monday at nine is gone now, sorry.',
])('whether it is booked is not answered by a yes to a time that is gone: "%s"', (reply) => {
  const memory = { purpose_said: true, pending: 'appointment_time' };
  const prompts = ['I have Monday at nine.', 'Very good. Monday, November 23rd, at nine.', reply, reply];
  const { answers } = talk(proceedWithScheduling, prompts, { memory });
  expect(answers.booking_confirmed?.value ?? null).toBeNull();
});

test('who asks for what we cannot tell hears no details before they can help', () => {
  const owing = { memory: { purpose_said: true, pending: 'appointment_time', owes_details: true } };
  const wordsOf = (said: string): string => talk(proceedWithScheduling, [said], owing).last.words;
  const unknown = wordsOf("Which doctor's account is it on?");
  expect(unknown).toContain("I don't have that information");
  expect(unknown).not.toContain('availability');
  expect(wordsOf('Sure, I can help with that.')).toContain('availability');
});
