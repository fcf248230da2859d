import type { Choice } from './fields.tsx';

/** From Monday, day number 1. */
export const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const dayChoices: readonly Choice[] = dayNames.map((label, index) => ({
  value: String(index + 1),
  label,
}));

/** `9 AM`, `5:30 PM`. @param time `HH:MM`, up to `24:00` */
function timeText(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
}

/** `8 AM–5:30 PM`, or `All day`. */
export function hoursText({ opens, closes }: { readonly opens: string; readonly closes: string }): string {
  return opens === '00:00' && closes === '24:00' ? 'All day' : `${timeText(opens)}–${timeText(closes)}`;
}

/** `Mon–Fri`, `Mon, Wed, Sat–Sun`. @param days from 1 (Monday) to 7 */
export function daysText(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days.toSorted((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => (run.length < 2 ? [run[0]] : [run[0], run.at(-1)]))
    .map((ends) => ends.map((day = 1) => dayNames[day - 1]?.slice(0, 3)).join('–'))
    .join(', ');
}

const zones: readonly Choice[] = [
  { value: 'America/New_York', label: 'Eastern Time' },
  { value: 'America/Chicago', label: 'Central Time' },
  { value: 'America/Denver', label: 'Mountain Time' },
  { value: 'America/Phoenix', label: 'Arizona' },
  { value: 'America/Los_Angeles', label: 'Pacific Time' },
  { value: 'America/Anchorage', label: 'Alaska' },
  { value: 'Pacific/Honolulu', label: 'Hawaii' },
  { value: 'America/Puerto_Rico', label: 'Puerto Rico' },
];

/** As people call it: `Central Time`, `Europe/Berlin time`. @param timeZone IANA name */
export function zoneText(timeZone: string): string {
  const known = zones.find(({ value }) => value === timeZone)?.label;
  return known ?? (timeZone === 'UTC' ? 'UTC' : `${timeZone.replaceAll('_', ' ')} time`);
}

/** The zones of the United States first, then all others by name. @param none label of no choice */
export function zoneOptions(chosen: string, none: string): readonly Choice[] {
  const first = [{ value: '', label: none }, ...zones];
  const others = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])].filter(
    (name) => !first.some(({ value }) => value === name),
  );
  return [...first, ...others.toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') }))];
}
