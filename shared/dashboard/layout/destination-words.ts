import type { DirectoryEntry, LineKind } from '#shared/domain/directory-entry.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { daysText, hoursText } from './clock-words.ts';

export const lineKindNames: Readonly<Record<LineKind, string>> = {
  payer: 'Payer',
  'call-center': 'Call center',
  clinic: 'Clinic',
  pharmacy: 'Pharmacy',
  lab: 'Lab',
  other: 'Other',
};

type Numbers = Pick<DirectoryEntry, 'phone_number' | 'last_phone_number'>;

/** `+1 (202) 555-0142`, or both ends of a range. */
export function numbersText({ phone_number, last_phone_number }: Numbers): string {
  return [phone_number, last_phone_number ?? []].flat().map(phoneNumberText).join(' to ');
}

/** When a line answers, one text per window: `Mon–Fri: 8 AM–6 PM`; empty if unknown. */
export function hoursTexts({ hours }: Pick<DirectoryEntry, 'hours'>): string[] {
  return (hours?.weekly ?? []).map((window) => `${daysText(window.days)}: ${hoursText(window)}`);
}
