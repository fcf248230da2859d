import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { EmailAddress } from '#shared/domain/person.ts';
import { CalendarDate, Timestamp } from '#shared/domain/values.ts';
import { isJsonObject } from '#shared/http/clean-json.ts';

/** JSON Schema of draft 2020-12, which is the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a schema describes what is sent to us or what we answer: defaults and transformations tell the two apart. */
export type Direction = 'request' | 'answer';

export const componentPath = '#/components/schemas/';

/** Formats that a pattern or a check in code would not tell a reader. */
const formats = new Map<z.core.$ZodType, string>([
  [Uuid, 'uuid'],
  [CalendarDate, 'date'],
  [Timestamp, 'date-time'],
  [EmailAddress, 'email'],
]);

/** The schemas by name as JSON Schema, referring to each other by name wherever one holds another. */
export function toJsonSchemas(
  named: ReadonlyMap<string, z.core.$ZodType>,
  direction: Direction,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: direction === 'request' ? 'input' : 'output',
    // What a transformation yields; the formats below say it for those that are answered.
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
  const members = Object.entries(schema).filter(([name, value]) => !saysNothing(name, value));
  const tidied = Object.fromEntries(members.map(([name, value]) => [name, tidy(value, direction)]));
  return direction === 'request' ? withoutEmptyTexts(joinNull(tidied)) : joinNull(tidied);
}

/**
 * Members without meaning to a reader: the limits of every integer in JavaScript, names of members being text. That an
 * answer has no other members is not promised: new ones must not break a client.
 */
function saysNothing(name: string, value: unknown): boolean {
  switch (name) {
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'additionalProperties':
      return value === false;
    case 'propertyNames':
      return true;
    default:
      return false;
  }
}

/** `anyOf` a simple type and null is one type that may be null, which readers and generators understand better. */
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

/** A required text that is empty counts as missing. */
function withoutEmptyTexts(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required)) return schema;
  const filled = Object.entries(properties).map(([name, member]) => {
    const isRequiredText = isJsonObject(member) && member.type === 'string' && required.includes(name);
    const saysMore =
      isJsonObject(member) && ['enum', 'const', 'format', 'pattern'].some((rule) => rule in member);
    return [name, isRequiredText && !saysMore ? { ...member, minLength: 1 } : member];
  });
  return { ...schema, properties: Object.fromEntries(filled) };
}
