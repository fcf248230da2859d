import * as z from 'zod/mini';
import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { cleanObject, hasRemovedName, isJsonObject, isTooDeep, maxJsonDepth } from './clean-json.ts';
import { clearEmptyMembers, dropAbsentMembers, validate } from './validate.ts';

/** 256 KB, which leaves room below DynamoDB's item limit of 400 KB. */
const maxBodyBytes = 256 * 1024;

/**
 * The JSON object in a request's body, regardless of its `Content-Type`; drops `null` members, unless asked otherwise.
 * Throws `payload_too_large` or `invalid_request`.
 */
export function readJsonObject(
  { body }: { readonly body: Buffer },
  options: { readonly keepsNull: boolean } = { keepsNull: false },
): Record<string, unknown> {
  if (body.byteLength > maxBodyBytes) throw bodyTooLarge('256 KB');
  return toCleanObject(parseJson(body), options);
}

function toCleanObject(value: unknown, options: { readonly keepsNull: boolean }): Record<string, unknown> {
  const object = toShallowObject(value);
  for (const name of freeForm) {
    if (!hasRemovedName(object[name])) continue;
    throw invalidField(name, `${name} must not have a member named constructor or __proto__`);
  }
  return cleanObject(object, options);
}

/** Members that keep whatever else the client names. */
const freeForm = ['metadata', 'task_data'] as const;

function toShallowObject(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) throw invalidField('body', 'body must be a JSON object');
  if (isTooDeep(value)) {
    throw invalidField('body', `body must not be nested deeper than ${maxJsonDepth} levels`);
  }
  return value;
}

function bodyTooLarge(limit: string): ServiceError {
  return new ServiceError('payload_too_large', `Request body must not be larger than ${limit}`);
}

/** Lambda accepts events up to 6 MB, in which the body is escaped as a JSON string. */
const maxListBytes = 4 * 1024 * 1024;

/** One entry of a list in a body, read like a body of its own. */
export interface ListEntry {
  /** As received, for comparing requests. */
  readonly sent: unknown;
  /** Throws what `readJsonObject` throws. */
  readonly read: () => Record<string, unknown>;
}

/**
 * The list in a body's named member. Throws `payload_too_large` above 4 MB, and what `readJsonObject` and `validate`
 * throw for a body without such a list.
 */
export function readJsonList(
  { body }: { readonly body: Buffer },
  name: string,
  { most }: { readonly most: number },
): ListEntry[] {
  if (body.byteLength > maxListBytes) throw bodyTooLarge('4 MB');
  const value = toShallowObject(parseJson(body));
  const given = value[name];
  const entries: unknown[] = Array.isArray(given) ? given : [];
  const list = z.array(z.null()).check(z.minLength(1), z.maxLength(most));
  // Only the list: each entry is checked separately.
  const outline = Array.isArray(given) ? entries.map(() => null) : given;
  validate(z.object({ [name]: list }), { [name]: outline });
  return entries.map((sent) => ({
    sent,
    read: () => {
      if (Buffer.byteLength(JSON.stringify(sent)) > maxBodyBytes) throw bodyTooLarge('256 KB');
      return toCleanObject(sent, { keepsNull: false });
    },
  }));
}

/** The body parsed by `schema`. Throws what `readJsonObject` and `validate` throw. */
export function readBody<Schema extends z.ZodMiniType>(
  request: { readonly body: Buffer },
  schema: Schema,
): z.output<Schema> {
  return validateNew(schema, readJsonObject(request));
}

/** `validate` for new data, where null and empty text count as absent wherever they can mean nothing else. */
export function validateNew<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: Record<string, unknown>,
): z.output<Schema> {
  dropAbsentMembers(schema, body);
  return validate(schema, body);
}

/**
 * The body of a new patient. Keeps nested null members, so that they are returned as null. Throws what
 * `readJsonObject` and `validate` throw.
 */
export function readNewPatient<Schema extends z.ZodMiniType>(
  request: { readonly body: Buffer },
  schema: Schema,
): z.output<Schema> {
  return validateNew(schema, readJsonObject(request, { keepsNull: true }));
}

/**
 * The body of a PATCH: an absent member stays unchanged; `null` clears it, and so does empty text where it can mean
 * nothing else. Throws what `readBody` throws.
 */
export function readChanges<Schema extends z.ZodMiniType>(
  request: { readonly body: Buffer },
  schema: Schema,
): z.output<Schema> {
  const body = readJsonObject(request, { keepsNull: true });
  clearEmptyMembers(schema, body);
  return validate(schema, body);
}

function parseJson(body: Buffer): unknown {
  try {
    // Rejects bytes that are not UTF-8 and drops a byte order mark, which some clients send.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    // API Gateway replaces bytes that are not UTF-8 by this character: a name would be stored mutilated.
    if (text.includes(replacementCharacter)) throw new SyntaxError('body was not UTF-8');
    return JSON.parse(text);
  } catch {
    throw new ServiceError('malformed_json', 'Malformed JSON body');
  }
}

const replacementCharacter = '\uFFFD';
