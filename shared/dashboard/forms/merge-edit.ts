import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '#shared/http/clean-json.ts';
import { textOf } from './form-values.ts';

/** The hidden field with the values that the form was opened with, as JSON. */
export const openedField = 'opened';

/** Null if they are missing or unreadable; every changed value then counts as a conflict. */
export function readOpened(form: FormData): unknown {
  try {
    return JSON.parse(textOf(form, openedField));
  } catch {
    return null;
  }
}

/** A form while others save other values. */
export interface Edit<Form> {
  readonly opened: unknown;
  readonly typed: Form;
  readonly stored: Form;
}

export interface MergedEdit<Form> {
  /** What is stored, with the person's own changes. */
  readonly values: Form;
  /** Each value that others changed too, as they stored it. */
  readonly conflicts: readonly (readonly [name: string, stored: unknown])[];
}

/** Applies only what the person changed, so that values they never touched stay as others saved them. */
export function mergeEdit<Form extends object>({ opened, typed, stored }: Edit<Form>): MergedEdit<Form> {
  const before = new Map(isJsonObject(opened) ? Object.entries(opened) : []);
  const now = new Map<string, unknown>(Object.entries(stored));
  const changed = Object.entries(typed).filter(
    ([name, value]) => !isDeepStrictEqual(value, before.get(name)),
  );
  return {
    values: { ...stored, ...Object.fromEntries(changed) },
    conflicts: changed.flatMap(([name, value]) =>
      [before.get(name), value].some((one) => isDeepStrictEqual(one, now.get(name)))
        ? []
        : [[name, now.get(name)] as const],
    ),
  };
}

/** Sending the form again after this is deliberate. */
export function nowSaved(label: string, value: string): string {
  return `${label}. Now saved: ${value}. Save again to replace it`;
}
