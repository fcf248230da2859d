import type { z } from 'zod/mini';
import { isJsonObject } from '#shared/http/clean-json.ts';

/** The trimmed text of a field. @param form a form, or a map of its fields by name */
export function textOf(form: { get(name: string): unknown }, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The checked values of a group of checkboxes. */
export function textsOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}

/** A number, or NaN for other text, which the schema refuses. */
export function numberOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

/**
 * Converts a written time of day to `HH:MM`: `9`, `9:00`, `9 am`, `5:30 PM`, `24:00`. Returns anything else unchanged,
 * for the schema to refuse.
 */
export function timeOfDayOf(text: string): string {
  const [, hour = '', minute = '00', half] =
    /^(\d{1,2})(?::(\d{2}))?\s*([ap])?\.?(?:m\.?)?$/i.exec(text.trim()) ?? [];
  if (hour === '') return text;
  const isAfternoon = half?.toLowerCase() === 'p';
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return text;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** `9:00 AM` for `09:00`; `24:00` stays, because no other time ends a day. @param time `HH:MM` */
export function timeOfDayText(time: string): string {
  const [, hour = '', minute = ''] = /^(\d{2}):(\d{2})$/.exec(time) ?? [];
  if (hour === '' || hour === '24') return time;
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

/**
 * The form's values without empty ones: empty texts, and groups or lists of nothing else. Undefined if nothing
 * remains.
 */
export function withoutEmpty(value: unknown): unknown {
  if (value === '') return undefined;
  if (Array.isArray(value)) {
    const elements = value.map(withoutEmpty).filter((element) => element !== undefined);
    return elements.length === 0 ? undefined : elements;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) => {
      const given = withoutEmpty(member);
      return given === undefined ? [] : [[name, given] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  return value;
}

/** Problems by the field that shows them. */
export type FieldErrors = Readonly<Record<string, string>>;

/** How a form reports errors. */
export interface FormProblems {
  /** The field that shows a problem of its schema; default: the member's. */
  readonly fieldOf?: (path: readonly PropertyKey[]) => string;
  /** What to do about it, by field; the schema's own words for other fields. */
  readonly sentences: Readonly<Record<string, string>>;
  /** The field that shows why the service refused; none by default. */
  readonly refusedAt?: string;
  /** The field that shows a refused body member; null for `refusedAt`. @param path as errors name it */
  readonly refusedFieldOf?: (path: string) => string | null;
}

/**
 * The first problem of each field.
 *
 * @param sentences by field; default: a path's own message
 */
export function fieldErrors(
  error: z.core.$ZodError,
  fieldOfPath: (path: readonly PropertyKey[]) => string,
  sentences: Readonly<Record<string, string>>,
): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const field = fieldOfPath(path);
    errors[field] ??= sentences[field] ?? message;
  }
  return errors;
}

/** Status of a page with a form: 400 on errors. */
export function formStatus(errors: FieldErrors): 200 | 400 {
  return Object.keys(errors).length === 0 ? 200 : 400;
}
