import { describe, expect, test } from 'vitest';
import { handleMachine, handleMachineSilence } from '#shared/voice-agent/built-in-model/menu.ts';
import { choicesIn } from '#shared/voice-agent/built-in-model/menu-choices.ts';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';
import { planWith, talk } from './talking.ts';

const insurer = planWith({
  task_type: 'VERIFY_INSURANCE',
  callee: 'insurer',
  subject: 'about insurance benefits',
  items: [],
});
const atPickUp = { isVerified: false };
const listen = (prompts: string[], line = {}) => talk(handleMachine, prompts, { ...atPickUp, ...line });
const endOf = (prompt: string, line = {}) =>
  listen([prompt], line).last.actions.find(({ type }) => type === 'end');

describe('choices', () => {
  test.each([
    [
      'For appointments, press 2 or say scheduling. For billing, press 3.',
      ['2 for appointments scheduling', '3 for billing'],
    ],
    ['press one for appointments, two for billing', ['1 for appointments', '2 for billing']],
    [
      'thank you for calling oak hill for new patients press one for all others press two',
      ['1 for new patients', '2 for all others'],
    ],
    [
      'Scheduling, press 1. To hear this menu again, press star.',
      ['1 scheduling', '* to hear this menu again'],
    ],
    ['Enter your ID followed by the pound key.', []],
  ])('%s', (said, expected) => {
    expect(choicesIn(tokenize(said)).map(({ key, text }) => `${key} ${text}`)).toEqual(expected);
  });
});

describe('menus', () => {
  test('get an answer by the purpose of the call', () => {
    const menu = 'For billing press 1, for eligibility and benefits press 2, for claims press 3.';
    expect(listen([menu], { plan: insurer }).last.keys).toEqual(['2']);
    expect(listen(['To cancel, press 1. To schedule an appointment, press 2.']).last.keys).toEqual(['2']);
  });

  test.each([
    'If you are a member, press 1. If you care for our members, press 2.',
    'Members, press 1. Clinics and medical practices, press 2.',
    'For members, press 1. If you treat our members, press 2.',
  ])('of a payer are for those who treat its members: "%s"', (menu) => {
    expect(listen([menu, '.'], { plan: insurer }).turns.flatMap(({ keys }) => keys)).toContain('2');
  });

  test('are waited for until read completely', () => {
    const { turns, memory } = listen([
      'For prescription refills, press 1. For billing, press 2.',
      'For the front desk, press 5.',
    ]);
    expect(turns.map(({ keys }) => keys)).toEqual([[], ['5']]);
    expect(memory).toMatchObject({ line: 'machine', purpose_said: false });
  });

  test('lead to a person if nothing fits and nothing follows', () => {
    const silent = (prompt: string) =>
      talk(
        (draft, heard) => (heard.said === '.' ? handleMachineSilence(draft) : handleMachine(draft, heard)),
        [prompt, '.'],
        atPickUp,
      );
    expect(silent('For prescription refills, press 1. For billing, press 2.').last.keys).toEqual(['0']);
    expect(silent('For scheduling, press 1. For billing, press 2.').last.keys).toEqual([]);
  });

  test('get another key when repeated', () => {
    const menu = 'For appointments, press 1. For new patients, press 2.';
    const { turns } = listen([menu, menu]);
    expect(turns.map(({ keys }) => keys)).toEqual([['1'], ['2']]);
  });

  test('get the same key once more if they did not accept it', () => {
    const menu = 'For appointments, press 1. For billing, press 2.';
    const { turns } = listen([menu, `I'm sorry, I did not get that, please try again. ${menu}`]);
    expect(turns.map(({ keys }) => keys)).toEqual([['1'], ['1']]);
  });

  test('get words if they want words', () => {
    const prompt =
      "In a few words, please tell me why you're calling. You can say things like claims or benefits.";
    const { turns } = listen([prompt, 'Did you say benefits? Please say yes or no.', prompt], {
      plan: insurer,
    });
    expect(turns.map(({ words }) => words)).toEqual(['Benefits.', 'Yes.', 'Representative.']);
    const clinic = "Please tell me in a few words what you're calling about.";
    expect(listen([clinic]).last.words).toBe('Scheduling an appointment.');
  });
});

describe('digit entries', () => {
  const entered = (prompt: string) => listen([prompt], { plan: insurer }).last;

  test('are keyed in from allowed facts', () => {
    expect(entered("Please enter the member's ID number, followed by the pound key.").keys).toEqual([
      '4471902#',
    ]);
    expect(entered('Please enter the last four digits of the member ID.').keys).toEqual(['1902']);
    expect(entered("Please enter the patient's date of birth.").keys).toEqual(['07121984']);
    expect(
      entered('Please enter the date of birth as two digit month, two digit day, two digit year.').keys,
    ).toEqual(['071284']);
  });

  test('record the disclosure', () => {
    expect(entered("Please enter the patient's date of birth.").actions).toContainEqual({
      type: 'disclose',
      field: 'patient.date_of_birth',
    });
  });

  test('end with zero if the fact is unknown, forbidden, or refused twice', () => {
    expect(entered('Please enter your tax ID.').keys).toEqual(['0']);
    expect(entered('Please enter the phone number of the member.').keys).not.toEqual(['2025550143']);
    const again = listen(
      Array.from({ length: 3 }, () => 'Please enter the member ID.'),
      { plan: insurer },
    );
    expect(again.turns.map(({ keys }) => keys[0])).toEqual(['4471902', '4471902', '0']);
  });
});

describe('recordings', () => {
  test.each([
    'Your call is important to us. Please stay on the line.',
    'Thank you for calling. You are number three in the queue.',
    'All of our representatives are busy assisting other callers.',
    'You are on hold for the scheduling desk.',
    '♪',
  ])('wait through %s', (said) => {
    const { last, memory } = listen([said]);
    expect(last.actions).toContainEqual({ type: 'wait' });
    expect(last.words).toBe('');
    expect(memory.line).toBe('machine');
  });

  test.each([
    'You have reached the voicemail of Dr. Wu. Please leave a message after the tone.',
    "Hi, you've reached Becky in scheduling, I'm away from my desk, so please leave your name and number " +
      "and I'll call you right back.",
    "You have called the Tidewater center outside our hours. We're back Monday at eight. " +
      'Messages can be left after the signal.',
    "hi it's ray i can't come to the phone right now leave a message at the beep",
    "Yep, Dov, Tern Street Repair. I can't get to the phone. Name and number, quick as you can.",
  ])('leave a message with %s', (said) => {
    expect(endOf(said)).toEqual({ type: 'end', reason: 'voicemail', farewell: 'voicemail' });
  });

  test('are listened to until a person answers', () => {
    const { turns } = listen([
      'Your call is important to us. Please stay on the line.',
      'Did you know? Adults need seven hours of sleep.',
      'Sleep lab, this is Odell, how can I help you?',
    ]);
    expect(turns.map(({ returned }) => returned)).toEqual([true, true, false]);
  });

  test.each([
    'Our office is currently closed. Our hours are Monday to Friday, nine to five. Please call back ' +
      'during business hours.',
    "Hello, this is Ilse at Tern Street Dental. We're closed for the week while they fix the roof. We can't take " +
      'messages here. Please call back Tuesday at nine. To hear this again, press 3.',
    "It's Ilse at Tern Street Dental, we're closed right now. We're open Tuesday to Friday, 9 AM to 3 PM. Please " +
      'call again then. To hear it again, press 3.',
  ])('lead to a later call if closed: %s', (said) => {
    expect(endOf(said)).toEqual({ type: 'end', reason: 'call-again', farewell: 'call-again' });
  });

  test.each([
    'You can press one when you call next time.',
    'Thanks for calling Oak Hill, this call is recorded, this is Tom, how can I help you?',
    'Can you please hold?',
    'What is the date of birth?',
    'Tern Street Dental, Ilse. Name and number?',
    "I can't get to the phone list from here, what is the name?",
    "He's with a patient. Name and number?",
  ])('a person says: %s', (said) => {
    expect(listen([said]).last.returned).toBe(false);
  });

  test('no message is left with a person who offers to take one', () => {
    const offer = "She's not in today, would you like to leave a message?";
    const { turns } = listen([offer, 'I can only take a message, do you want to leave a message?']);
    expect(turns[0]?.words).toContain('No, thank you');
    expect(turns[1]?.actions).toContainEqual({ type: 'end', reason: 'call-again', farewell: 'call-again' });
  });
});
