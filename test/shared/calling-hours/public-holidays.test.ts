import { describe, expect, test } from 'vitest';
import { isPublicHoliday } from '#shared/calling-hours/public-holidays.ts';

describe('the public holidays of the United States', () => {
  test('of 2026 are the eleven federal ones and the Friday on which a Saturday is observed', () => {
    expect(holidaysOf('America/New_York', 2026)).toEqual([
      '2026-01-01',
      '2026-01-19',
      '2026-02-16',
      '2026-05-25',
      '2026-06-19',
      '2026-07-03',
      '2026-07-04',
      '2026-09-07',
      '2026-10-12',
      '2026-11-11',
      '2026-11-26',
      '2026-12-25',
    ]);
  });

  test('of 2027 have a Monday for a Sunday, and a Friday for the first day of the next year', () => {
    expect(holidaysOf('Pacific/Honolulu', 2027)).toEqual([
      '2027-01-01',
      '2027-01-18',
      '2027-02-15',
      '2027-05-31',
      '2027-06-18',
      '2027-06-19',
      '2027-07-04',
      '2027-07-05',
      '2027-09-06',
      '2027-10-11',
      '2027-11-11',
      '2027-11-25',
      '2027-12-24',
      '2027-12-25',
      '2027-12-31',
    ]);
  });

  test('apply in the territories and nowhere else', () => {
    expect(isPublicHoliday('America/Puerto_Rico', '2026-11-26')).toBe(true);
    expect(isPublicHoliday('Pacific/Guam', '2026-11-26')).toBe(true);
    expect(isPublicHoliday('America/Toronto', '2026-11-26')).toBe(false);
    expect(isPublicHoliday('UTC', '2026-11-26')).toBe(false);
  });
});

function holidaysOf(zone: string, year: number): string[] {
  return Array.from({ length: 366 }, (_, day) =>
    new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 'YYYY-MM-DD'.length),
  ).filter((date) => date.startsWith(String(year)) && isPublicHoliday(zone, date));
}
