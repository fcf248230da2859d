import { describe, expect, test } from 'vitest';
import { sentencesOf } from '#shared/voice-agent/language/text.ts';
import { findSlots } from '#shared/voice-agent/scripted-model/slots.ts';

/** A Monday. */
const today = '2026-11-16';

function slots(said: string, changes: { day?: string; isRescheduling?: boolean } = {}): string[] {
  return findSlots(sentencesOf(said), {
    today,
    day: changes.day ?? null,
    turn: 1,
    isRescheduling: changes.isRescheduling ?? false,
  }).map(({ day, minutes, from, to, provider }) => {
    const time =
      minutes === null
        ? from === null || to === null
          ? ''
          : ` ${from / 60}-${to / 60}`
        : ` ${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
    return `${day}${time}${provider === null ? '' : ` ${provider}`}`;
  });
}

describe('offered slots', () => {
  test.each<[string, string[]]>([
    [
      'I have Tuesday the 24th at 10:30 or Thursday, December 3rd at 2 with Dr. Okafor.',
      ['2026-11-24 10:30 Dr. Okafor', '2026-12-03 14:00 Dr. Okafor'],
    ],
    ['10:30 on Tuesday or 2 on Thursday', ['2026-11-17 10:30', '2026-11-19 14:00']],
    ['We have 9, 11 or 2:30 on Monday.', ['2026-11-23 9:00', '2026-11-23 11:00', '2026-11-23 14:30']],
    ['Tuesday at 10 or 2, or Wednesday at 9.', ['2026-11-17 10:00', '2026-11-17 14:00', '2026-11-18 9:00']],
    ['i have 10:30 tuesday or 2 thursday', ['2026-11-17 10:30', '2026-11-19 14:00']],
    ['How about Friday morning?', ['2026-11-20 0-12']],
    ['Tuesday morning at 9 is open.', ['2026-11-17 9:00']],
    ['Would Wednesday at a quarter past eight suit her?', ['2026-11-18 8:15']],
    ["We don't have anything on Tuesday, but I have Wednesday at 3.", ['2026-11-18 15:00']],
    ['Nothing until December 3rd at 9 AM.', ['2026-12-03 9:00']],
    ['Monday is fully booked. Tuesday at 1:15 PM?', ['2026-11-17 13:15']],
    [
      'With Dr. Lee on Tuesday at 9 or with Dr. Okafor on Wednesday at 11.',
      ['2026-11-17 9:00 Dr. Lee', '2026-11-18 11:00 Dr. Okafor'],
    ],
    ['Anytime between 9 and 11 on Thursday.', ['2026-11-19 9-11']],
    [
      'Next week I have Monday at 9 AM, Tuesday at 3 PM, and Friday at 11 AM',
      ['2026-11-23 9:00', '2026-11-24 15:00', '2026-11-27 11:00'],
    ],
    ['My first available is the 30th at noon.', ['2026-11-30 12:00']],
    ['That would be Thursday, 11/19, at 8:40.', ['2026-11-19 8:40']],
    [
      "I've got tomorrow at 8, or else not until next Tuesday at 4:45.",
      ['2026-11-17 8:00', '2026-11-24 16:45'],
    ],
    [
      'lets see we have wednesday november eighteenth at two fifteen or thursday the nineteenth at nine',
      ['2026-11-18 14:15', '2026-11-19 9:00'],
    ],
    ["So that's Tuesday, November 17th, 2026 at 10:30 AM.", ['2026-11-17 10:30']],
    ['The first is on Wednesday at 9, the second on Friday at 3.', ['2026-11-18 9:00', '2026-11-20 15:00']],
  ])('%s', (said, expected) => {
    expect(slots(said)).toEqual(expected);
  });

  test('take the day that is being spoken of when only a time is said', () => {
    expect(slots('I have 8:30, 10 and 11:15.', { day: '2026-11-17' })).toEqual([
      '2026-11-17 8:30',
      '2026-11-17 10:00',
      '2026-11-17 11:15',
    ]);
  });

  test.each([
    'Please arrive at 10:15.',
    'She should be here 15 minutes early.',
    'We are open Monday to Friday, 8 to 5.',
    'Dr. Lee is on vacation until December 1st.',
    'Okay, March 14, 1985.',
    'Her last visit was on November 3rd.',
    'Do mornings or afternoons work better?',
    "We don't have anything on Thursday.",
    'Friday is fully booked.',
    'Call us before 4 PM tomorrow if that changes.',
  ])('none in: %s', (said) => {
    expect(slots(said)).toEqual([]);
  });

  test('an appointment that exists is no offer when it is to be moved', () => {
    expect(slots('I see her on November 20th at 3 PM.', { isRescheduling: true })).toEqual([]);
    expect(slots('I could move her to November 24th at 3 PM.', { isRescheduling: true })).toEqual([
      '2026-11-24 15:00',
    ]);
  });

  test('carry the words that they rest on', () => {
    const said = 'Let me look. I have Tuesday at 9. Does that work?';
    const [slot] = findSlots(sentencesOf(said), { today, day: null, turn: 4, isRescheduling: false });
    expect(slot).toMatchObject({ quote: 'I have Tuesday at 9.', turn: 4 });
  });
});
