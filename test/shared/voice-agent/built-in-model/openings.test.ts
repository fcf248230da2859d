import { expect, test } from 'vitest';
import { isMention, openingsIn } from '#shared/voice-agent/built-in-model/openings.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { today } from './talking.ts';

interface Spoken {
  readonly day?: string | null;
  readonly isRescheduling?: boolean;
}

function found(said: string, { day = null, isRescheduling = false }: Spoken = {}) {
  const heard = understand(said, 3, { today, after: null, anchor: day });
  return openingsIn(heard, { today, day, isRescheduling });
}

function inShort(said: string, spoken: Spoken = {}): string[] {
  return found(said, spoken).map(({ day, minutes, from, to, last_day }) => {
    const time =
      minutes === null ? (from === null ? '' : ` ${from / 60}-${(to ?? 0) / 60}`) : ` ${minutes / 60}`;
    return `${day ?? '?'}${last_day === null ? '' : `..${last_day}`}${time}`;
  });
}

test.each([
  ['I could offer the 24th at half past ten or the 25th at two.', ['2026-11-24 10.5', '2026-11-25 14']],
  ['Monday is full but Tuesday at eight is open', ['2026-11-24 8']],
  ['nothing until December 3rd at 2 pm', ['2026-12-03 14']],
  ['no mornings left, sorry, next month we have the 9th at three', ['2026-12-09 15']],
  ['Monday, Tuesday and Wednesday are full. Friday at 2?', ['2026-11-27 14']],
  ['We could do Tuesday morning.', ['2026-11-24 0-12']],
  ['we can do it without that i have tuesday at nine', ['2026-11-24 9']],
  ['I have something between nine and eleven on Wednesday.', ['2026-11-25 9-11']],
  ['We have Thursday the 26th at 9:15, please arrive 15 minutes early.', ['2026-11-26 9.25']],
])('offered: %s', (said, expected) => {
  expect(inShort(said)).toEqual(expected);
});

test.each([
  "We're open Monday through Friday, eight to five.",
  'He needs a referral first, so tomorrow I could not give him a visit.',
  'Her birthday is March 14th, right?',
  "She's already got an appointment on the 12th at 9.",
  'Call back on Monday at nine.',
  'I have 2 openings that day.',
  'I tell you, these phones today, my goodness.',
])('not an opening: %s', (said) => {
  expect(inShort(said)).toEqual([]);
});

test('exclude the appointment to be moved', () => {
  const spoken = { isRescheduling: true };
  expect(inShort('I see her for the 12th at nine. I could do the 15th at ten.', spoken)).toEqual([
    '2026-12-15 10',
  ]);
  expect(inShort('Okay, I moved her from the third at nine to the tenth at ten.', spoken)).toEqual([
    '2026-12-10 10',
  ]);
});

test('combine a time without a day with the day under discussion', () => {
  expect(inShort('at nine or at eleven', { day: '2026-11-24' })).toEqual(['2026-11-24 9', '2026-11-24 11']);
  expect(inShort('at nine or at eleven')).toEqual(['? 9', '? 11']);
});

test('are uncertain for hours after two days, and for a weekday that contradicts the date', () => {
  const hours = found('Tuesday or Thursday? I have ten or two.').filter(({ minutes }) => minutes !== null);
  expect(hours.map(({ day, certainty }) => [day, certainty < 0.6])).toEqual([
    ['2026-11-26', true],
    ['2026-11-26', true],
  ]);
  expect(found('I have Tuesday the 25th at ten.')[0]?.certainty).toBeLessThan(0.6);
  expect(found('I have Wednesday the 25th at ten.')[0]?.certainty).toBeGreaterThan(0.6);
});

test('include their provider', () => {
  const openings = found('Dr. Lee has Monday at 9 and Dr. Patel has Wednesday at 1:15');
  expect(openings.map(({ provider }) => provider)).toEqual(['Dr. Lee', 'Dr. Patel']);
});

test("an opening with an unrecognized name does not get the next one's doctor", () => {
  const openings = found('tuesday the 24th at nine with jo rider or wednesday the 25th at ten with dr feld');
  expect(openings.map(({ provider }) => provider)).toEqual([null, 'Dr. Feld']);
  const last = found(
    'tuesday the 24th at nine with dr feld or wednesday the 25th at ten with our new midwife',
  );
  expect(last.map(({ provider }) => provider)).toEqual(['Dr. Feld', null]);
});

test('are named again by their weekday, not by another date', () => {
  const chosen = { day: '2026-12-01', minutes: 840, provider: null, quote: '', turn: 1 };
  const [again] = found('I have Tuesday at two.');
  const [other] = found('I have Tuesday the 24th at two.');
  expect(again && isMention(again, chosen)).toBe(true);
  expect(other && isMention(other, chosen)).toBe(false);
});

test('a doctor named for another opening of a list is not the doctor of the one between', () => {
  const said = [
    'Wednesday the 2nd at 7:45 AM with Dr. Batista, Thursday the 3rd at 4:15 PM,',
    'or Friday the 4th at 11:30 AM with Dr. Combs.',
  ].join(' ');
  expect(found(said).map(({ provider }) => provider)).toEqual(['Dr. Batista', null, 'Dr. Combs']);
});
