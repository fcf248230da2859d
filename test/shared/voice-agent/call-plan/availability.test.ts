import { describe, expect, test } from 'vitest';
import { fits, isPreferred, preferred } from '#shared/voice-agent/call-plan/availability.ts';
import { parseAvailability } from '#shared/voice-agent/call-plan/parse-availability.ts';
import { expectLinearTime } from '../../../support/linear-time.ts';

/** A Monday. */
const today = '2026-11-16';

function slotOf(text: string): { day: string; minutes: number | null } {
  const [day = '', time] = text.split(' ');
  const [hour = 0, minute = 0] = (time ?? '').split(':').map(Number);
  return { day: `2026-${day}`, minutes: time === undefined ? null : hour * 60 + minute };
}

function judged(wishes: string, slot: string): string {
  return fits(slotOf(slot), parseAvailability(wishes, today));
}

/** Slots without a year are of 2026, where November 16 is a Monday. */
interface Case {
  fits?: string[];
  not?: string[];
  unsure?: string[];
  /** Slots that fit, but that the patient would rather not have. */
  second?: string[];
}

const cases: Record<string, Case> = {
  // Parts of the day and of the week
  'weekday mornings': {
    fits: ['11-17 9:00', '11-20 11:45'],
    not: ['11-17 13:00', '11-21 9:00', '11-21'],
    unsure: ['11-17'],
  },
  'Any weekday afternoon': { fits: ['11-18 13:30'], not: ['11-18 11:00', '11-22 14:00'] },
  'Tuesday or Thursday afternoons': {
    fits: ['11-17 14:00', '11-19 13:00'],
    not: ['11-17 9:00', '11-18 14:00'],
  },
  'afternoons on Tuesday or Thursday': { fits: ['11-19 14:00'], not: ['11-19 9:00', '11-18 14:00'] },
  'Mon/Wed/Fri only': { fits: ['11-18 9:00', '11-20 15:00'], not: ['11-17 9:00'] },
  'MWF, AM only': { fits: ['11-18 9:00'], not: ['11-18 13:00', '11-17 9:00'] },
  'Sat or Sun': { fits: ['11-21 10:00', '11-22 10:00'], not: ['11-20 10:00'] },
  weekends: { fits: ['11-21 10:00'], not: ['11-20 10:00'] },
  'before lunch, Monday to Thursday': { fits: ['11-17 11:00'], not: ['11-20 11:00', '11-17 12:30'] },
  'after lunch': { fits: ['11-17 13:15', '11-17 16:30'], not: ['11-17 10:00'] },
  'late afternoons': { fits: ['11-17 16:00'], not: ['11-17 13:00'] },
  'first thing in the morning': { fits: ['11-17 8:30'], not: ['11-17 11:00'] },
  'during school hours': { fits: ['11-17 10:00'], not: ['11-17 16:00'] },
  'business days': { fits: ['11-17 10:00'], not: ['11-21 10:00'] },

  // Hours
  'Mondays and Wednesdays after 3pm': {
    fits: ['11-18 15:00', '11-23 16:30'],
    not: ['11-18 14:45', '11-19 16:00'],
  },
  'before noon': { fits: ['11-17 11:30'], not: ['11-17 12:30'] },
  'evenings after 5pm or Saturday': { fits: ['11-17 17:30', '11-21 9:00'], not: ['11-17 16:00'] },
  'after work or on Saturdays': { fits: ['11-17 17:15', '11-21 9:00'], not: ['11-17 15:00'] },
  'weekdays 9-11am or after 4': { fits: ['11-17 9:30', '11-17 16:15'], not: ['11-17 13:00', '11-21 9:30'] },
  'Mon-Thu, 8am to 12pm': { fits: ['11-19 8:00'], not: ['11-20 8:00', '11-19 14:00'] },
  'weekdays 9 to 5': { fits: ['11-17 9:00', '11-17 16:45'], not: ['11-17 8:00', '11-17 18:00'] },
  'Tuesdays and Thursdays from 9 to 12': { fits: ['11-17 10:00'], not: ['11-18 10:00', '11-17 13:00'] },
  'Weekdays between 10 am and 4 pm in the next two weeks': {
    fits: ['11-17 10:00', '11-30 15:00'],
    not: ['11-17 9:30', '12-01 11:00'],
  },
  'before 10am or after 5pm on weekdays': {
    fits: ['11-17 9:00', '11-17 17:30'],
    not: ['11-17 12:00', '11-21 9:00'],
  },
  'No earlier than 10am, weekdays': { fits: ['11-17 10:00'], not: ['11-17 9:30', '11-21 11:00'] },
  'weekdays, not after 3:30 pm': { fits: ['11-17 15:00'], not: ['11-17 16:00'] },
  'No later than 2': { fits: ['11-17 13:30'], not: ['11-17 14:30'] },
  '10 or later on Wednesdays': { fits: ['11-18 10:00'], not: ['11-18 9:30', '11-19 11:00'] },
  'around 2 pm': { fits: ['11-17 14:30'], not: ['11-17 16:00'] },
  'until 11:30 on Fridays': { fits: ['11-20 11:00'], not: ['11-20 13:00', '11-19 11:00'] },
  'Monday all day or Tuesday afternoons': {
    fits: ['11-23 9:00', '11-17 14:00'],
    not: ['11-17 9:00', '11-18 9:00'],
  },
  'mornings on Mondays and afternoons on Wednesdays': {
    fits: ['11-23 9:00', '11-18 14:00'],
    not: ['11-23 14:00', '11-18 9:00'],
  },
  'Tuesday mornings, Thursday afternoons': {
    fits: ['11-17 9:00', '11-19 14:00'],
    not: ['11-17 14:00', '11-19 9:00'],
  },
  'Mondays before 10, Wednesdays after 2, Fridays': {
    fits: ['11-23 9:00', '11-18 15:00', '11-20 12:00'],
    not: ['11-23 11:00', '11-18 9:00'],
  },

  // Days and stretches of days
  'next week': { fits: ['11-23 8:00', '11-27 16:00'], not: ['11-20 9:00', '11-30 9:00'] },
  'Weekday mornings within the next two weeks': { fits: ['11-30 9:00'], not: ['12-01 9:00', '11-18 14:00'] },
  'before noon on any weekday, within two weeks': {
    fits: ['11-24 9:00'],
    not: ['12-02 9:00', '11-24 14:00'],
  },
  'weekday mornings in the coming two weeks': { fits: ['11-24 9:00'], not: ['12-02 9:00'] },
  'Any weekday in the next month': { fits: ['12-10 9:00'], not: ['12-22 9:00'] },
  'Any weekday this month': { fits: ['11-30 9:00'], not: ['12-01 9:00', '11-21 9:00'] },
  'over the next couple of weeks': { fits: ['11-28 9:00'], not: ['12-04 9:00'] },
  'Any weekday from next week on, at any time of day': {
    fits: ['11-23 9:00', '12-29 15:00'],
    not: ['11-19 9:00', '11-28 9:00'],
  },
  'between Nov 23 and Dec 4': { fits: ['11-23 9:00', '12-04 9:00'], not: ['11-20 9:00', '12-07 9:00'] },
  'after December 1': { fits: ['12-02 9:00'], not: ['12-01 9:00'] },
  'not before December 5': { fits: ['12-05 9:00'], not: ['12-04 9:00'] },
  'by the end of November': { fits: ['11-27 9:00'], not: ['12-01 9:00'] },
  'Dec 1-5': { fits: ['12-02 9:00'], not: ['12-08 9:00', '11-30 9:00'] },
  'December 1st at 2 PM': { fits: ['12-01 14:00'], not: ['12-01 10:00', '12-02 14:00'] },
  'the week of the 7th or later': { fits: ['12-07 9:00', '12-21 9:00'], not: ['12-04 9:00'] },
  'the week of December 7': { fits: ['12-08 9:00'], not: ['12-15 9:00', '12-04 9:00'] },
  'Nov 24 afternoon or Nov 26 morning': {
    fits: ['11-24 14:00', '11-26 9:00'],
    not: ['11-24 9:00', '11-25 9:00'],
  },
  'can do Tuesday 11/24 at 2pm or later, or any time Wednesday 11/25': {
    fits: ['11-24 15:00', '11-25 9:00'],
    not: ['11-24 9:00', '11-26 9:00'],
  },
  'any weekday in November or December': { fits: ['12-08 13:30'], not: ['11-21 9:00'] },
  'Tuesday or Wednesday next week': {
    fits: ['11-24 9:00', '11-25 9:00'],
    not: ['11-17 9:00', '11-26 9:00', '12-02 9:00'],
  },
  'mornings this week or any time next week': {
    fits: ['11-18 9:00', '11-24 15:00'],
    not: ['11-18 15:00', '12-01 9:00'],
  },
  'starting Monday, mornings': { fits: ['11-23 9:00'], not: ['11-20 9:00', '11-24 14:00'] },
  'any day after Thursday': { fits: ['11-20 9:00'], not: ['11-19 9:00'] },
  'early December': { fits: ['12-03 9:00'], not: ['12-20 9:00', '11-30 9:00'] },

  // Exceptions
  'not on Fridays': { fits: ['11-19 9:00'], not: ['11-20 9:00'] },
  'weekday mornings but not Fridays': { fits: ['11-19 9:00'], not: ['11-20 9:00', '11-19 14:00'] },
  'mornings before 11 AM, except Monday': { fits: ['11-17 10:45'], not: ['11-17 11:30', '11-23 9:00'] },
  'mornings except Friday, in the next two weeks': {
    fits: ['11-24 9:00'],
    not: ['11-20 9:00', '12-02 9:00', '11-24 14:00'],
  },
  'any day but Friday, after 3pm': { fits: ['11-17 15:30'], not: ['11-20 16:00', '11-17 10:00'] },
  'any time but Tuesdays before 3': { fits: ['11-17 15:30', '11-18 9:00'], not: ['11-17 10:00'] },
  'not Mondays, Tuesdays or Fridays': {
    fits: ['11-18 9:00', '11-19 9:00'],
    not: ['11-17 9:00', '11-20 9:00', '11-23 9:00'],
  },
  'Mondays and Tuesdays are not possible, otherwise mornings': {
    fits: ['11-18 9:00'],
    not: ['11-23 9:00', '11-18 14:00'],
  },
  "Fridays don't work, mornings are fine": { fits: ['11-19 9:00'], not: ['11-20 9:00', '11-19 15:00'] },
  "She can't do Thursdays": { fits: ['11-18 9:00'], not: ['11-19 9:00'] },
  'mornings, not Thursdays, by the end of November': {
    fits: ['11-24 9:00'],
    not: ['11-26 9:00', '12-02 9:00'],
  },
  'Patient works until 3pm on weekdays': { fits: ['11-17 15:30', '11-21 9:00'], not: ['11-17 10:00'] },
  'Out of town until December 3rd': { fits: ['12-04 9:00'], not: ['12-02 9:00'] },
  'She is away November 23 through 27': { fits: ['11-20 9:00', '11-30 9:00'], not: ['11-25 9:00'] },
  'weekday mornings after 10, not Fridays, within the next two weeks': {
    fits: ['11-19 10:30'],
    not: ['11-19 9:30', '11-20 10:30', '12-03 10:30'],
  },
  'Weekdays, and he is busy on Wednesday mornings': {
    fits: ['11-18 14:00', '11-19 9:00'],
    not: ['11-18 9:00', '11-21 9:00'],
    unsure: ['11-18'],
  },
  'anything but mornings': { fits: ['11-18 14:00'], not: ['11-18 9:00'] },
  'Mondays after 2, other days any time': { fits: ['11-23 15:00', '11-18 9:00'], not: ['11-23 9:00'] },

  // Preferences
  'Anytime next week, preferably mornings': {
    fits: ['11-24 9:00'],
    second: ['11-24 15:00'],
    not: ['11-17 9:00'],
  },
  'Any weekday within the next two weeks, mornings are best': {
    fits: ['11-24 9:00'],
    second: ['11-24 15:00'],
    not: ['12-02 9:00'],
  },
  'mornings preferred but afternoons are okay': {
    fits: ['11-24 9:00'],
    second: ['11-24 15:00'],
    not: ['11-24 19:00'],
  },
  'mornings if possible': { fits: ['11-24 9:00'], second: ['11-24 15:00'] },
  'weekday mornings, ideally Tuesdays': {
    fits: ['11-24 9:00'],
    second: ['11-25 9:00'],
    not: ['11-24 15:00'],
  },
  'Tuesdays work best, Thursdays are fine too': {
    fits: ['11-24 9:00'],
    second: ['11-26 9:00'],
    not: ['11-25 9:00'],
  },

  // Nothing that restricts
  'as soon as possible': { fits: ['11-17 9:00', '12-28 16:00'] },
  anytime: { fits: ['11-17 9:00'] },
  'as soon as possible, any weekday, any time of day': { fits: ['11-17 9:00'], not: ['11-21 9:00'] },
  'Flexible, the patient can come whenever': { fits: ['11-17 9:00'] },
  'Within the next two weeks, mornings only; anything later is no use': {
    fits: ['11-24 9:00'],
    not: ['12-03 9:00', '11-24 14:00'],
  },
  'weekday mornings in the next two weeks, ideally soon': { fits: ['11-24 9:00'], not: ['12-03 9:00'] },

  // As clients write
  'Patient is available Mon, Tue and Thu between 1 and 4 PM': {
    fits: ['11-17 14:00', '11-23 13:00'],
    not: ['11-18 14:00', '11-17 10:00'],
  },
  'Only Fridays work for her, preferably before 11': {
    fits: ['11-20 10:00'],
    second: ['11-20 15:00'],
    not: ['11-19 10:00'],
  },
  'He gets off work at 3, so late afternoons are best': { fits: ['11-17 16:00'], not: ['11-17 14:00'] },
  'No Mondays. No early mornings. Otherwise flexible': {
    fits: ['11-17 11:00'],
    not: ['11-23 11:00', '11-17 8:00'],
  },
  'Earliest available, but not on November 18 or 19': {
    fits: ['11-17 9:00', '11-20 9:00'],
    not: ['11-18 9:00', '11-19 9:00'],
  },
  'Weekdays only, must be done by 2pm': { fits: ['11-17 13:00'], not: ['11-21 9:00', '11-17 15:00'] },
  'not available before 9 or after 3': { fits: ['11-17 10:00'], not: ['11-17 8:30', '11-17 16:00'] },
  'the 24th, 25th or 30th': { fits: ['11-24 9:00', '11-30 9:00'], not: ['11-26 9:00'] },
  'She has classes Monday and Wednesday mornings, all other times are fine': {
    fits: ['11-17 9:00', '11-18 14:00'],
    not: ['11-18 9:00'],
  },
  'Avoid lunch hour; otherwise weekdays 9-4': {
    fits: ['11-17 10:00', '11-17 15:00'],
    not: ['11-17 12:30', '11-21 10:00'],
  },
  '8am-10am M-F': { fits: ['11-17 9:00'], not: ['11-17 11:00', '11-21 9:00'] },
  'evenings and weekends': { fits: ['11-17 18:00', '11-21 10:00'], not: ['11-17 12:00'] },
  'mornings work, afternoons do not': { fits: ['11-17 9:00'], not: ['11-17 14:00'] },
  'within the next 30 days but after Nov 20': { fits: ['11-23 9:00'], not: ['11-19 9:00', '12-28 9:00'] },
  'any day this week except Wednesday afternoon': {
    fits: ['11-18 9:00'],
    not: ['11-18 15:00', '11-24 9:00'],
  },
  'prefers Mondays but can do any weekday': {
    fits: ['11-23 9:00'],
    second: ['11-18 9:00'],
    not: ['11-21 9:00'],
  },
  'Anytime except the week of Thanksgiving': { unsure: ['11-17 10:00'] },

  // Not understood
  'whenever the moon is full': { unsure: ['11-17 9:00'] },
  'weekdays after her shift': { unsure: ['11-17 9:00'], not: ['11-21 9:00'] },
  'mornings unless it snows': { unsure: ['11-17 9:00'], not: ['11-17 15:00'] },
  'every other Tuesday': { unsure: ['11-17 9:00'] },
};

describe('availability wishes', () => {
  test.each(Object.entries(cases))(
    '%s',
    (wishes, { fits: fitting = [], not = [], unsure = [], second = [] }) => {
      const availability = parseAvailability(wishes, today);
      const judge = (slots: string[], fit: string): string[] =>
        slots.filter((slot) => judged(wishes, slot) !== fit);
      expect({ wrong: judge([...fitting, ...second], 'fits'), availability }).toMatchObject({ wrong: [] });
      expect(judge(not, 'does-not-fit')).toEqual([]);
      expect(judge(unsure, 'unsure')).toEqual([]);
      expect(fitting.filter((slot) => !isPreferred(slotOf(slot), availability))).toEqual([]);
      expect(second.filter((slot) => isPreferred(slotOf(slot), availability))).toEqual([]);
      if (unsure.length === 0 || fitting.length > 0) expect(availability.not_understood).toEqual([]);
    },
  );
});

test('without wishes every slot fits', () => {
  expect(fits({ day: '2027-03-01', minutes: 600 }, parseAvailability(undefined, today))).toBe('fits');
  expect(parseAvailability('  ', today).text).toBeNull();
});

test('words that were not understood are listed', () => {
  expect(parseAvailability('whenever the moon is full', today)).toMatchObject({
    text: 'whenever the moon is full',
    not_understood: ['whenever the moon is full'],
  });
  expect(parseAvailability('weekdays after her shift', today).not_understood).toEqual(['after her shift']);
});

test('the earliest opening is recorded', () => {
  expect(parseAvailability('Any weekday, the earliest possible', today).soonest).toBe(true);
  expect(parseAvailability('Any weekday', today).soonest).toBe(false);
});

test('of several slots the preferred one comes first, then the earliest', () => {
  const availability = parseAvailability('weekdays before 4, ideally Wednesdays', today);
  const slots = ['11-17 9:00', '11-17 16:30', '11-25 9:00', '11-18 15:00', '11-21 9:00'].map(slotOf);
  expect(preferred(slots, availability)).toEqual(['11-18 15:00', '11-25 9:00', '11-17 9:00'].map(slotOf));
});

test('long texts are parsed in linear time', () => {
  const words = 'not before 10 or after Monday, 3 to 5 unless ';
  expectLinearTime((size) => parseAvailability(words.repeat(size), today), 5_000);
});
