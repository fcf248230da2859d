import { commonWindow } from '#shared/domain/directory-entry.ts';
import type { CallingHours } from '#shared/domain/project.ts';
import { dayMs } from '#shared/domain/time.ts';
import type { CalledPlace } from './place.ts';
import { isPublicHoliday } from './public-holidays.ts';
import { laterOrClockChange, wallTime } from './zone-clock.ts';

/** How far to look ahead for an opening. Hours without one within it are treated as never. */
const horizonMs = 60 * dayMs;
const minutesPerDay = 24 * 60;

export interface Opening {
  readonly at: Date;
  /** Why it is later than now, as a sentence; null when it is open now. */
  readonly reason: string | null;
}

/**
 * The first instant from `at` on at which a phone at that place may ring: within the hours by the clocks and calendars
 * of all its time zones at once. Null if there is none within 60 days.
 */
export function nextOpening(hours: CallingHours, place: CalledPlace, at: Date): Opening | null {
  const opening = firstCommonOpening(hoursAt(hours, place), place, at);
  if (opening === null) return null;
  return opening.getTime() === at.getTime()
    ? { at, reason: null }
    : { at: opening, reason: `Outside the calling hours of the number called (${inWords(hours, place)}).` };
}

/**
 * When a place that is open at `at` closes: the first instant from then on at which a phone there may not ring by the
 * clock of at least one of its time zones; `at` itself if closed. Null if it stays open for 60 days.
 */
export function closingTime(hours: CallingHours, place: CalledPlace, at: Date): Date | null {
  const open = hoursAt(hours, place);
  if (isAlwaysOpen(open)) return null;
  const closings = place.zones.flatMap((zone) => firstInstant(open, zone, at, false)?.getTime() ?? []);
  return closings.length === 0 ? null : new Date(Math.min(...closings));
}

/** `08:00-21:00 on Mon-Fri in America/New_York`, for people. */
export function inWords(hours: CallingHours, place: CalledPlace): string {
  const [zone] = place.zones;
  const where = place.zones.length === 1 && zone !== undefined ? zone : `${place.zones.length} time zones`;
  const windows = hoursAt(hours, place).map(({ opens, closes, days }) => {
    const onDays = new Set(days).size === 7 ? '' : ` on ${daysInWords(days)}`;
    return `${opens}-${closes}${onDays}`;
  });
  const times = windows.length === 0 ? 'never' : windows.join(', ');
  return `${times} in ${where}${hours.on_holidays ? '' : ', not on public holidays'}`;
}

/** The project's calling hours within which the line answers. */
function hoursAt(hours: CallingHours, { windows = null }: CalledPlace): readonly CallingHours[] {
  if (windows === null) return [hours];
  return windows.flatMap((window) => commonWindow(hours, window) ?? []);
}

/**
 * Each zone in turn moves the instant to its own next opening, until none does. No zone opens earlier than it says, so
 * no common opening is skipped.
 */
function firstCommonOpening(hours: readonly CallingHours[], { zones }: CalledPlace, at: Date): Date | null {
  if (isAlwaysOpen(hours)) return at;
  const end = at.getTime() + horizonMs;
  let candidate = at;
  for (;;) {
    let latest = candidate;
    for (const zone of zones) {
      const opening = firstInstant(hours, zone, latest, true);
      if (opening === null || opening.getTime() > end) return null;
      latest = opening;
    }
    if (latest.getTime() === candidate.getTime()) return candidate;
    candidate = latest;
  }
}

/** The first instant from `from` on at which a zone is open, or is closed. */
function firstInstant(hours: readonly CallingHours[], zone: string, from: Date, open: boolean): Date | null {
  const end = from.getTime() + horizonMs;
  for (let at = from; at.getTime() <= end; at = nextChance(hours, zone, at)) {
    if (isOpen(hours, zone, at) === open) return at;
  }
  return null;
}

function isOpen(hours: readonly CallingHours[], zone: string, at: Date): boolean {
  const { date, weekday, minutes } = wallTime(zone, at);
  return hours.some(
    ({ opens, closes, days, on_holidays }) =>
      minutes >= minutesOf(opens) &&
      minutes < minutesOf(closes) &&
      days.includes(weekday) &&
      (on_holidays || !isPublicHoliday(zone, date)),
  );
}

/** The next instant at which a zone may open or close: by its clock, its calendar, or a clock change. */
function nextChance(hours: readonly CallingHours[], zone: string, at: Date): Date {
  const { minutes } = wallTime(zone, at);
  const times = hours.flatMap(({ opens, closes }) => [minutesOf(opens), minutesOf(closes)]);
  const edges = [...times, minutesPerDay];
  const next = Math.min(...edges.filter((edge) => edge > minutes));
  return laterOrClockChange(zone, at, next - minutes);
}

function isAlwaysOpen(hours: readonly CallingHours[]): boolean {
  return hours.some(
    ({ opens, closes, days, on_holidays }) =>
      opens === '00:00' && closes === '24:00' && new Set(days).size === 7 && on_holidays,
  );
}

/** Since midnight, of `HH:MM`. */
function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function daysInWords(days: readonly number[]): string {
  const ordered = dayNames.flatMap((name, index) => (days.includes(index + 1) ? [{ name, index }] : []));
  const first = ordered[0];
  const last = ordered.at(-1);
  if (first === undefined || last === undefined) return 'no day';
  const isRange = ordered.length > 2 && last.index - first.index === ordered.length - 1;
  return isRange ? `${first.name}-${last.name}` : ordered.map(({ name }) => name).join(', ');
}
