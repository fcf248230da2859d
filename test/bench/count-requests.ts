import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import type { Route } from '#shared/operations/operation.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { bundlePath } from '../../infra/bundle.ts';
import { routes } from '../../infra/routes.ts';
import { startFunctionEnvironment } from '../support/function-environment.ts';
import { localKms } from '../support/local-kms.ts';
import { projectServices } from '../support/project-services.ts';

/** The DynamoDB operations of a new function's first call, and of the next one. */
export interface RequestCount {
  readonly first: readonly string[];
  readonly hot: readonly string[];
}

/** A client's request to a function, built anew for each call. */
interface Request {
  readonly body?: (known: Known) => object;
  /** The function whose response names what this one works on, if each call needs a new one. */
  readonly of?: string;
}

interface Known {
  readonly ids: ReadonlyMap<string, string>;
  readonly projectId: string;
}

const newTask = ({ ids, projectId }: Known) => ({
  project_id: projectId,
  patient_id: ids.get('patient_id'),
  task_type: 'CUSTOM_TASK',
  task: 'Ask about the opening hours.',
  phone_number: '+12025550103',
});

/** In the order of the calls: earlier ones create what later ones read. */
const requests: Readonly<Record<string, Request>> = {
  'create-patient': {
    body: ({ projectId }) => ({
      project_id: projectId,
      first_name: 'Ada',
      last_name: 'Example',
      phone_number: '+12025550142',
      date_of_birth: '1980-01-02',
    }),
  },
  'get-patient': {},
  'list-patients': {},
  'update-patient': { of: 'create-patient', body: () => ({ first_name: 'Grace' }) },
  'create-task': { body: newTask },
  'get-task': {},
  'list-tasks': {},
  'cancel-task': { of: 'create-task' },
  'create-task-batch': { body: (known) => ({ tasks: [newTask(known)] }) },
  'get-task-batch': {},
  'cancel-task-batch': { of: 'create-task-batch' },
  'get-call-recording': {},
  'delete-task': { of: 'create-task' },
  'delete-patient': { of: 'create-patient' },
  'get-erasure': {},
};

const Answer = z.object({ statusCode: z.int(), body: z.optional(z.string()) });
const Created = z.object({ id: z.string() });

/** The path parameter that a response's identifier is for. */
const idNames: Readonly<Record<string, string>> = {
  'create-patient': 'patient_id',
  'create-task': 'task_id',
  'create-task-batch': 'batch_id',
  'delete-task': 'erasure_id',
  'delete-patient': 'erasure_id',
};

/**
 * Calls each /v1 function's deployable bundle twice, with the embedded DynamoDB behind a proxy that records each
 * operation by its `X-Amz-Target` header.
 */
export async function countRequests(bundlesDir?: string): Promise<Map<string, RequestCount>> {
  const environment = await startFunctionEnvironment({ PROJECT_REQUESTS_PER_SECOND: '50' });
  const { tables } = environment;
  const proxy = await startCountingProxy(tables.endpoint);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    AWS_ENDPOINT_URL_KMS: tables.kmsEndpoint,
    LOG_LEVEL: 'silent',
  });
  try {
    const { project, apiKey } = await createProject(
      { ...projectServices(tables.table), keys: localKms(tables.keys).keyMaker(tables.table.name) },
      { name: 'Bench', carrier: 'sandbox', webhook: null },
    );
    const ids = new Map([['call_id', '01890000-0000-7000-8000-000000000000']]);
    const ask = async (name: string): Promise<void> => {
      const { body } = requestOf(name);
      const json = body?.({ ids, projectId: project.id }) ?? null;
      const event = proxyEvent(routeOf(name), ids, apiKey, json);
      const answer = Answer.parse(await loadHandler(name, bundlesDir)(event));
      // No call was made that could have a recording.
      if (answer.statusCode >= 300 && name !== 'get-call-recording') {
        throw new Error(`${name} answered ${answer.statusCode}: ${answer.body}`);
      }
      const idName = idNames[name];
      if (idName !== undefined) ids.set(idName, Created.parse(JSON.parse(answer.body ?? '')).id);
    };
    const count = async (name: string): Promise<readonly string[]> => {
      const { of } = requestOf(name);
      if (of !== undefined) await ask(of);
      proxy.operations.length = 0;
      await ask(name);
      return [...proxy.operations];
    };
    const counts = new Map<string, RequestCount>();
    for (const name of Object.keys(requests)) {
      counts.set(name, { first: await count(name), hot: await count(name) });
    }
    return counts;
  } finally {
    await proxy.stop();
    await environment.stop();
  }
}

function requestOf(name: string): Request {
  const request = requests[name];
  if (request === undefined) throw new Error(`say what a client sends to ${name}`);
  return request;
}

function routeOf(name: string): Route {
  const route = routes.find((one) => one.function === name);
  if (route === undefined) throw new Error(`${name} has no endpoint`);
  return route;
}

const require = createRequire(import.meta.url);

function loadHandler(name: string, bundlesDir?: string): (event: object) => Promise<unknown> {
  const { handler } = require(bundlePath(name, bundlesDir)) as {
    handler: (event: object, context: object) => Promise<unknown>;
  };
  return (event) =>
    handler(event, {
      awsRequestId: 'bench',
      functionName: name,
      getRemainingTimeInMillis: () => 10_000,
    });
}

function proxyEvent(
  { method, path: resource }: Route,
  ids: ReadonlyMap<string, string>,
  apiKey: string,
  body: object | null,
): object {
  const pathParameters = Object.fromEntries(ids);
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return {
    resource,
    path: resource.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? ''),
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters,
    stageVariables: null,
    requestContext: { requestId: 'bench', stage: 'dev', path: resource, identity: { sourceIp: '127.0.0.1' } },
    body: body === null ? null : JSON.stringify(body),
    isBase64Encoded: false,
  };
}

async function startCountingProxy(
  target: string,
): Promise<{ url: string; operations: string[]; stop(): Promise<void> }> {
  const operations: string[] = [];
  const server = createServer((incoming, outgoing) => {
    operations.push(String(incoming.headers['x-amz-target']).split('.').at(-1) ?? 'unknown');
    const forwarded = httpRequest(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    operations,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
