import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { formatPath } from '#shared/domain/member-path.ts';
import { isJsonObject } from './clean-json.ts';

type Path = readonly (string | number)[];

/** API Gateway refuses an answer whose headers exceed 10 KB together. */
const maxErrorFieldsLength = 2000;

/**
 * Parses what a client sent, after `cleanObject`. Throws `invalid_request`: `Missing required fields` with the paths in
 * `X-Error-Fields` when required members are absent or empty text, otherwise a sentence with the first path and rule.
 */
export function validate<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const missing = missingMembers(schema, value, []);
  if (missing.length > 0) throw missingRequiredFields(missing);
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ServiceError('invalid_request', sentence(parsed.error.issues[0]));
}

function missingRequiredFields(paths: readonly Path[]): ServiceError {
  const names: string[] = [];
  let length = 0;
  for (const name of paths.map(formatPath)) {
    length += name.length + 1;
    if (length > maxErrorFieldsLength) break;
    names.push(name);
  }
  return new ServiceError('invalid_request', 'Missing required fields', {
    'X-Error-Fields': names.join(','),
  });
}

/**
 * Required members that are absent or the empty string, wherever the value has the object that should hold them. The
 * schema's issues alone would not do: they report an empty text as a wrong format, and of an optional member as well.
 */
function missingMembers(schema: z.core.$ZodType, value: unknown, path: Path): Path[] {
  if (schema instanceof z.ZodMiniOptional) return missingMembers(schema._zod.def.innerType, value, path);
  if (schema instanceof z.ZodMiniObject && isJsonObject(value)) {
    return Object.entries(schema._zod.def.shape).flatMap(([name, member]) => {
      const memberPath = [...path, name];
      if (value[name] !== undefined && value[name] !== '') {
        return missingMembers(member, value[name], memberPath);
      }
      // Optional or with a default; what is required says nothing here.
      return member._zod.optin === undefined ? [memberPath] : [];
    });
  }
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    return value.flatMap((element, index) =>
      missingMembers(schema._zod.def.element, element, [...path, index]),
    );
  }
  return [];
}

function sentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'body is not valid';
  return `${formatPath(issue.path)} ${rule(issue)}`;
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

/** Of a text or a list it is the length that is bounded. */
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
