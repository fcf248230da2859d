import type { PlanItem } from '../call-plan/call-plan.ts';
import { spokenDate, writtenDay, writtenTime } from '../language/calendar.ts';
import type { RecordedAnswer } from './dialogue-record.ts';

/**
 * The value of an answer as text, by its kind: `$1,250.50`, `20%`, `March 5, 2024`.
 * Without a value, the person's words as a quote.
 */
export function writtenValue({ kind }: Pick<PlanItem, 'kind'>, answer: RecordedAnswer): string {
  const { value } = answer;
  if (typeof value === 'boolean') return kind === 'text' ? quoted(answer.quote) : value ? 'yes' : 'no';
  if (value === null || value === '') return quoted(answer.quote);
  switch (kind) {
    case 'money':
      return `$${grouped(Number(value), 2)}`;
    case 'percentage':
      return `${grouped(Number(value), 0)}%`;
    case 'number':
      return typeof value === 'number' ? grouped(value, 0) : value;
    case 'date':
      return isDay(String(value)) ? spokenDate(String(value)) : String(value);
    case 'date-time':
      return writtenSlot(String(value));
    default:
      return String(value);
  }
}

/** Marks the person's words as a quote; text with quotes is unchanged. */
export function quoted(words: string): string {
  return words.startsWith('"') ? words : `"${words.trim()}"`;
}

/** `1,250.50` and `1,250` */
function grouped(value: number, digits: number): string {
  const minimumFractionDigits = Number.isInteger(value) ? 0 : digits;
  return value.toLocaleString('en-US', { minimumFractionDigits, maximumFractionDigits: 2 });
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** `2026-11-24T10:30` → `Tuesday, November 24, 2026 at 10:30 AM`; a day alone has no time. */
export function writtenSlot(value: string): string {
  const [day = '', time] = value.split('T');
  if (!isDay(day)) return value;
  if (time === undefined) return writtenDay(day);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return `${writtenDay(day)} at ${writtenTime(hours * 60 + minutes)}`;
}
