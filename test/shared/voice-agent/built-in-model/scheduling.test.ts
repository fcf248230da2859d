import { describe, expect, test } from 'vitest';
import { handleLine } from '#shared/voice-agent/built-in-model/line.ts';
import { proceedWithScheduling, remindOfScheduling } from '#shared/voice-agent/built-in-model/scheduling.ts';
import { planWith, talk } from './talking.ts';

const started = { memory: { purpose_said: true, pending: 'appointment_time' } };
const negotiate = (prompts: string[], line = {}) =>
  talk(proceedWithScheduling, prompts, { ...started, ...line });
const wordsOf = (prompts: string[], line = {}) => negotiate(prompts, line).turns.map(({ words }) => words);

describe('offers', () => {
  test('that fit are taken with day and time', () => {
    const { last, answers } = negotiate([
      "I've got Tuesday at two or Thursday at ten fifteen with Dr. Okafor.",
    ]);
    expect(last.words).toBe('Thursday, November 26 at 10:15 AM with Dr. Okafor works. Please book that.');
    expect(answers.appointment_time).toMatchObject({
      value: '2026-11-26T10:15',
      turn: 1,
      needs_review: false,
    });
    expect(answers.provider_name?.value).toBe('Dr. Okafor');
    expect(answers.booking_confirmed).toBeUndefined();
  });

  test('that do not fit are declined in varying words, and finally accepted as final', () => {
    const prompts = [
      'I have Tuesday the 24th at three.',
      'Wednesday at four?',
      'How about Thursday at 2 pm?',
      'Friday at three.',
    ];
    const { turns, answers } = negotiate(prompts);
    expect(new Set(turns.map(({ words }) => words)).size).toBe(4);
    expect(turns[0]?.words).toContain('weekday mornings');
    expect(turns[3]?.actions).toContainEqual({ type: 'end', reason: 'declined', farewell: 'follow-up' });
    expect(turns[3]?.actions).toContainEqual(
      expect.objectContaining({
        type: 'obstacle',
        obstacle: expect.objectContaining({ reason: 'no_availability' }),
      }),
    );
    expect(answers).toEqual({});
  });

  test('of a day are narrowed', () => {
    const [first, second] = wordsOf(['We have Tuesday the 24th.', 'I have 8:15 or 9:45.']);
    expect(first).toBe('Tuesday, November 24 is possible. Which times do you have then?');
    expect(second).toContain('Tuesday, November 24 at 8:15 AM works.');
  });

  test('of a few hours are taken at a time within them', () => {
    const [words] = wordsOf(['I have something between nine and eleven on Tuesday.']);
    expect(words).toContain('Tuesday, November 24 at 9 AM works.');
  });

  test('of a weekday that contradicts the date are clarified', () => {
    const { turns, answers } = negotiate(['I have Tuesday the 25th at ten.', 'Wednesday the 25th.']);
    expect(turns[0]?.words).toBe(
      'Just to be sure: is that Tuesday, November 24 or Wednesday, November 25, at 10 AM?',
    );
    expect(turns[1]?.words).toContain('Wednesday, November 25 at 10 AM works.');
    expect(answers.appointment_time?.value).toBe('2026-11-25T10:00');
  });

  test('that stay unclear are kept for review, without a value', () => {
    const { answers } = negotiate(['I have Tuesday the 25th at ten.', 'Yes.']);
    expect(answers.appointment_time).toMatchObject({ value: null, needs_review: true });
  });

  test('are not refusals, whatever is said beside them', () => {
    const said = "Thursday the 26th at nine in the morning, if she don't get called to a birth.";
    const { last } = talk((draft, heard) => handleLine(draft, heard), [said]);
    expect(last.actions.map(({ type }) => type)).not.toContain('end');
  });

  test('by video are taken if there is nothing else', () => {
    const [first, second] = wordsOf([
      'We could do a telehealth visit on Tuesday at nine.',
      'I only have the video visit, Tuesday at nine.',
    ]);
    expect(first).toContain('in person');
    expect(second).toContain('Tuesday, November 24 at 9 AM works.');
  });
});

test('"Correct." and the time again, asked to book it, books it', () => {
  const { answers } = negotiate([
    'I have Thursday, November 26th at 10:15.',
    'That is settled, Thursday the 26th at 10:15.',
    'Correct. Thursday, November 26th at 10:15.',
  ]);
  expect(answers.booking_confirmed).toMatchObject({ value: true });
});

describe('without an offer', () => {
  test('another way is tried first', () => {
    const { turns } = negotiate([
      "We're booked out until further notice.",
      "There's nothing available.",
      'No, nothing open.',
    ]);
    expect(new Set(turns.map(({ words }) => words)).size).toBe(3);
    expect(turns.at(-1)?.actions).toContainEqual({ type: 'end', reason: 'declined', farewell: 'follow-up' });
  });

  test('a waiting list is taken only if there is nothing else', () => {
    const { turns } = negotiate(['We can put her on the waitlist.', 'Okay, I added her.']);
    expect(turns[0]?.words).toContain('any opening');
    expect(turns[0]?.actions).toContainEqual(
      expect.objectContaining({
        type: 'obstacle',
        obstacle: expect.objectContaining({ reason: 'waitlisted' }),
      }),
    );
    expect(turns[1]?.actions).toContainEqual({ type: 'end', reason: 'declined', farewell: 'thanks' });
    const other = negotiate(['We can put her on the waitlist.', 'Well, I have Tuesday at nine.']);
    expect(other.last.words).toContain('Tuesday, November 24 at 9 AM works.');
  });

  test('are asked for once more if an obstacle has no way around it', () => {
    const { turns } = negotiate([
      "Without the doctor's referral in my hand I can't give out an appointment.",
      "You're asking the wrong girl.",
      "You're asking the wrong girl.",
    ]);
    expect(turns[0]?.words).toContain('instead');
    expect(turns[2]?.actions).toContainEqual({ type: 'end', reason: 'declined', farewell: 'follow-up' });
  });

  test.each(["There a doctor's order for it?", 'Does she have a referral from her doctor?'])(
    'a question names no obstacle: "%s"',
    (question) => {
      const { last } = negotiate([question]);
      expect(last.words).not.toContain('instead');
      expect(last.actions).not.toContainEqual(expect.objectContaining({ type: 'obstacle' }));
    },
  );

  test('a question for what was not given to us is answered so', () => {
    expect(wordsOf(["There a doctor's order for it?"])[0]).toMatch(
      /I don't have (?:that information|the referral)/,
    );
  });

  test('a preference is told', () => {
    expect(wordsOf(['When would you like to come in?'])[0]).toContain(
      "The patient's availability is: weekday mornings.",
    );
  });
});

describe('the booking', () => {
  const offer = 'I have Monday at nine.';

  test('is recorded with the confirming words and details', () => {
    const { turns, answers } = negotiate([
      offer,
      "Okay, she's booked for Monday at nine.",
      "Yes, it's LP 4471.",
      'Please bring the insurance card and a photo ID.',
    ]);
    expect(answers.booking_confirmed).toMatchObject({
      value: true,
      quote: "Okay, she's booked for Monday at nine.",
    });
    expect(answers.confirmation_number?.value).toBe('LP4471');
    expect(answers.instructions?.quote).toBe('Please bring the insurance card and a photo ID.');
    // They have said the time themselves, so that it is not read back.
    expect(turns.at(-1)?.actions).toContainEqual({ type: 'end', reason: 'finished', farewell: 'thanks' });
  });

  test('stands when the person has no number to give', () => {
    for (const said of [
      "We don't have anything like that.",
      "Oh, there's nothing of the kind available here.",
      'Just the welcome packet, filled out, and her photo ID.',
    ]) {
      const { turns, answers } = negotiate([offer, 'Booked.', said]);
      expect(answers.booking_confirmed?.value, said).toBe(true);
      expect(turns.at(-1)?.words, said).not.toContain('opening');
    }
  });

  test.each([
    "Oh no, that one is gone, we don't have it anymore.",
    "I'm so sorry, that time is no longer available.",
  ])('is taken back by words about the opening: "%s"', (said) => {
    expect(negotiate([offer, 'Booked.', said]).last.words).toContain('opening');
  });

  test('is confirmed by its number, of which the last one counts', () => {
    const given = negotiate([offer, 'All right, Monday at nine, and the confirmation number is K-7-0-4-4.']);
    expect(given.answers.booking_confirmed?.value).toBe(true);
    const told = negotiate([offer, "It's saved, Monday at nine, number KP7044. And come ten minutes early."]);
    expect(told.answers.confirmation_number?.value).toBe('KP7044');
    const { answers } = negotiate([offer, 'Booked.', "It's BL4407. Uh-uh, wrong line, make that BL7152."]);
    expect(answers.confirmation_number?.value).toBe('BL7152');
    const later = negotiate([
      offer,
      'Booked.',
      "It's BL4407.",
      'Sorry, I gave you the wrong number, it should be BL9931.',
    ]);
    expect(later.answers.confirmation_number?.value).toBe('BL9931');
    const beside = negotiate([
      offer,
      'Booked, Monday at nine. The confirmation is BL4407.',
      'Oh, for crying out loud, that was the lady before. Hers is BL9931. Her glasses, and somebody to drive.',
    ]);
    expect(beside.answers.confirmation_number?.value).toBe('BL9931');
    expect(beside.answers.instructions?.quote).toContain('Her glasses');
  });

  test('takes a number that comes one question late, and repeats that question', () => {
    const { turns, answers } = negotiate([
      offer,
      'Booked.',
      'One second.',
      'Okay, found it, R T five five one.',
      'They should fast from midnight on.',
    ]);
    expect(answers.confirmation_number?.value).toBe('RT551');
    expect(turns[3]?.words).toMatch(/bring or do|prepare/);
    expect(answers.instructions?.quote).toBe('They should fast from midnight on.');
  });

  test('stands if there is nothing to bring, and not if it is withdrawn', () => {
    const { answers } = negotiate([offer, 'Booked.', 'No.', 'What to bring? Nothing.']);
    expect(answers.booking_confirmed?.value).toBe(true);
    const lost = negotiate([offer, 'Booked.', 'No.', 'Oh no, somebody just took that one, it is gone.']);
    expect(lost.answers.booking_confirmed).toBeUndefined();
  });

  test('asks twice what to bring if the first reply hardly says it', () => {
    const { turns, answers } = negotiate([offer, 'Booked.', 'No.', 'The printer jammed.', 'Come fasting.']);
    expect(turns[3]?.words).toContain('prepare');
    expect(answers.instructions?.quote).toBe('Come fasting.');
  });

  test('is requested again after silence', () => {
    const { last } = talk(
      (draft, heard) =>
        heard.said === '.' ? remindOfScheduling(draft) : proceedWithScheduling(draft, heard),
      [offer, '.'],
      started,
    );
    expect(last.words).toBe('Is the appointment on Monday, November 23 at 9 AM booked now?');
  });

  test('is requested in varying words, and finally abandoned', () => {
    const { turns, answers } = negotiate([offer, 'Okay.', 'Okay.', 'Okay.', 'Okay.']);
    expect(new Set(turns.map(({ words }) => words)).size).toBe(5);
    expect(turns.at(-1)?.actions).toContainEqual({ type: 'end', reason: 'gave-up', farewell: 'follow-up' });
    expect(answers.booking_confirmed).toBeUndefined();
  });

  test('is not inferred from a repeated time', () => {
    const { turns, answers } = negotiate([offer, 'Monday at nine, you said?']);
    expect(turns[1]?.words).toContain('please book Monday, November 23 at 9 AM');
    expect(answers.booking_confirmed).toBeUndefined();
  });

  test('is inferred from a yes beside the repeated time, whatever they ask in passing', () => {
    const { answers } = negotiate([offer, 'Okay.', 'What did I just say? Monday at nine, yes.']);
    expect(answers.booking_confirmed).toMatchObject({ value: true });
    const doubtful = negotiate([offer, 'Okay.', 'Did I say Monday at nine?']);
    expect(doubtful.answers.booking_confirmed).toBeUndefined();
  });

  test('is confirmed by "done" before the time', () => {
    const { answers } = negotiate([offer, 'Done, Monday at nine, with the nuclear lab.']);
    expect(answers.booking_confirmed).toMatchObject({ value: true });
  });

  test('is confirmed by "correct", asked whether it is booked', () => {
    const { turns, answers } = negotiate([offer, 'Okay.', 'Okay.', 'Correct. See you then.']);
    expect(turns[2]?.words).toContain('?');
    expect(answers.booking_confirmed).toMatchObject({ value: true });
  });

  test('has its time read back once if only we have said it', () => {
    const { turns } = negotiate([offer, 'Booked.', 'No.', 'No, nothing.', "Yes, that's right."]);
    expect(turns[3]?.words).toBe('Let me read that back: Monday, November 23 at 9 AM. Is that right?');
    expect(turns[4]?.actions).toContainEqual({ type: 'end', reason: 'finished', farewell: 'thanks' });
  });

  test('is corrected if the time read back is wrong', () => {
    const { turns, answers } = negotiate([
      offer,
      'Booked.',
      'No.',
      'No, nothing.',
      "No, wait, that's the 24th.",
    ]);
    expect(turns[4]?.words).toContain('Tuesday, November 24 at 9 AM');
    expect(answers.appointment_time?.value).toBe('2026-11-24T09:00');
    expect(answers.booking_confirmed).toBeUndefined();
  });

  test('for another time than requested is noticed', () => {
    const { turns, answers } = negotiate([offer, "You're all set for Monday at 2."]);
    expect(turns[1]?.words).toContain('2 PM does not work');
    expect(answers.appointment_time?.value).toBe('2026-11-23T09:00');
    expect(answers.booking_confirmed).toBeUndefined();
  });

  test('restarts if the opening is gone', () => {
    const { turns, answers } = negotiate([
      offer,
      "Oh, I'm sorry, that one was just taken.",
      'I have Wednesday at 10:45.',
    ]);
    expect(turns[1]?.words).toContain('other openings');
    expect(answers.appointment_time?.value).toBe('2026-11-25T10:45');
  });

  test('with a condition is clarified once and then kept for review', () => {
    const { turns, answers } = negotiate([
      offer,
      "She's booked, pending the referral.",
      "She's booked for Monday at nine pending the referral.",
    ]);
    expect(turns[1]?.words).toContain('something have to be done first');
    expect(answers.booking_confirmed).toMatchObject({ value: null, needs_review: true });
  });

  test('is waited for', () => {
    expect(negotiate([offer, 'One moment please.']).last.actions).toContainEqual({ type: 'wait' });
  });

  test('moves an appointment if it is to be moved', () => {
    const plan = planWith({ is_rescheduling: true });
    const [words] = wordsOf(['I see her for the 30th at three. I could do the 24th at nine.'], { plan });
    expect(words).toBe('Tuesday, November 24 at 9 AM works. Please move the appointment to that time.');
  });
});

test('nothing is asked if the turn already has words and nothing was offered', () => {
  const { last } = talk(
    (draft, heard) => {
      draft.say('The date of birth is July 12, 1984.');
      proceedWithScheduling(draft, heard);
    },
    ["What's the date of birth?"],
    started,
  );
  expect(last.words).toBe('The date of birth is July 12, 1984.');
});
