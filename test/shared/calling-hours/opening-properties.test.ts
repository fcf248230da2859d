import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closingTime, nextOpening } from '#shared/calling-hours/opening.ts';
import { type CalledPlace, placeOf } from '#shared/calling-hours/place.ts';
import { alwaysOpen, type CallingHours } from '#shared/domain/project.ts';
import { inFull } from '../../support/in-full.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('for any number at any instant', () => {
  test('the next opening is open in all its zones, and nothing earlier is', () => {
    fc.assert(
      fc.property(place, callingHours, instant, (called, hours, at) => {
        const next = nextOpening(hours, called, at);
        const end = next === null ? at.getTime() + 60 * dayMs : next.at.getTime();
        expect(end).toBeGreaterThanOrEqual(at.getTime());
        for (const earlier of quarterHours(at.getTime(), end)) {
          if (isOpenEverywhere(hours, called, earlier)) expect.fail(`open at ${earlier.toISOString()}`);
        }
        if (next === null) return;
        expect(isOpenEverywhere(hours, called, next.at)).toBe(true);
        expect(next.reason === null).toBe(next.at.getTime() === at.getTime());
      }),
      { numRuns: inFull ? 400 : 100 },
    );
  });

  test('an opening is open in all zones from start to end, and closed in one at its end', () => {
    fc.assert(
      fc.property(place, callingHours, instant, (called, hours, at) => {
        const next = nextOpening(hours, called, at);
        if (next === null) return;
        const end = closingTime(hours, called, next.at) ?? new Date(next.at.getTime() + 60 * dayMs);
        for (const during of quarterHours(next.at.getTime(), end.getTime())) {
          if (!isOpenEverywhere(hours, called, during)) expect.fail(`closed at ${during.toISOString()}`);
        }
        expect(isOpenEverywhere(hours, called, end)).toBe(false);
      }),
      { numRuns: inFull ? 200 : 50 },
    );
  });
});

/** Area codes in one zone, in several, and in none; fixed and mobile; either hemisphere; every kind of clock change. */
const prefixes = [
  '1202555',
  '1850555',
  '1208555',
  '1928555',
  '1907555',
  '1709555',
  '1800555',
  '1671555',
  '1809555',
  '4420794',
  '4479460',
  '3491123',
  '3461234',
  '5511912',
  '5215512',
  '6129999',
  '6141234',
  '6189221',
  '6421123',
  '7495123',
  '7916123',
  '9198765',
  '9771412',
  '9851234',
  '9721234',
  '2126123',
  '5376123',
  '5622123',
  '6858123',
  '8821612',
];

const place = fc
  .record({
    prefix: fc.constantFrom(...prefixes),
    rest: fc.integer({ min: 1000, max: 9999 }),
    addresses: fc.array(
      fc.constantFrom(
        { state: 'TX', country: 'US' },
        { state: 'Arizona', country: 'USA' },
        { state: 'BC', country: 'CA' },
        { state: 'Bayern', country: 'DE' },
        { state: 'NSW', country: 'AU' },
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ prefix, rest, addresses }) => placeOf(`+${prefix}${rest}`, addresses));

/** Instants near clock changes, where bugs are most likely; any other instant is possible, too. */
const clockChanges = [
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
  '2026-09-06T04:00:00Z',
  '2027-02-07T02:00:00Z',
].map((at) => Date.parse(at));

const instant = fc
  .oneof(
    fc.integer({ min: Date.parse('2025-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') }),
    fc
      .tuple(fc.constantFrom(...clockChanges), fc.integer({ min: -2 * dayMs, max: 2 * dayMs }))
      .map(([change, distance]) => change + distance),
  )
  .map((ms) => new Date(ms));

const quarterOfDay = fc.integer({ min: 0, max: 96 });

const callingHours = fc
  .record({
    edges: fc.oneof(
      fc.constant<readonly [number, number]>([32, 84]),
      fc
        .tuple(quarterOfDay, quarterOfDay)
        .filter(([a, b]) => a !== b)
        .map(([a, b]): readonly [number, number] => [Math.min(a, b), Math.max(a, b)]),
    ),
    days: fc.oneof(fc.constant(alwaysOpen.days), fc.subarray(alwaysOpen.days, { minLength: 1 })),
  })
  .map(
    ({ edges, days }): CallingHours => ({
      opens: quarterText(edges[0]),
      closes: quarterText(edges[1]),
      days,
      on_holidays: true,
    }),
  )
  .filter(({ opens, closes, days }) => opens !== '00:00' || closes !== '24:00' || days.length < 7);

function quarterText(quarters: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(quarters / 4))}:${two((quarters % 4) * 15)}`;
}

/** `from` and the quarters of an hour after it, before `to`: the only instants at which any zone opens or closes. */
function* quarterHours(from: number, to: number): Generator<Date> {
  const quarterMs = 15 * minuteMs;
  let at = from;
  while (at < to) {
    yield new Date(at);
    at = (Math.floor(at / quarterMs) + 1) * quarterMs;
  }
}

function isOpenEverywhere(hours: CallingHours, { zones }: CalledPlace, at: Date): boolean {
  return zones.every((zone) => isOpenIn(hours, zone, at));
}

const shownClocks = new Map<string, Intl.DateTimeFormat>();

/** By weekday and time of day as the runtime formats them, without calculating offsets. */
function isOpenIn({ opens, closes, days }: CallingHours, timeZone: string, at: Date): boolean {
  const clock =
    shownClocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
  shownClocks.set(timeZone, clock);
  const shown = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(shown.weekday ?? '') + 1;
  const time = `${shown.hour}:${shown.minute}`;
  return days.includes(weekday) && time >= opens && time < closes;
}
