import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fallbackAnswerPath } from '#shared/calls/carrier-events/fallback-answer.ts';
import { WebhookEvent } from '#shared/domain/webhook.ts';
import { isJsonObject } from '#shared/http/clean-json.ts';
import { type Audience, openApiDocument } from '#shared/openapi/document.ts';
import { withServer } from '#shared/openapi/with-server.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operations as declared, routes } from '../../../infra/routes.ts';

const Media = z.object({
  schema: z.record(z.string(), z.unknown()),
  example: z.optional(z.unknown()),
  examples: z.optional(z.record(z.string(), z.object({ value: z.unknown() }))),
});
const Properties = z.record(z.string(), z.record(z.string(), z.unknown()));
const Content = z.record(z.string(), Media);
const Described = z.object({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: z.optional(z.object({ content: Content })),
  responses: z.record(z.string(), z.object({ content: z.optional(Content) })),
  description: z.string(),
  parameters: z.optional(z.array(z.record(z.string(), z.unknown()))),
});
const Document = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Described)),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});

function read(audience: Audience) {
  // Serialized, because what JSON does not know would go unnoticed otherwise.
  const text = JSON.stringify(openApiDocument(declared, audience));
  const document = Document.parse(JSON.parse(text));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
  return { text, ...document, operations };
}

const documents = { clients: read('clients'), people: read('people') } as const;

/** Knows the document's schemas by their addresses in it. */
function schemaValidator(text: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: JSON.parse(text).components });
  return (schema: Record<string, unknown>, value: unknown): unknown => {
    const here = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
    const validate = ajv.compile(here);
    return validate(value) ? null : validate.errors;
  };
}

test('each public route is in exactly one document', () => {
  const listed = routes.filter(
    ({ authentication, path }) =>
      // The base URL only redirects people; only the carrier requests its fallback, which says nothing.
      ['api-key', 'oidc', 'none'].includes(authentication) && path !== '/' && path !== fallbackAnswerPath,
  );
  const { clients, people } = documents;
  expect([...clients.operations, ...people.operations].map(({ name }) => name).sort()).toEqual(
    listed.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

describe.each(Object.entries(documents))('the OpenAPI document for %s', (audience, document) => {
  const { text, openapi, components, operations } = document;

  test('is valid OpenAPI 3.1', async () => {
    expect(openapi).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('gives every operation its own name, and requires a key or token on each route that needs one', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const asked = audience === 'clients' ? [{ apiKey: [] }] : [{ signIn: [] }];
    const secured = operations.filter(({ name }) => audience === 'people' || / \/v1\//.test(name));
    for (const { name, security } of secured) expect(security, name).toEqual(asked);
  });

  test('has no dangling references and no unused components', () => {
    const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(components.schemas).sort());
  });

  test('has examples that match its schemas', () => {
    const findErrors = schemaValidator(text);
    let examples = 0;
    for (const { name, requestBody, responses } of operations) {
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
      for (const media of contents.flatMap((content) => Object.values(content ?? {}))) {
        const values = Object.values(media.examples ?? {}).map(({ value }) => value);
        if (media.example !== undefined) values.push(media.example);
        for (const value of values) {
          examples += 1;
          expect(findErrors(media.schema, value), `${name} ${JSON.stringify(value)}`).toBeNull();
        }
      }
    }
    expect(examples).toBeGreaterThan(15);
  });

  test('describes every schema, member and operation', () => {
    const undescribed = Object.entries(components.schemas).flatMap(([name, schema]) => [
      ...(schema.description === undefined ? [name] : []),
      ...[schema, ...(z.optional(z.array(z.record(z.string(), z.unknown()))).parse(schema.allOf) ?? [])]
        .flatMap(({ properties }) => Object.entries(z.optional(Properties).parse(properties) ?? {}))
        .filter(([, member]) => member.description === undefined && !JSON.stringify(member).includes('$ref'))
        .map(([member]) => `${name}.${member}`),
    ]);
    expect(undescribed).toEqual([]);
    for (const { name, description } of operations) expect(description, name).not.toBe('');
  });

  test('has no schema that a typed language cannot express', () => {
    const findings: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (Array.isArray(value)) for (const [step, one] of value.entries()) visit(one, `${path}/${step}`);
      if (!isJsonObject(value)) return;
      const { type, default: byDefault, properties } = value;
      if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1)
        findings.push(`types ${path}`);
      if (typeof byDefault === 'object' && byDefault !== null) findings.push(`default ${path}`);
      const isOwn = /^\/\w+(\/allOf\/1)?$/.test(path);
      if (isJsonObject(properties) && !isOwn) findings.push(`nested ${path}`);
      for (const [step, one] of Object.entries(value)) visit(one, `${path}/${step}`);
    };
    visit(components.schemas, '');
    expect(findings).toEqual([]);
  });

  test('is short enough for developers to read', () => {
    expect(Buffer.byteLength(text)).toBeLessThan((audience === 'clients' ? 120 : 150) * 1024);
  });
});

describe('the OpenAPI document for clients', () => {
  const { text, operations } = documents.clients;

  test('distinguishes task types by their task_data', () => {
    const findErrors = schemaValidator(text);
    const order = {
      project_id: '01a1fc97-4c1e-7b0a-9d51-3f8f0b6c2a10',
      patient_id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
      task: 'Ask.',
      phone_number: '+12025550103',
    };
    const newTask = { $ref: '#/components/schemas/NewTask' };
    const misplaced = { ...order, task_data: { questions_to_ask: 'a text instead of a list' } };
    expect(findErrors(newTask, { ...misplaced, task_type: 'CUSTOM_TASK' })).not.toBeNull();
    expect(findErrors(newTask, { ...misplaced, task_type: 'VERIFY_INSURANCE' })).toBeNull();
    expect(findErrors(newTask, { ...order, task_type: 'INSURANCE_REIMBURSEMENT' })).toBeNull();
    expect(findErrors(newTask, { ...order, task_type: 'SING' })).not.toBeNull();
  });

  test('tells that a changed name must not be empty, and what filters take', () => {
    const findErrors = schemaValidator(text);
    const changes = { $ref: '#/components/schemas/PatientChanges' };
    expect(findErrors(changes, { first_name: '' })).not.toBeNull();
    expect(findErrors(changes, { first_name: 'Ada' })).toBeNull();
    expect(text).toContain('"schema":{"type":"string","pattern":"^\\\\+[1-9]\\\\d{1,14}$"}');
  });

  test('links creations to the operations that read them', () => {
    const ids = operations.map(({ operationId }) => operationId);
    const links = [...text.matchAll(/"links":(\{.*?\}\}\})/g)];
    expect(links.length).toBeGreaterThan(2);
    for (const [, id] of text.matchAll(
      /"parameters":\{"\w+":"\$response[^}]*\},?[^}]*"operationId":"(\w+)"/g,
    )) {
      expect(ids).toContain(id);
    }
  });

  test('describes every event that webhooks send, the test event included', () => {
    const { webhooks } = z
      .object({ webhooks: z.record(z.string(), z.unknown()) })
      .parse(openApiDocument(declared, 'clients'));
    expect(Object.keys(webhooks)).toEqual(WebhookEvent.shape.event.options);
    expect(Object.keys(webhooks)).toContain('webhook.test');
  });

  test("names the service's address", () => {
    expect(
      withServer(openApiDocument(declared, 'clients'), 'https://calls.example.com/prod').servers,
    ).toEqual([{ url: 'https://calls.example.com/prod' }]);
  });
});

test('a schema without a name is refused by its members', () => {
  const success = {
    status: 200,
    description: 'A greeting.',
    schema: z.object({ greeting: z.string() }),
  } as const;
  const getGreeting: Operation = {
    method: 'GET',
    path: '/v1/greeting',
    authentication: 'api-key',
    summary: 'Get a greeting.',
    tag: 'Interface',
    success,
    errors: {},
  };
  expect(() => openApiDocument({ getGreeting }, 'clients')).toThrow(
    'components.ts does not name the schema of greeting',
  );
});
