import type { Operation, Operations, QueryParameter, Success, Tag } from '#shared/operations/operation.ts';
import { componentSchemas, hasJson, reference, toPascalCase } from './component-schemas.ts';
import {
  errorDetails,
  errorResponses,
  headerComponents,
  responseComponents,
  successHeaders,
  toHeaders,
} from './responses.ts';
import { webhooks } from './webhooks.ts';
import type { OpenApiDocument } from './with-server.ts';

/** Placeholder for the address, which only the running service knows. */
const placeholder = 'https://api.example.com';

/** The referenced components of a kind. */
function referredTo(kind: string, all: Readonly<Record<string, unknown>>, by: unknown): object {
  const text = JSON.stringify(by);
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
}

/** Clients have API keys; people sign in and manage projects. Each audience has its own document. */
export type Audience = 'clients' | 'people';

/** The document of the operation. */
export function audienceOf({ authentication }: Pick<Operation, 'authentication'>): Audience {
  return authentication === 'oidc' ? 'people' : 'clients';
}

/**
 * The OpenAPI 3.1 document for an audience (https://spec.openapis.org/oas/v3.1.1.html), made of the operations and of
 * the schemas that validate requests and responses.
 */
export function openApiDocument(all: Operations, audience: Audience): OpenApiDocument {
  const operations = Object.entries(all).filter(([, operation]) => audienceOf(operation) === audience);
  const used = operations.map(([, operation]) => operation);
  const isForClients = audience === 'clients';
  const parameters = parameterComponents(used);
  const shown = new Set<string>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, operation] of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operationId, operation, parameters, shown),
    };
  }
  const responses = referredTo('responses', responseComponents(), paths);
  return {
    openapi: '3.1.0',
    info: {
      title: isForClients ? 'Voice agent tasks' : 'Voice agent tasks: management',
      version: '1.0.0',
      description: `${isForClients ? purpose : purposeOfManagement} ${aboutErrors}`,
      contact: { name: 'Support', email: 'support@example.com' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: placeholder }],
    tags: tags.filter(
      ({ name }) => (isForClients && name === 'Events') || used.some(({ tag }) => tag === name),
    ),
    paths,
    ...(isForClients ? { webhooks: webhooks() } : {}),
    components: {
      schemas: componentSchemas(used),
      responses,
      headers: referredTo('headers', headerComponents, [paths, responses]),
      parameters,
      securitySchemes: isForClients
        ? { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the project.' } }
        : {
            signIn: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'JWT',
              description: 'A token that the OpenID Connect provider gave to a person who signed in.',
            },
          },
    },
  };
}

const purpose =
  'Telephone calls for patients: register a patient, create a task, and read the outcome or receive it by ' +
  'webhook. People manage projects through the management API, `/admin/openapi.json`.';
const purposeOfManagement =
  'Projects with their members, API keys, webhooks, settings and contents, for signed-in people. Clients ' +
  'use the API at `/openapi.json`.';

const aboutErrors =
  'Errors are `{"detail": "…"}` with `X-Error-Code`; more codes may be added. `Prefer: errors=all` adds every wrong ' +
  'member. Every response has an `X-Request-Id`.';

const tags: readonly { readonly name: Tag; readonly description: string }[] = [
  { name: 'Patients', description: 'People on whose behalf calls are made.' },
  { name: 'Tasks', description: 'Goals of calls, and their results.' },
  { name: 'Recordings', description: 'The audio of calls.' },
  { name: 'Erasures', description: 'Erasures and their progress.' },
  {
    name: 'Destinations',
    description: 'The lines that tasks call: hours, limits and concurrent calls.',
  },
  { name: 'Opt-outs', description: 'Numbers that asked not to be called again.' },
  { name: 'Projects', description: 'Projects and the settings of their calls.' },
  { name: 'Members', description: 'Who may access a project, with which role.' },
  { name: 'API keys', description: 'Credentials of clients.' },
  {
    name: 'Webhooks',
    description: 'Webhook endpoints and the deliveries of events to them.',
  },
  { name: 'Audit log', description: 'Changes in a project, and who viewed health information.' },
  { name: 'Events', description: 'What webhooks send.' },
  { name: 'Interface', description: 'This description.' },
];

type SharedParameters = Readonly<Record<string, object>>;

/** @param shown the examples so far, which are not repeated */
function describe(
  operationId: string,
  operation: Operation,
  shared: SharedParameters,
  shown: Set<string>,
): Record<string, unknown> {
  const { tag, summary, body } = operation;
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation, shared),
    ...keyParameter(operation),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description: [operation.description ?? '', errorDetails(operation) ?? ''].join('\n\n').trim() || summary,
    security: security(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required ?? true,
            content: {
              'application/json': {
                schema: reference(body.schema),
                ...once(shown, 'examples', toExamples(body.examples)),
              },
            },
          },
        }),
    responses: {
      [operation.success.status]: success(operation, shown),
      ...errorResponses(operation),
    },
    ...dryRun(operation, shown),
  };
}

function security({ authentication }: Operation): object[] {
  switch (authentication) {
    case 'api-key':
      return [{ apiKey: [] }];
    case 'oidc':
      return [{ signIn: [] }];
    case 'none':
      return [];
  }
}

const toParameter = (parameter: { name: string; in: string }): object => ({
  $ref: `#/components/parameters/${componentName(parameter)}`,
});

/** Path parameters that are IDs are the same in every operation. */
function pathParameters({ path, pathParameters: own = {} }: Operation): object[] {
  return namesInPath(path).map((name) =>
    own[name] === undefined
      ? toParameter({ name, in: 'path' })
      : { name, in: 'path', required: true, ...own[name] },
  );
}

function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function queryParameters({ query = [] }: Operation, shared: SharedParameters): object[] {
  return query.map(inQuery).map((parameter) => {
    const known = shared[componentName(parameter)];
    return JSON.stringify(known) === JSON.stringify(parameter) ? toParameter(parameter) : parameter;
  });
}

function inQuery(parameter: QueryParameter) {
  return { ...parameter, in: 'query' };
}

function keyParameter({ idempotent = false }: Operation): object[] {
  return idempotent ? [toParameter(keyHeader)] : [];
}

/** Shared parameters, by name; others with the same name stay in their operation. */
function parameterComponents(operations: readonly Operation[]): SharedParameters {
  const inPaths = operations.flatMap(({ path, pathParameters: own = {} }) =>
    namesInPath(path).filter((name) => own[name] === undefined),
  );
  const queries = operations.flatMap(({ query = [] }) => query);
  const repeated = queries.filter((one, position) => {
    const first = queries.findIndex(({ name }) => name === one.name);
    return first < position && JSON.stringify(queries[first]) === JSON.stringify(one);
  });
  const parameters = [
    keyHeader,
    ...repeated.map(inQuery),
    ...inPaths.map((name) => ({
      name,
      in: 'path',
      required: true,
      description: `Identifier of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`,
      schema: { type: 'string', format: 'uuid' },
    })),
  ];
  return Object.fromEntries(parameters.map((parameter) => [componentName(parameter), parameter]));
}

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Repeating a request with the same key within 24 hours returns the first response, with ' +
    '`Idempotent-Replayed: true`, and does nothing twice. A repeated cancellation of a task ' +
    'returns the task as it is by then.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

/** Some generators make it a type, so its name must differ from all schemas. */
function componentName(parameter: { readonly name: string; readonly in: string }): string {
  return toPascalCase(`${parameter.in} ${parameter.name}`);
}

function success({ success: answer, ...operation }: Operation, shown: Set<string>): object {
  const headers = successHeaders({ success: answer, ...operation });
  const isForClients = operation.authentication === 'api-key';
  return {
    description: answer.description,
    ...(headers.length === 0 ? {} : { headers: toHeaders(headers) }),
    ...(answer.schema === null ? {} : { content: successContent(answer, shown) }),
    ...(answer.links === undefined || !isForClients ? {} : { links: answer.links }),
  };
}

/**
 * An extension, for which generators still make a type: another success response or parameter would change the
 * signatures of existing clients.
 */
function dryRun({ dryRun: answer, ...operation }: Operation, shown: Set<string>): object {
  if (answer === undefined) return {};
  const response = success({ ...operation, success: { ...answer, status: 200 }, idempotent: false }, shown);
  return { 'x-dry-run': { query: { dry_run: 'true' }, responses: { 200: response } } };
}

function successContent(answer: Success, shown: Set<string>): object {
  if (!hasJson(answer)) return { [answer.mediaType ?? '*/*']: { schema: { type: 'string' } } };
  return {
    'application/json': { schema: reference(answer.schema), ...once(shown, 'example', answer.example) },
  };
}

function once(shown: Set<string>, name: 'example' | 'examples', value: unknown): object {
  const text = JSON.stringify(value);
  if (value === undefined || shown.has(text)) return {};
  shown.add(text);
  return { [name]: value };
}

/** Examples have alphanumeric keys in the document, and are shown by their summaries. */
function toExamples(examples: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value], index) => [`example${index + 1}`, { summary, value }]),
  );
}
