import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod/mini';
import { errorsOf } from '#shared/openapi/responses.ts';
import type { ErrorStatus, Operations } from '#shared/operations/operation.ts';
import { operations as declared } from '../../infra/routes.ts';

const operations: Operations = declared;

const Media = z.object({
  schema: z.record(z.string(), z.unknown()),
  examples: z.optional(z.record(z.string(), z.object({ value: z.unknown() }))),
});
const Content = z.record(z.string(), Media);
const Response = z.object({
  headers: z.optional(z.record(z.string(), z.unknown())),
  content: z.optional(Content),
});
const Responses = z.record(z.string(), z.union([z.object({ $ref: z.string() }), Response]));
const Operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  requestBody: z.optional(z.object({ required: z.boolean(), content: Content })),
  responses: Responses,
});
const Document = z.object({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ responses: z.record(z.string(), Response) }),
});

/** An operation in the document, as a client finds it. */
export interface ListedOperation extends z.infer<typeof Operation> {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  /** Name of the document that lists it. */
  readonly document: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a client that knows only the documents can say about the responses. */
export class DocumentReader {
  readonly operations: readonly ListedOperation[];
  readonly serverUrl: string;
  readonly #shared: Readonly<Record<string, Readonly<Record<string, z.infer<typeof Response>>>>>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  /** By the text of their schema. */
  readonly #validators = new Map<string, ValidateFunction>();

  /** @param documents by a name */
  constructor(documents: Readonly<Record<string, unknown>>) {
    addFormats.default(this.#ajv);
    const parsed = Object.entries(documents).map(([name, one]) => ({ name, ...Document.parse(one) }));
    for (const { name, components } of parsed) this.#ajv.addSchema({ $id: name, components });
    this.#shared = Object.fromEntries(parsed.map(({ name, components }) => [name, components.responses]));
    this.serverUrl = parsed[0]?.servers[0]?.url ?? '';
    this.operations = parsed.flatMap(({ name: document, paths }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          ...operation,
          method: method.toUpperCase(),
          path,
          name: `${method.toUpperCase()} ${path}`,
          document,
        })),
      ),
    );
  }

  /** The first example body of the operation's schema; null if there is none. */
  exampleBody({ requestBody, document }: ListedOperation): Record<string, unknown> | null {
    const schema = JSON.stringify(requestBody?.content['application/json']?.schema);
    const [example] = this.operations
      .filter((operation) => operation.document === document)
      .flatMap((operation) => operation.requestBody?.content['application/json'] ?? [])
      .filter((media) => JSON.stringify(media.schema) === schema)
      .flatMap(({ examples = {} }) => Object.values(examples));
    return example === undefined ? null : z.record(z.string(), z.unknown()).parse(example.value);
  }

  /** The only status that is not an error. */
  successStatus({ responses }: ListedOperation): number {
    return Number(Object.keys(responses).find((status) => Number(status) < 400));
  }

  /** The refusal statuses of the operation, including those that its document leaves to `default`. */
  statuses({ operationId }: ListedOperation): number[] {
    return Object.keys(errorsOf(declaredAs(operationId))).map(Number);
  }

  /** The sentences declared for an error; null if the operation does not have it. */
  details({ operationId }: ListedOperation, status: number): string[] | null {
    return errorsOf(declaredAs(operationId))[status as ErrorStatus] ?? null;
  }

  #response({ responses, document }: ListedOperation, status: number): z.infer<typeof Response> | null {
    const response = responses[status] ?? responses.default;
    if (response === undefined) return null;
    if (!('$ref' in response)) return response;
    return this.#shared[document]?.[response.$ref.replace('#/components/responses/', '')] ?? null;
  }

  /** How a response differs from the document. */
  problems(operation: ListedOperation, { status, headers, text }: Answer): string[] {
    const response = this.#response(operation, status);
    if (response === null) return [`${status} is not documented: ${text.slice(0, 300)}`];
    const always = ['X-Request-Id', 'WWW-Authenticate', 'ETag', 'Location', 'X-Error-Code'];
    const problems = Object.keys(response.headers ?? {})
      .filter((name) => always.includes(name) && !headers.has(name))
      .map((name) => `${name} is missing`);
    if (response.content === undefined) return text === '' ? problems : [...problems, 'there is a body'];
    const [[mediaType, { schema }] = ['', { schema: {} }]] = Object.entries(response.content);
    const sentType = headers.get('content-type')?.split(';')[0] ?? '';
    if (!new RegExp(`^${mediaType.replace('*', '.*')}$`).test(sentType)) problems.push(`it is ${sentType}`);
    if (mediaType !== 'application/json') return problems;
    const validate = this.#validatorOf(
      JSON.stringify(schema).replaceAll('"#/components/', `"${operation.document}#/components/`),
    );
    if (!validate(JSON.parse(text))) problems.push(this.#ajv.errorsText(validate.errors));
    return problems;
  }

  /** Compiled once for all answers of a schema, which takes far longer than holding an answer against it. */
  #validatorOf(schema: string): ValidateFunction {
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(JSON.parse(schema));
    this.#validators.set(schema, validate);
    return validate;
  }
}

function declaredAs(operationId: string): Operations[string] {
  const operation = operations[operationId];
  if (operation === undefined) throw new Error(`${operationId} is not declared`);
  return operation;
}
