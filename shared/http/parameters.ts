import { invalidField } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

/** The ID in the path, in lower case. Throws `Invalid <noun> ID format`. */
export function readPathId(
  { pathParameters }: Pick<RawRequest, 'pathParameters'>,
  name: string,
  noun: string,
): string {
  const id = Uuid.safeParse(pathParameters[name]);
  if (!id.success) throw invalidField(name, `Invalid ${noun} ID format`);
  return id.data;
}

/** The telephone number in the path, E.164. Throws `Invalid phone number format`. */
export function readPathNumber({ pathParameters }: Pick<RawRequest, 'pathParameters'>, name: string): string {
  const number = PhoneNumber.safeParse(decoded(pathParameters[name] ?? ''));
  if (!number.success) throw invalidField(name, 'Invalid phone number format');
  return number.data;
}

/** The gateway passes the rest of a path on as received. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const flagValues = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A boolean query parameter, false when absent. Python clients send `True`, so case does not matter. */
export function readFlag({ query }: Pick<RawRequest, 'query'>, name: string): boolean {
  const values = query.getAll(name).map((text) => flagValues.get(text.trim().toLowerCase()));
  const [value] = values;
  if (values.length === 0) return false;
  if (value === undefined || values.some((other) => other !== value)) {
    throw invalidField(name, `${name} must be true or false`);
  }
  return value;
}

/** A query parameter with a few allowed values; null when absent. */
export function readChoice<Choice extends string>(
  request: Pick<RawRequest, 'query'>,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = readText(request, name);
  if (text === null) return null;
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw invalidField(name, `${name} must be one of ${choices.join(', ')}`);
}

/** A query parameter with any text; null when absent. Throws when it is given twice. */
export function readText({ query }: Pick<RawRequest, 'query'>, name: string): string | null {
  const [value, ...others] = query.getAll(name);
  if (others.length > 0) throw invalidField(name, `${name} must be given once`);
  return value ?? null;
}

/** The cursor of the query; null when absent or empty, as clients without a cursor send it. */
export function readCursor(request: Pick<RawRequest, 'query'>): string | null {
  return readText(request, 'cursor') || null;
}
