import type { z } from 'zod/mini';

/** What was typed into the field, without blanks around it. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** What was ticked in a group of boxes. */
export function textsOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}

/** A number, or NaN for text that is none; so that the schema, which knows the limits, is what refuses it. */
export function numberOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

/** Problems by the field that they are shown at. */
export type FieldErrors = Readonly<Record<string, string>>;

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
