import { onFirstUse } from '#shared/domain/on-first-use.ts';

const format = onFirstUse(() => new Intl.NumberFormat('en-US'));

/** A count in prose: `1,250`. */
export function numberText(count: number): string {
  return format().format(count);
}

/** A percentage: `62%`; `0%` and `100%` only if exact. */
export function shareText(part: number, whole: number): string {
  if (part > 0 && part < whole) {
    const perCent = Math.round((100 * part) / whole);
    if (perCent === 0) return 'under 1%';
    return perCent === 100 ? 'over 99%' : `${perCent}%`;
  }
  return part === 0 ? '0%' : '100%';
}

/** Whole minutes: `12`; `0` only if exact. */
export function minutesText(seconds: number): string {
  return seconds > 0 && seconds < 30 ? 'under 1' : numberText(Math.round(seconds / 60));
}

/** `1 call`, `1,250 calls`. */
export function countText(count: number, thing: string): string {
  return `${numberText(count)} ${thing}${count === 1 ? '' : 's'}`;
}
