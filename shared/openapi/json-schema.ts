import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { EmailAddress } from '#shared/domain/person.ts';
import { CalendarDate, DateOfBirth, GivenTime, Timestamp } from '#shared/domain/values.ts';
import { isJsonObject } from '#shared/http/clean-json.ts';

/** JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The direction of a schema: a creation request, where null counts as absent; an update request, where the schema
 * judges null; or a response. Defaults and transformations make requests differ from responses.
 */
export type Direction = 'request' | 'change' | 'answer';

export const componentPath = '#/components/schemas/';

/** Formats that a pattern or a check in code would not show a reader. */
const formats = new Map<z.core.$ZodType, string>([
  [Uuid, 'uuid'],
  [CalendarDate, 'date'],
  [DateOfBirth, 'date'],
  [Timestamp, 'date-time'],
  [GivenTime, 'date-time'],
  [EmailAddress, 'email'],
]);

/** Named schemas as JSON Schema, referring to each other by name. */
export function toJsonSchemas(
  named: ReadonlyMap<string, z.core.$ZodType>,
  direction: Direction,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: direction === 'answer' ? 'output' : 'input',
    // What a transformation yields; responses get the formats below.
    unrepresentable: 'any',
    uri: (id) => `${componentPath}${id}`,
    override({ zodSchema, jsonSchema }) {
      const format = formats.get(zodSchema);
      if (format === undefined) return;
      delete jsonSchema.pattern;
      Object.assign(jsonSchema, { type: 'string', format });
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [
      id,
      tidyObject(schema, direction),
    ]),
  );
}

function tidy(value: unknown, direction: Direction): unknown {
  if (Array.isArray(value)) return value.map((element) => tidy(element, direction));
  return isJsonObject(value) ? tidyObject(value, direction) : value;
}

function tidyObject(schema: JsonSchema, direction: Direction): JsonSchema {
  const members = Object.entries(schema).filter(
    ([name, value]) => !saysNothing(name, value, schema, direction),
  );
  const tidied = Object.fromEntries(members.map(([name, value]) => [name, tidy(value, direction)]));
  const plain = oneTypeEach(joinNull(tidied));
  switch (direction) {
    case 'request':
      return nullForAbsent(withoutEmptyTexts(plain));
    case 'change':
      return withoutEmptyTexts(plain);
    case 'answer':
      return plain;
  }
}

/**
 * Members meaningless to a reader: JavaScript's integer limits, and names of members being text. That an object has no
 * other members is not promised: new ones must not break a client. Object and list defaults are unsupported in some
 * languages, and responses have none.
 */
function saysNothing(name: string, value: unknown, schema: JsonSchema, direction: Direction): boolean {
  switch (name) {
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'additionalProperties':
      return value === false || 'properties' in schema;
    case 'propertyNames':
      return true;
    case 'default':
      return 'type' in schema || 'anyOf' in schema || 'allOf' in schema || '$ref' in schema
        ? direction === 'answer' || (typeof value === 'object' && value !== null)
        : false;
    default:
      return false;
  }
}

/** Merges `anyOf` a simple type and null into one nullable type, which readers and generators understand better. */
function joinNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [simple, none] = anyOf;
  if (!isJsonObject(simple) || !isJsonObject(none) || none.type !== 'null') return schema;
  if (typeof simple.type !== 'string' || 'const' in simple) return schema;
  return {
    ...simple,
    ...rest,
    type: [simple.type, 'null'],
    ...(Array.isArray(simple.enum) ? { enum: [...simple.enum, null] } : {}),
  };
}

/**
 * Turns a value of several types into `anyOf`: generators of typed languages support no list of types except with
 * null.
 */
function oneTypeEach(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.filter((name) => name !== 'null').length > 1) {
    return { ...rest, anyOf: type.map((name) => ({ type: name })) };
  }
  if (!Array.isArray(anyOf)) return schema;
  const alternatives = anyOf.flatMap((one) =>
    isJsonObject(one) && Object.keys(one).join() === 'anyOf' && Array.isArray(one.anyOf) ? one.anyOf : [one],
  );
  return { ...schema, anyOf: alternatives };
}

/** A required text that is empty counts as missing. */
function withoutEmptyTexts(schema: Record<string, unknown>): Record<string, unknown> {
  return mapProperties(schema, (member, isRequired) => {
    const isRequiredText = member.type === 'string' && isRequired;
    const saysMore = ['enum', 'const', 'format', 'pattern', 'minLength'].some((rule) => rule in member);
    return isRequiredText && !saysMore ? { ...member, minLength: 1 } : member;
  });
}

/** An optional member may also be null. */
function nullForAbsent(schema: Record<string, unknown>): Record<string, unknown> {
  return mapProperties(schema, (member, isRequired) => (isRequired ? member : orNull(member)));
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && !('const' in schema)) {
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
    };
  }
  if (Array.isArray(schema.type) || Object.keys(schema).length === 0) return schema;
  const alternatives = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const takesNull = alternatives.some((one) => isJsonObject(one) && one.type === 'null');
  return takesNull ? schema : { anyOf: [...alternatives, { type: 'null' }] };
}

function mapProperties(
  schema: Record<string, unknown>,
  change: (member: JsonSchema, isRequired: boolean) => JsonSchema,
): Record<string, unknown> {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return schema;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const changed = Object.entries(properties).map(([name, member]) => [
    name,
    isJsonObject(member) ? change(member, isRequired(name)) : member,
  ]);
  return { ...schema, properties: Object.fromEntries(changed) };
}
