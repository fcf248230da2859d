import * as z from 'zod/mini';
import { type FieldError, ServiceError } from '#shared/domain/errors.ts';
import { formatPath } from '#shared/domain/member-path.ts';
import { isJsonObject } from './clean-json.ts';

type Path = readonly (string | number)[];

/**
 * Parses client input, after `cleanObject`. Throws `missing_required_fields` when required members are absent or empty
 * text, otherwise `invalid_request` with a sentence about the first invalid member; both with all invalid members.
 */
export function validate<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const long = cutLongLists(schema, value, []).map((path) => toTooLong(schema, path));
  const missing = missingMembers(schema, value, []).map((path) => toMissing(formatPath(path)));
  const parsed = z.safeParse(schema, value);
  const illFormed = illFormedMembers(value, []).map((path) => toIllFormed(schema, path));
  const known = [...missing, ...illFormed];
  if (known.length + long.length === 0 && parsed.success) return parsed.data;
  const issues = (parsed.error?.issues ?? []).map((issue) => toFieldError(schema, issue));
  const paths = new Set(known.map(({ path }) => path));
  const fields = [...known, ...issues.filter(({ path }) => !paths.has(path)), ...long];
  throw missing.length > 0
    ? new ServiceError('missing_required_fields', 'Missing required fields', { fields })
    : new ServiceError('invalid_request', fields[0]?.message ?? 'body is not valid', { fields });
}

function toMissing(path: string): FieldError {
  return { path, code: 'missing', message: `${path} is required` };
}

function toIllFormed(schema: z.core.$ZodType, path: Path): FieldError {
  return aboutMember(schema, path, 'invalid', 'must be valid Unicode, without half of a surrogate pair');
}

function toTooLong(schema: z.core.$ZodType, path: Path): FieldError {
  return aboutMember(schema, path, 'too_large', `must ${bound('at most', maxEntries, 'array')}`);
}

/** No request needs a longer list. */
const maxEntries = 1000;

/**
 * Cuts too long lists, in place, and returns their paths: the schema would complain about each of 100,000 entries until
 * the stack overflows.
 */
function cutLongLists(schema: z.core.$ZodType, value: unknown, path: Path): Path[] {
  const members = membersOf(schema, value);
  const isLong = Array.isArray(value) && members.length > maxEntries;
  if (isLong) value.length = maxEntries;
  const inner = members
    .slice(0, maxEntries)
    .flatMap(({ inner, member, step }) => cutLongLists(inner, member, [...path, step]));
  return isLong ? [path, ...inner] : inner;
}

/** Texts, and objects with a name, that cannot be stored or sent on. */
function illFormedMembers(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path];
  if (Array.isArray(value))
    return value.flatMap((member, index) => illFormedMembers(member, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name.isWellFormed() ? illFormedMembers(member, [...path, name]) : [[...path, name]],
  );
}

function toFieldError(schema: z.core.$ZodType, issue: z.core.$ZodIssue): FieldError {
  const code = fieldCodes[issue.code] ?? 'invalid';
  const [ofKey] = issue.code === 'invalid_key' ? issue.issues : [];
  if (ofKey === undefined) return aboutMember(schema, issue.path, code, rule(issue));
  const path = formatPath(knownPath(schema, issue.path));
  return { path, code, message: `${path} has a key that ${rule(ofKey)}` };
}

function aboutMember(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  code: FieldError['code'],
  broken: string,
): FieldError {
  const known = knownPath(schema, path);
  const name = formatPath(known);
  const message = known.length === path.length ? `${name} ${broken}` : `${name} has a value that ${broken}`;
  return { path: name, code, message };
}

/**
 * The path as far as the schema names it: a client's own keys may reveal something about a patient, and are not
 * echoed.
 */
function knownPath(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return knownPath(schema._zod.def.innerType, path);
  }
  if (schema instanceof z.ZodMiniRecord) return [];
  if (schema instanceof z.ZodMiniArray) return [step, ...knownPath(schema._zod.def.element, rest)];
  if (!(schema instanceof z.ZodMiniObject)) return path;
  const shape: Readonly<Record<PropertyKey, z.core.$ZodType>> = schema._zod.def.shape;
  const inner = shape[step];
  return inner === undefined ? [] : [step, ...knownPath(inner, rest)];
}

const fieldCodes: Partial<Record<z.core.$ZodIssue['code'], FieldError['code']>> = {
  invalid_type: 'wrong_type',
  invalid_value: 'not_allowed',
  too_big: 'too_large',
  too_small: 'too_small',
};

/**
 * Required members that are absent or empty, wherever the object that should have them is present. Schema issues alone
 * do not suffice: they report an empty text as a wrong format, and of an optional member as well.
 */
function missingMembers(schema: z.core.$ZodType, value: unknown, path: Path): Path[] {
  return membersOf(schema, value).flatMap(({ inner, member, step, isRequired }) =>
    isRequired && isMissing(member) ? [[...path, step]] : missingMembers(inner, member, [...path, step]),
  );
}

/**
 * Removes, in place, optional members that are null or empty text where neither is valid: clients, forms and
 * spreadsheets send them for "not given".
 */
export function dropAbsentMembers(schema: z.core.$ZodType, value: unknown): void {
  for (const { inner, member, step, isRequired } of membersOf(schema, value)) {
    const isAbsent = !isRequired && (member === null || member === '') && !accepts(inner, member);
    if (isAbsent && isJsonObject(value)) delete value[step];
    else dropAbsentMembers(inner, member);
  }
}

/** Replaces, in place, empty texts by null where only null is valid: both clear a member in a change. */
export function clearEmptyMembers(schema: z.core.$ZodType, value: unknown): void {
  for (const { inner, member, step } of membersOf(schema, value)) {
    const isCleared = member === '' && !accepts(inner, '') && accepts(inner, null);
    if (isCleared && isJsonObject(value)) value[step] = null;
    else clearEmptyMembers(inner, member);
  }
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

function isMissing(member: unknown): boolean {
  return member === undefined || member === null || member === '';
}

interface SchemaMember {
  readonly inner: z.core.$ZodType;
  readonly member: unknown;
  readonly step: string | number;
  /** Neither optional nor with a default. */
  readonly isRequired: boolean;
}

/** A schema's terms for the members that a value has or should have. */
function membersOf(schema: z.core.$ZodType, value: unknown): SchemaMember[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return membersOf(schema._zod.def.innerType, value);
  }
  if (schema instanceof z.ZodMiniObject && isJsonObject(value)) {
    return Object.entries<z.core.$ZodType>(schema._zod.def.shape).map(([step, inner]) => ({
      inner,
      member: value[step],
      step,
      isRequired: inner._zod.optin === undefined && !(inner instanceof z.ZodMiniNullable),
    }));
  }
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    const inner: z.core.$ZodType = schema._zod.def.element;
    return value.map((member, step) => ({ inner, member, step, isRequired: false }));
  }
  return [];
}

function rule(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must ${bound('at most', issue.maximum, issue.origin)}`;
    case 'too_small':
      return `must ${bound('at least', issue.minimum, issue.origin)}`;
    default:
      // The schemas of the domain word their own rules; none of them quotes the value.
      return issue.message;
  }
}

/** For a text or list, bounds its length. */
function bound(side: 'at least' | 'at most', limit: number | bigint, origin: string): string {
  const isOne = Number(limit) === 1;
  switch (origin) {
    case 'string':
      return `have ${side} ${limit} ${isOne ? 'character' : 'characters'}`;
    case 'array':
      return `have ${side} ${limit} ${isOne ? 'entry' : 'entries'}`;
    default:
      return `be ${side} ${limit}`;
  }
}

const typeNames: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};
