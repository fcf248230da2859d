import * as z from 'zod/mini';
import { readCarrierDocument } from './carrier-document.ts';

/* Holds requests against the operations of the carrier's description of its REST API. */

const Schema = z.looseObject({
  $ref: z.optional(z.string()),
  enum: z.optional(z.array(z.string())),
  pattern: z.optional(z.string()),
  type: z.optional(z.string()),
  items: z.optional(z.looseObject({ enum: z.optional(z.array(z.string())) })),
});
const Operation = z.looseObject({
  parameters: z.optional(
    z.array(
      z.looseObject({ name: z.string(), in: z.string(), required: z.optional(z.boolean()), schema: Schema }),
    ),
  ),
  requestBody: z.optional(
    z.looseObject({
      content: z.record(
        z.string(),
        z.looseObject({
          schema: z.looseObject({
            properties: z.optional(z.record(z.string(), Schema)),
            required: z.optional(z.array(z.string())),
          }),
        }),
      ),
    }),
  ),
  responses: z.record(z.string(), z.unknown()),
});
const CarrierDocument = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
});

/** Everything about a request that the carrier's document does not allow; empty when it is in order. */
export function contractViolations(request: { method: string; url: string; body: string }): string[] {
  const document = CarrierDocument.parse(readCarrierDocument());
  const url = new URL(request.url, 'http://carrier.test');
  const found = Object.entries(document.paths).flatMap(([template, methods]) => {
    const values = matchTemplate(template, url.pathname);
    const operation = methods[request.method.toLowerCase()];
    return values === null || operation === undefined
      ? []
      : [{ operation: Operation.parse(operation), values }];
  });
  const [match] = found;
  if (match === undefined) return [`${request.method} ${url.pathname} is not in the document`];
  const resolve = (schema: z.infer<typeof Schema>): z.infer<typeof Schema> =>
    schema.$ref === undefined
      ? schema
      : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? schema);
  const violations: string[] = [];
  const check = (name: string, value: string, schema: z.infer<typeof Schema> | undefined): void => {
    if (schema === undefined) {
      violations.push(`${name} is not a parameter`);
      return;
    }
    const { enum: allowed = schema.items?.enum, pattern } = resolve(schema);
    if (allowed !== undefined && !allowed.includes(value)) violations.push(`${name} must not be ${value}`);
    if (pattern !== undefined && !new RegExp(pattern).test(value))
      violations.push(`${name} must match ${pattern}`);
  };
  const { parameters = [], requestBody } = match.operation;
  for (const [name, value] of Object.entries(match.values)) {
    check(
      name,
      value,
      parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema,
    );
  }
  for (const [name, value] of url.searchParams) {
    check(
      name,
      value,
      parameters.find((parameter) => parameter.in === 'query' && parameter.name === name)?.schema,
    );
  }
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema;
  const members = new URLSearchParams(request.body);
  for (const [name, value] of members) check(name, value, form?.properties?.[name]);
  for (const name of form?.required ?? []) {
    if (!members.has(name)) violations.push(`${name} is required`);
  }
  return violations;
}

function matchTemplate(template: string, path: string): Record<string, string> | null {
  const names: string[] = [];
  const pattern = template
    .split(/(\{[^}]+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replaceAll('.', '\\.');
      names.push(part.slice(1, -1));
      return '([^/]+?)';
    })
    .join('');
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (match === null) return null;
  return Object.fromEntries(names.map((name, position) => [name, match[position + 1] ?? '']));
}
