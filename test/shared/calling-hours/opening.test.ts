import { describe, expect, test } from 'vitest';
import { closingTime, nextOpening } from '#shared/calling-hours/opening.ts';
import { type CalledPlace, placeOf } from '#shared/calling-hours/place.ts';
import { alwaysOpen, type CallingHours, defaultCallingHours } from '#shared/domain/project.ts';

describe('the next opening', () => {
  test('is at once during calling hours, without a reason to wait', () => {
    const noon = new Date('2026-06-10T16:00:00.000Z');
    expect(nextOpening(defaultCallingHours, inZones('America/New_York'), noon)).toEqual({
      at: noon,
      reason: null,
    });
  });

  test('includes the opening minute and excludes the closing minute', () => {
    expect(opening('2026-06-10T11:59:59.999Z', 'America/New_York')).toBe('2026-06-10T12:00:00.000Z');
    expect(opening('2026-06-10T12:00:00.000Z', 'America/New_York')).toBe('2026-06-10T12:00:00.000Z');
    expect(opening('2026-06-11T00:59:59.999Z', 'America/New_York')).toBe('2026-06-11T00:59:59.999Z');
    expect(opening('2026-06-11T01:00:00.000Z', 'America/New_York')).toBe('2026-06-11T12:00:00.000Z');
  });

  test('is open in all zones of a number that may be in several', () => {
    // Eight in the morning in Los Angeles until nine in the evening in New York.
    const coasts = ['America/New_York', 'America/Los_Angeles'];
    expect(opening('2026-06-10T12:00:00.000Z', ...coasts)).toBe('2026-06-10T15:00:00.000Z');
    expect(opening('2026-06-11T00:59:00.000Z', ...coasts)).toBe('2026-06-11T00:59:00.000Z');
    expect(opening('2026-06-11T01:00:00.000Z', ...coasts)).toBe('2026-06-11T15:00:00.000Z');
  });

  test('waits for a calling day, by the local calendar', () => {
    const weekdays = { days: [1, 2, 3, 4, 5] };
    // Friday evening in New York is already Saturday in UTC.
    expect(openingWithin(weekdays, '2026-06-13T00:30:00.000Z', 'America/New_York')).toBe(
      '2026-06-13T00:30:00.000Z',
    );
    expect(openingWithin(weekdays, '2026-06-13T01:30:00.000Z', 'America/New_York')).toBe(
      '2026-06-15T12:00:00.000Z',
    );
  });

  test('skips a public holiday and its observed day where calls are not made on them', () => {
    const off = { on_holidays: false };
    // July 4, 2026 is a Saturday.
    expect(openingWithin(off, '2026-07-03T01:00:00.000Z', 'America/New_York')).toBe(
      '2026-07-05T12:00:00.000Z',
    );
    expect(openingWithin(off, '2026-07-03T07:00:00.000Z', 'Europe/London')).toBe('2026-07-03T07:00:00.000Z');
    expect(opening('2026-07-04T12:00:00.000Z', 'America/New_York')).toBe('2026-07-04T12:00:00.000Z');
  });

  test('does not exist if zones share no hours, or none on an allowed day', () => {
    const at = new Date('2026-06-10T12:00:00.000Z');
    const opposite = inZones('Pacific/Auckland', 'Europe/London');
    expect(nextOpening({ ...alwaysOpen, opens: '09:00', closes: '12:00' }, opposite, at)).toBeNull();
    expect(
      nextOpening({ ...alwaysOpen, opens: '21:00', closes: '08:00' }, inZones('Europe/London'), at),
    ).toBeNull();
  });

  test('is never delayed by unlimited hours, whatever the place', () => {
    const at = new Date('2026-06-10T03:00:00.000Z');
    expect(nextOpening(alwaysOpen, placeOf('+18005550100', []), at)).toEqual({ at, reason: null });
    expect(closingTime(alwaysOpen, placeOf('+18005550100', []), at)).toBeNull();
  });

  test('names the hours and their place in its reason', () => {
    const night = new Date('2026-07-04T06:00:00.000Z');
    const newYork = inZones('America/New_York');
    expect(nextOpening(defaultCallingHours, newYork, night)?.reason).toBe(
      'Outside the calling hours of the number called (08:00-21:00 in America/New_York).',
    );
    const hours = { ...defaultCallingHours, days: [1, 2, 3, 4, 5], on_holidays: false };
    expect(nextOpening(hours, newYork, night)?.reason).toBe(
      'Outside the calling hours of the number called (08:00-21:00 on Mon-Fri in America/New_York, not on ' +
        'public holidays).',
    );
    const coasts = inZones('America/New_York', 'America/Los_Angeles');
    expect(nextOpening({ ...hours, days: [6, 1], on_holidays: true }, coasts, night)?.reason).toBe(
      'Outside the calling hours of the number called (08:00-21:00 on Mon, Sat in 2 time zones).',
    );
  });
});

describe('at a clock change', () => {
  test('a skipped opening time moves to the next existing time', () => {
    // At 02:00 on March 8, 2026, New York moves to 03:00.
    expect(
      openingWithin({ opens: '02:30', closes: '05:00' }, '2026-03-08T06:00:00.000Z', 'America/New_York'),
    ).toBe('2026-03-08T07:00:00.000Z');
    expect(
      openingWithin({ opens: '02:10', closes: '02:50' }, '2026-03-08T06:00:00.000Z', 'America/New_York'),
    ).toBe('2026-03-09T06:10:00.000Z');
  });

  test('repeated hours are open twice', () => {
    // At 02:00 on November 1, 2026, New York moves back to 01:00.
    const hours = { opens: '01:15', closes: '01:45' };
    const first = '2026-11-01T05:15:00.000Z';
    const second = '2026-11-01T06:15:00.000Z';
    expect(openingWithin(hours, '2026-11-01T04:00:00.000Z', 'America/New_York')).toBe(first);
    expect(closingWithin(hours, first, 'America/New_York')).toBe('2026-11-01T05:45:00.000Z');
    expect(openingWithin(hours, '2026-11-01T05:45:00.000Z', 'America/New_York')).toBe(second);
    expect(closingWithin(hours, second, 'America/New_York')).toBe('2026-11-01T06:45:00.000Z');
  });

  test('the hours open again when the clock goes back into them', () => {
    expect(
      openingWithin({ opens: '00:30', closes: '01:30' }, '2026-11-01T05:40:00.000Z', 'America/New_York'),
    ).toBe('2026-11-01T06:00:00.000Z');
  });

  test('a day without midnight begins with its first existing hour', () => {
    // At 00:00 on March 8, 2026, Havana moves to 01:00.
    expect(
      openingWithin(
        { opens: '00:00', closes: '24:00', days: [7] },
        '2026-03-07T12:00:00.000Z',
        'America/Havana',
      ),
    ).toBe('2026-03-08T05:00:00.000Z');
  });

  test('zones that change on different days each follow their own clock', () => {
    const both = ['America/New_York', 'Europe/London'];
    expect(opening('2026-03-06T03:00:00.000Z', ...both)).toBe('2026-03-06T13:00:00.000Z');
    // New York has changed its clocks, London has not yet.
    expect(opening('2026-03-20T03:00:00.000Z', ...both)).toBe('2026-03-20T12:00:00.000Z');
    expect(closing('2026-03-20T12:00:00.000Z', ...both)).toBe('2026-03-20T21:00:00.000Z');
    expect(closing('2026-03-30T12:00:00.000Z', ...both)).toBe('2026-03-30T20:00:00.000Z');
  });

  test('Arizona, which does not change, and the Navajo Nation in it, which does, are both open', () => {
    const arizona = placeOf('+16025550100', [{ state: 'Arizona', country: 'US' }]);
    const openingOf = (at: string) =>
      nextOpening(defaultCallingHours, arizona, new Date(at))?.at.toISOString();
    expect(openingOf('2026-07-10T10:00:00.000Z')).toBe('2026-07-10T15:00:00.000Z');
    expect(openingOf('2026-07-11T03:00:00.000Z')).toBe('2026-07-11T15:00:00.000Z');
    expect(openingOf('2026-12-11T03:30:00.000Z')).toBe('2026-12-11T03:30:00.000Z');
  });

  test('the southern hemisphere has its own summer', () => {
    // At 02:00 on October 4, 2026, Sydney moves to 03:00.
    expect(opening('2026-10-02T15:00:00.000Z', 'Australia/Sydney')).toBe('2026-10-02T22:00:00.000Z');
    expect(opening('2026-10-03T15:00:00.000Z', 'Australia/Sydney')).toBe('2026-10-03T21:00:00.000Z');
  });

  test('Lord Howe Island changes by half an hour', () => {
    expect(opening('2026-10-02T14:00:00.000Z', 'Australia/Lord_Howe')).toBe('2026-10-02T21:30:00.000Z');
    expect(opening('2026-10-03T14:00:00.000Z', 'Australia/Lord_Howe')).toBe('2026-10-03T21:00:00.000Z');
  });

  test('zones with half- and quarter-hour offsets open on their own minute', () => {
    expect(opening('2026-06-10T00:00:00.000Z', 'Asia/Kolkata')).toBe('2026-06-10T02:30:00.000Z');
    expect(opening('2026-06-10T00:00:00.000Z', 'Asia/Kathmandu')).toBe('2026-06-10T02:15:00.000Z');
  });
});

describe('the end of an opening', () => {
  test('is that of the zone that closes first', () => {
    expect(closing('2026-06-10T16:00:00.000Z', 'America/New_York', 'America/Los_Angeles')).toBe(
      '2026-06-11T01:00:00.000Z',
    );
  });

  test('is midnight for hours until 24:00 that do not continue the next day', () => {
    const hours = { opens: '08:00', closes: '24:00' };
    expect(closingWithin(hours, '2026-06-10T16:00:00.000Z', 'America/New_York')).toBe(
      '2026-06-11T04:00:00.000Z',
    );
    const wholeWeekdays = { opens: '00:00', closes: '24:00', days: [1, 2, 3, 4, 5] };
    expect(closingWithin(wholeWeekdays, '2026-06-10T16:00:00.000Z', 'America/New_York')).toBe(
      '2026-06-13T04:00:00.000Z',
    );
  });

  test('is now if closed', () => {
    expect(closing('2026-06-10T05:00:00.000Z', 'America/New_York')).toBe('2026-06-10T05:00:00.000Z');
  });
});

function inZones(...zones: string[]): CalledPlace {
  return { zones };
}

function openingWithin(hours: Partial<CallingHours>, at: string, ...zones: string[]): string | undefined {
  return nextOpening({ ...defaultCallingHours, ...hours }, { zones }, new Date(at))?.at.toISOString();
}

function opening(at: string, ...zones: string[]): string | undefined {
  return openingWithin({}, at, ...zones);
}

function closingWithin(hours: Partial<CallingHours>, at: string, ...zones: string[]): string | undefined {
  return closingTime({ ...defaultCallingHours, ...hours }, { zones }, new Date(at))?.toISOString();
}

function closing(at: string, ...zones: string[]): string | undefined {
  return closingWithin({}, at, ...zones);
}
