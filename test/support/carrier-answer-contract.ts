import * as z from 'zod/mini';
import { readCarrierDocument } from './carrier-document.ts';

/* Holds answers against the schemas of the carrier's description of its REST API. */

const Schema = z.looseObject({
  $ref: z.optional(z.string()),
  type: z.optional(z.string()),
  format: z.optional(z.string()),
  nullable: z.optional(z.boolean()),
  enum: z.optional(z.array(z.string())),
  pattern: z.optional(z.string()),
  properties: z.optional(z.record(z.string(), z.unknown())),
});
const Document = z.looseObject({ components: z.looseObject({ schemas: z.record(z.string(), Schema) }) });

/** Live systems answer with this source although the description does not list it. */
const undocumentedValues = ['StartCallRecordingTwiML'];
const rfc2822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/;

/** Everything in an answer that the named schema does not allow; empty when it is in order. */
export function schemaViolations(name: string, answer: unknown): string[] {
  const { schemas } = Document.parse(readCarrierDocument()).components;
  const properties = schemas[name]?.properties;
  if (properties === undefined) return [`there is no schema ${name}`];
  const members = z.record(z.string(), z.unknown()).parse(answer);
  return Object.entries(members).flatMap(([member, value]) => {
    const property = properties[member];
    if (property === undefined) return [`${member} is not a member of ${name}`];
    const schema = Schema.parse(property);
    const resolved = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
    return resolved === undefined ? [`${member} has no schema`] : violations(member, value, resolved);
  });
}

function violations(member: string, value: unknown, schema: z.infer<typeof Schema>): string[] {
  if (value === null) return schema.nullable === true ? [] : [`${member} must not be null`];
  const isType =
    schema.type === undefined ||
    (schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type);
  if (!isType) return [`${member} must be ${schema.type}`];
  if (typeof value !== 'string') return [];
  const isListed =
    schema.enum === undefined || schema.enum.includes(value) || undocumentedValues.includes(value);
  if (!isListed) return [`${member} must not be ${value}`];
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
    return [`${member} has a wrong form`];
  if (schema.format === 'date-time-rfc-2822' && !rfc2822.test(value))
    return [`${member} is not an RFC 2822 date`];
  return [];
}
