import type { z } from 'zod/mini';
import { isJsonObject } from '#shared/http/clean-json.ts';

/** What was typed into the field, without blanks around it. @param form a form, or a map of its fields by name */
export function textOf(form: { get(name: string): unknown }, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** What was ticked in a group of boxes. */
export function textsOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}

/** A number, or NaN for other text, which the schema refuses. */
export function numberOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

/**
 * A time of day as people write it, as `HH:MM`: `9`, `9:00`, `9 am`, `5:30 PM`, `24:00`. What is none comes back as
 * it is, for the schema to refuse.
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

/** `9:00 AM` of `09:00`; `24:00` stays, because no other time of day ends a day. @param time `HH:MM` */
export function timeOfDayText(time: string): string {
  const [, hour = '', minute = ''] = /^(\d{2}):(\d{2})$/.exec(time) ?? [];
  if (hour === '' || hour === '24') return time;
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

/**
 * What a form says, without what was left empty: an empty text was not given, and neither was a group or a list of
 * nothing else. Undefined when nothing remains.
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

/** Problems by the field that they are shown at. */
export type FieldErrors = Readonly<Record<string, string>>;

/** How a form tells what is wrong with it. */
export interface FormProblems {
  /** At which field a problem of its schema is shown; without it, that of the member. */
  readonly fieldOf?: (path: readonly PropertyKey[]) => string;
  /** What to do about it, by field; the schema's own words where a field has none. */
  readonly sentences: Readonly<Record<string, string>>;
  /** At which field it is shown why the service refused; without it, at none of them. */
  readonly refusedAt?: string;
  /**
   * At which field what the service refused of the body is shown; null for `refusedAt`. @param path as errors name it
   */
  readonly refusedFieldOf?: (path: string) => string | null;
}

/**
 * The first problem of each field.
 *
 * @param sentences by field; a path's own message where a field has none
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

/** Of a page with a form: 400 where something is wrong with it. */
export function formStatus(errors: FieldErrors): 200 | 400 {
  return Object.keys(errors).length === 0 ? 200 : 400;
}
