import { describe, expect, test } from 'vitest';
import { disclosedFields, type TaskInput, talk, transcriptOf } from '../../../support/conversation.ts';

const physical: TaskInput = {
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Schedule an annual physical.',
  task_data: { timeframe_availability: 'any weekday in the next month', patient_status: 'new' },
};
const benefits: TaskInput = { task_type: 'VERIFY_INSURANCE', task: 'Verify the benefits.', task_data: {} };
const claim: TaskInput = {
  task_type: 'REIMBURSEMENT',
  task: 'Find out the status of the claim.',
  task_data: { case_info: { number: 'CLM-10293' } },
};

function endingOf(input: TaskInput, lines: readonly string[]): string | null {
  const conversation = talk(input, lines);
  return conversation.isOver ? conversation.result.ending : `goes on:\n${transcriptOf(conversation)}`;
}

describe('a practice that takes nobody', () => {
  test.each([
    "Our panel's full, we haven't taken a new patient since March.",
    "I'm sorry, we're closed to new patients right now, and so is the waiting list.",
    'None of the doctors has room for anybody new.',
    "We can't take on any new patients at this point.",
    'Dr. Hale is not adding new patients to her panel.',
    "I can't get anyone new in, the list is shut as well.",
  ])('has declined: %s', (line) => {
    const repeated = ['Oak Street Family Practice, this is Gwen.', line, line, line];
    expect(endingOf(physical, repeated)).toBe('declined');
  });
});

describe('who is not in, and what is not in network', () => {
  test.each([
    "she's not in our network no out of network",
    "No, he isn't in network, that provider is out of network.",
    'The network is out of state for that one.',
  ])('says nothing about another time: %s', (line) => {
    const { isOver } = talk(benefits, [
      'Prairie Mutual, provider services, this is Ann.',
      'Yes, go ahead.',
      line,
    ]);
    expect(isOver).toBe(false);
  });

  test('a person who is not in is called again', () => {
    expect(
      endingOf(physical, [
        'Dr. Webb’s office.',
        'The lady who does the schedule is not in today, call back tomorrow.',
      ]),
    ).toBe('call-again');
  });
});

describe('somebody who demands what nobody has', () => {
  test('has declined, also when they say to call back with it', () => {
    expect(
      endingOf(benefits, [
        'Blue Mesa Health, provider line, Carl speaking.',
        "I need the provider's tax ID first.",
        "Without the tax ID I can't release anything.",
        "I can't give out a thing without the tax ID. Call back when you have it. Bye.",
      ]),
    ).toBe('declined');
  });
});

describe('somebody who has not said where they are', () => {
  test.each([
    ["yeah hello? what's that, a claim? what's the name on it"],
    ['hello, yes, a claim you say, who is it for'],
    ['Hello?', "What claim? Who's it about?"],
    ['hello hold on a sec yeah hello', "claim what did somebody scratch your truck what's the name on it"],
    ['hello hold on turn that down okay hello', 'what claim, whose name is it under'],
  ])('learns no name (%s)', (...lines) => {
    const conversation = talk(claim, lines);
    expect(disclosedFields(conversation), transcriptOf(conversation)).toEqual([]);
  });
});

describe('somebody new after the holding line', () => {
  test.each([
    'Thank you for holding for Willow Creek Orthopedics.',
    'Thanks for holding for Willow Creek.',
    'Thank you for holding, your call will be answered shortly.',
  ])('is told who calls and why, and the line itself is not answered: %s', (announcement) => {
    const conversation = talk(physical, [
      'Willow Creek, this is the operator.',
      'Sure, hold please for scheduling.',
      announcement,
      announcement,
      'Hey, scheduling desk, Roz here.',
    ]);
    const [, , first, second, reply] = conversation.replies;
    expect([first, second], transcriptOf(conversation)).toEqual([null, null]);
    expect(reply).toMatch(/automated assistant.*appointment/);
  });
});
