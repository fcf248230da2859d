import { spokenDate } from './calendar.ts';
import spelling from './en-US/entities/spelling.json' with { type: 'json' };

/*
 * Spoken forms of values, for writing them down: identifiers character by character, dates in natural
 * words.
 */

/** `XGH123456` → `X G H, 1 2 3, 4 5 6` */
export function spelledIdentifier(identifier: string): string {
  const groups = identifier
    .toUpperCase()
    .split(/[^A-Z0-9*#]+/)
    .flatMap((part) => part.match(/[A-Z]+|[0-9]+|[*#]/g) ?? [])
    .flatMap((run) => (run in keys ? [[keys[run] ?? '']] : inGroups([...run])));
  return groups.map((group) => group.join(' ')).join(', ');
}

/** The first name of each key. */
const keys: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(spelling.keys)
    .reverse()
    .map(([name, key]) => [key, name]),
);

/** Groups of three, the last one up to four, so that no character is alone. */
function inGroups(characters: string[]): string[][] {
  const groups: string[][] = [];
  let at = 0;
  for (; characters.length - at > 4; at += 3) groups.push(characters.slice(at, at + 3));
  return [...groups, characters.slice(at)];
}

/** `+12025550143` → `2 0 2, 5 5 5, 0 1 4 3`; other countries' numbers with their country code. */
export function spokenPhoneNumber(phoneNumber: string): string {
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phoneNumber);
  if (american !== null)
    return american
      .slice(1)
      .map((group) => [...group].join(' '))
      .join(', ');
  return `plus ${spelledIdentifier(phoneNumber)}`;
}

/** `ana.ruiz@example.com` → `ana dot ruiz at example dot com` */
export function spokenEmail(email: string): string {
  return email
    .replaceAll('@', ' at ')
    .replaceAll('.', ' dot ')
    .replaceAll('_', ' underscore ')
    .replaceAll('-', ' dash ');
}

export interface SpokenAddress {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
}

export function spokenAddress({ street, city, state, postalCode }: SpokenAddress): string {
  const zip = postalCode === undefined ? undefined : [...postalCode.replaceAll(/\s/g, '')].join(' ');
  return [street, city, state, zip].filter((part) => part !== undefined && part !== '').join(', ');
}

/** A `YYYY-MM-DD` date in spoken form; other texts unchanged. */
export function spokenDateText(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? spokenDate(text) : text;
}

/** `1240.5`, `$1,240.50` and `1240.50 USD` are all spoken as `$1,240.50`. */
export function spokenAmount(text: string): string {
  const trimmed = text.trim();
  const match = /^(?:USD|US\$|\$)?\s*(\d[\d,]*)(?:\.(\d{1,2}))?\s*(?:USD|dollars)?$/i.exec(trimmed);
  if (match === null) return trimmed;
  const [, whole = '0', cents = ''] = match;
  const grouped = BigInt(whole.replaceAll(',', '')).toLocaleString('en-US');
  return Number(cents) === 0 ? `$${grouped}` : `$${grouped}.${cents.padEnd(2, '0')}`;
}
