import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import * as z from 'zod/mini';
import { readCarrierDocument } from './carrier-document.ts';

/* Compares requests and responses with the carrier's own description of its REST API (an OpenAPI 3.0 document). */

/** A request to the carrier, and its outcome. */
export interface Exchange {
  readonly method: string;
  /** Path from the carrier's root, with query. */
  readonly url: string;
  readonly requestType: string | undefined;
  readonly requestBody: string;
  readonly status: number;
  readonly answerType: string | undefined;
  readonly answerBody: Buffer;
}

const Schema = z.record(z.string(), z.unknown());
const Content = z.record(z.string(), z.looseObject({ schema: Schema }));
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z._default(
    z.array(
      z.looseObject({ name: z.string(), in: z.string(), required: z.optional(z.boolean()), schema: Schema }),
    ),
    [],
  ),
  requestBody: z.optional(z.looseObject({ content: Content })),
  responses: z.record(z.string(), z.looseObject({ content: z.optional(Content) })),
});
type Operation = z.infer<typeof Operation>;
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
});

/** The description omits the body of an error; this is what the carrier's own library reads of it. */
const errorBody = {
  type: 'object',
  properties: {
    code: { type: 'integer', minimum: 10_000 },
    message: { type: 'string', minLength: 1 },
    more_info: { type: 'string', pattern: '^https://www\\.twilio\\.com/docs/errors/\\d+$' },
    status: { type: 'integer' },
  },
  required: ['code', 'message', 'more_info', 'status'],
  additionalProperties: false,
};

/** Live systems respond with this source although the description does not list it. */
const undocumentedSource = 'StartCallRecordingTwiML';

const methods = ['get', 'post', 'put', 'delete'];

/** What one request or response does that the document does not allow; empty if all is well. */
export interface CarrierContract {
  requestViolations(exchange: Pick<Exchange, 'method' | 'url' | 'requestType' | 'requestBody'>): string[];
  answerViolations(exchange: Exchange): string[];
  /** The document's name of a request's operation; null if it describes none. */
  operationOf(exchange: Pick<Exchange, 'method' | 'url'>): string | null;
  readonly operations: readonly string[];
}

export function openCarrierContract(): CarrierContract {
  const document = Document.parse(readCarrierDocument());
  const operations = Object.entries(document.paths).flatMap(([template, members]) =>
    methods
      .filter((method) => method in members)
      .map((method) => ({ method, template, operation: Operation.parse(members[method]) })),
  );
  const ajv = newValidator();
  ajv.addSchema({ $id: 'carrier', components: strictly({ schemas: document.components.schemas }) });
  // Forms are text; the schema says what a parameter's text means.
  const coercing = newValidator({ coerceTypes: 'array' });
  coercing.addSchema({ $id: 'carrier', components: { schemas: document.components.schemas } });

  function find({ method, url }: Pick<Exchange, 'method' | 'url'>) {
    const { pathname } = new URL(url, 'http://carrier.test');
    for (const candidate of operations) {
      const values = matchTemplate(candidate.template, pathname);
      if (candidate.method === method.toLowerCase() && values !== null) {
        return { operation: candidate.operation, values };
      }
    }
    return null;
  }

  return {
    operations: operations.map(({ operation }) => operation.operationId),
    operationOf: (exchange) => find(exchange)?.operation.operationId ?? null,
    requestViolations(exchange) {
      const found = find(exchange);
      if (found === null) return [`${exchange.method} ${exchange.url} is not in the document`];
      const { searchParams } = new URL(exchange.url, 'http://carrier.test');
      return [
        ...violations('path', coercing.compile(parametersSchema(found.operation, 'path')), found.values),
        ...violations(
          'query',
          coercing.compile(parametersSchema(found.operation, 'query')),
          grouped(searchParams),
        ),
        ...bodyViolations(coercing, found.operation, exchange),
      ];
    },
    answerViolations(exchange) {
      const found = find(exchange);
      if (found === null) return [`${exchange.method} ${exchange.url} is not in the document`];
      const { status, answerType = '', answerBody } = exchange;
      const text = answerBody.toString('utf8');
      const isJson = answerType.startsWith('application/json');
      if (status >= 400) {
        if (!isJson) return [`an error of type ${answerType}`];
        const body: unknown = JSON.parse(text);
        return [
          ...violations('error', ajv.compile(errorBody), body),
          ...(Object(body).status === status ? [] : ['the error names another status']),
        ];
      }
      const declared = found.operation.responses[String(status)];
      if (declared === undefined) return [`${found.operation.operationId} is never answered ${status}`];
      const schema = declared.content?.['application/json']?.schema;
      if (schema === undefined) return text === '' ? [] : [`an answer ${status} has no body`];
      if (!isJson) return [`an answer of type ${answerType}`];
      return violations('answer', ajv.compile(pointed(strictly(schema))), JSON.parse(text));
    },
  };
}

function newValidator(options: { coerceTypes?: 'array' } = {}): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  const formats: Record<string, RegExp> = {
    'date-time-rfc-2822':
      /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/,
    // Its filters also accept a day, as their descriptions say.
    'date-time': /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?Z)?$/,
    // URLs of pages and resources are paths below the carrier's host.
    uri: /^(https?:\/\/[^\s/]+)?\/\S*$/,
    'phone-number': /^\+[1-9]\d{1,14}$/,
    endpoint: /^\+[1-9]\d{1,14}$/,
    'http-method': /^(GET|POST)$/,
    currency: /^[A-Z]{3}$/,
    twiml: /^</,
  };
  for (const [name, pattern] of Object.entries(formats)) ajv.addFormat(name, pattern);
  // The document describes an object, whose members are checked where they are read.
  ajv.addFormat('uri-map', true);
  return ajv;
}

/**
 * A schema whose objects have exactly its members: in a response, the document requires none and allows any,
 * but the carrier always sends all of them, null where they say nothing.
 */
function strictly(schema: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (name === 'enum' && Array.isArray(value) && value.includes('StartCallRecordingAPI')) {
      return [name, [...value, undocumentedSource]];
    }
    const members = Schema.safeParse(value);
    return [name, members.success && !Array.isArray(value) ? strictly(members.data) : value];
  });
  const strict = Object.fromEntries(entries);
  if (strict.type !== 'object' || strict.properties === undefined) return strict;
  return { ...strict, required: Object.keys(Schema.parse(strict.properties)), additionalProperties: false };
}

function parametersSchema({ parameters }: Operation, place: string): Record<string, unknown> {
  const here = parameters.filter((parameter) => parameter.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(here.map(({ name, schema }) => [name, pointed(schema)])),
    required: here.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

function bodyViolations(
  ajv: Ajv,
  { requestBody }: Operation,
  { requestType = '', requestBody: text }: Pick<Exchange, 'requestType' | 'requestBody'>,
): string[] {
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  if (content === undefined || type === undefined) return text === '' ? [] : ['it has no body'];
  if (!requestType.startsWith(type)) return [`a body of type ${requestType}`];
  const schema = { ...content.schema, additionalProperties: false };
  return violations('form', ajv.compile(pointed(schema)), grouped(new URLSearchParams(text)));
}

/** References in the document are written as if each schema contained it. */
function pointed(schema: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"carrier#/components/');
  return Schema.parse(JSON.parse(text));
}

function grouped(parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      const [first = ''] = values;
      return [name, values.length === 1 ? first : values];
    }),
  );
}

function violations(what: string, validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [what, instancePath, message, JSON.stringify(params)].join(' '),
  );
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
