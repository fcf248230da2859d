import type * as z from 'zod/mini';
import { isJsonObject } from '#shared/http/clean-json.ts';
import type { Operation, Success } from '#shared/operations/operation.ts';
import { componentNotes, components, ErrorBody, extensions, nestedNames } from './components.ts';
import { componentPath, type Direction, type JsonSchema, toJsonSchemas } from './json-schema.ts';
import { propertyDescription } from './member-descriptions.ts';
import { componentDescriptions } from './schema-descriptions.ts';

type Schemas = Record<string, JsonSchema>;

/** A reference to a named schema of the document. Throws for one without a name. */
export function reference(schema: z.core.$ZodType): JsonSchema {
  return { $ref: `${componentPath}${nameOf(schema)}` };
}

function nameOf(schema: z.core.$ZodType): string {
  for (const [name, candidate] of components) {
    if (candidate === schema) return name;
  }
  const members = Object.keys(Object(Object(schema._zod.def).shape)).join(', ');
  throw new Error(`shared/openapi/components.ts does not name the schema of ${members}`);
}

/** Whether an operation's success response is JSON. */
export function hasJson(success: Success): success is Success & { schema: z.core.$ZodType } {
  return success.schema !== null && success.mediaType === undefined;
}

/**
 * Every schema of the operations, including nested objects, each with a name, so that no generator has to invent one. A
 * schema used in both directions, such as an address, is described as requests must send it: responses contain what was
 * sent.
 *
 * @param others schemas of outgoing requests
 */
export function componentSchemas(
  operations: readonly Operation[],
  others: readonly z.core.$ZodType[] = [],
): Schemas {
  const bodies = (isChange: boolean): string[] =>
    operations.flatMap(({ body, method }) =>
      body === undefined || (method === 'PATCH') !== isChange ? [] : [nameOf(body.schema)],
    );
  const answered = operations.flatMap(({ success, dryRun }) => [
    ...(hasJson(success) ? [nameOf(success.schema)] : []),
    ...(dryRun?.schema == null ? [] : [nameOf(dryRun.schema)]),
  ]);
  const of = (direction: Direction, names: readonly string[]): Schemas =>
    reachable(toJsonSchemas(components, direction), names);
  const schemas = withNestedNamed({
    ...of('answer', [...answered, nameOf(ErrorBody), ...others.map(nameOf)]),
    ...of('change', bodies(true)),
    ...of('request', bodies(false)),
  });
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, schema]): [string, JsonSchema] => [name, described(name, extended(name, schema, schemas))])
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}

/** The schemas of these names and all that they refer to. */
function reachable(schemas: Readonly<Schemas>, names: readonly string[]): Schemas {
  const found: Schemas = {};
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const schema = schemas[name];
    if (schema === undefined || name in found) continue;
    found[name] = schema;
    const base = extensions[name];
    if (base !== undefined) pending.push(base);
    for (const [, other = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      pending.push(other);
    }
  }
  return found;
}

/** Names every nested object; equal ones share a name. */
function withNestedNamed(schemas: Readonly<Schemas>): Schemas {
  const named: Schemas = {};
  const byText = new Map<string, string>();
  const add = (name: string, schema: JsonSchema): string => {
    const text = JSON.stringify(schema);
    const known = byText.get(text);
    if (known !== undefined) return known;
    if (name in named || name in schemas) throw new Error(`two different schemas would be called ${name}`);
    byText.set(text, name);
    named[name] = schema;
    return name;
  };
  /** @param name of the schema if it needs one */
  const extract = (value: unknown, name: string, isRoot: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => extract(one, alternativeName(name, one), false));
    if (!isJsonObject(value)) return value;
    const { properties } = value;
    if (!isJsonObject(properties)) {
      const members = Object.entries(value).map(([key, one]) => [
        key,
        nesting.has(key) ? extract(one, name, false) : one,
      ]);
      return Object.fromEntries(members);
    }
    const inner = Object.entries(properties).map(([key, one]) => [
      key,
      extract(one, nestedNames[`${name}.${key}`] ?? `${name}${toPascalCase(key)}`, false),
    ]);
    const whole = { ...value, properties: Object.fromEntries(inner) };
    const [nullable, schema] = withoutNull(whole);
    if (isRoot) return whole;
    const found = { $ref: `${componentPath}${add(name, schema)}` };
    return nullable ? { anyOf: [found, { type: 'null' }] } : found;
  };
  for (const [name, schema] of inOrderOfComponents(schemas)) {
    const whole = extract(schema, name, true);
    if (!isJsonObject(whole)) continue;
    named[name] = whole;
    // The first of equal ones names those nested elsewhere.
    const text = JSON.stringify(whole);
    if (!byText.has(text)) byText.set(text, name);
  }
  return named;
}

const nesting = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']);

function inOrderOfComponents(schemas: Readonly<Schemas>): [string, JsonSchema][] {
  return [...components.keys()].flatMap((name): [string, JsonSchema][] => {
    const schema = schemas[name];
    return schema === undefined ? [] : [[name, schema]];
  });
}

function withoutNull(schema: JsonSchema): [boolean, JsonSchema] {
  return Array.isArray(schema.type) ? [true, { ...schema, type: 'object' }] : [false, schema];
}

/** Names alternatives after the constant that distinguishes them. */
function alternativeName(name: string, schema: unknown): string {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return name;
  const constant = Object.values(schema.properties).flatMap((member) =>
    isJsonObject(member) && typeof member.const === 'string' ? [member.const] : [],
  )[0];
  return constant === undefined ? name : `${name}${toPascalCase(constant)}`;
}

export function toPascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}

/** The schema as its additions to the one it extends. */
function extended(name: string, schema: JsonSchema, schemas: Readonly<Schemas>): JsonSchema {
  const base = extensions[name] ?? '';
  const known = schemas[base]?.properties;
  const { properties, required } = schema;
  if (!isJsonObject(known) || !isJsonObject(properties)) return schema;
  const isOwn = (key: string): boolean => !(key in known);
  const own = Object.entries(properties).filter(([key]) => isOwn(key));
  const ownRequired = Array.isArray(required) ? required.filter((key) => isOwn(String(key))) : [];
  const added = {
    type: 'object',
    properties: describedProperties(name, Object.fromEntries(own)),
    ...(ownRequired.length === 0 ? {} : { required: ownRequired }),
  };
  // Python's generator reduces a single schema with members beside it to that schema.
  return { allOf: [{ $ref: `${componentPath}${base}` }, added] };
}

function described(name: string, schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  const description = componentDescriptions[name];
  return {
    ...(description === undefined ? {} : { description }),
    ...componentNotes[name],
    ...schema,
    ...(isJsonObject(properties) ? { properties: describedProperties(name, properties) } : {}),
  };
}

/** A reference has no siblings. */
function describedProperties(name: string, properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, member]) => {
      const description = propertyDescription(name, key);
      const isDescribed = isJsonObject(member) && !('$ref' in member) && description !== null;
      return [key, isDescribed ? { description, ...member } : member];
    }),
  );
}
