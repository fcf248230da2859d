import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startFauxqs } from 'fauxqs';
import * as z from 'zod/mini';
import { createProject } from '#shared/projects/create-project.ts';
import { openTable, type Table } from '#shared/table/client.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { bundlePath } from '../../infra/bundle.ts';
import { routes } from '../../infra/routes.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { limitVariables } from '../support/limit-variables.ts';
import { localKms } from '../support/local-kms.ts';
import { projectServices } from '../support/project-services.ts';
import { sampleTask } from '../support/sample-tasks.ts';

/** The DynamoDB operations of the first call of a fresh function, and of the next one. */
export interface RequestCount {
  readonly first: readonly string[];
  readonly hot: readonly string[];
}

const Answer = z.object({ statusCode: z.int(), body: z.optional(z.string()) });
const Created = z.object({ id: z.string() });

/**
 * Calls each /v1 function's deployable bundle twice, with the embedded DynamoDB behind a proxy that notes each
 * operation by its `X-Amz-Target` header.
 */
export async function countRequests(): Promise<Map<string, RequestCount>> {
  const embedded = await startEmbeddedTable();
  const queues = await startFauxqs({ port: 0, logger: false });
  const proxy = await startCountingProxy(embedded.endpoint);
  try {
    queues.createQueue('calls');
    Object.assign(process.env, {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      AWS_ENDPOINT_URL_KMS: embedded.kmsEndpoint,
      AWS_ENDPOINT_URL_SQS: queues.address,
      TABLE_NAME: embedded.table.name,
      CALL_QUEUE_URL: `${queues.address}/000000000000/calls`,
      LOG_LEVEL: 'silent',
      PUBLIC_BASE_URL: 'http://127.0.0.1:1',
      RECORDINGS_BUCKET: 'bench',
      PROJECT_REQUESTS_PER_SECOND: '50',
      ...limitVariables,
    });
    const table = openTable(
      embedded.table.name,
      new DynamoDBClient({ endpoint: embedded.endpoint, region: 'us-east-1' }),
    );
    const keys = localKms(embedded.keys).keyMaker(table.name);
    const { project, apiKey } = await createProject(
      { ...projectServices(table), keys },
      {
        name: 'Bench',
        carrier: 'sandbox',
        webhook: null,
      },
    );
    const patient = {
      project_id: project.id,
      first_name: 'Ada',
      last_name: 'Example',
      phone_number: '+12025550142',
      date_of_birth: '1980-01-02',
    };
    const ids = new Map<string, string>();
    const counts = new Map<string, RequestCount>();
    for (const route of routes.filter((one) => one.path.startsWith('/v1/'))) {
      const handler = loadHandler(route.function);
      const call = async (): Promise<readonly string[]> => {
        // A task can be canceled once.
        if (route.function === 'cancel-task') ids.set('task_id', await storeTask(table, project.id));
        proxy.operations.length = 0;
        const body =
          route.path === '/v1/patient'
            ? patient
            : {
                project_id: project.id,
                patient_id: ids.get('patient_id'),
                task_type: 'CUSTOM_TASK',
                task: 'Ask about the opening hours.',
                phone_number: '+12025550103',
              };
        const answer = Answer.parse(
          await handler(
            proxyEvent(route.method, route.path, ids, apiKey, route.method === 'POST' ? body : null),
          ),
        );
        if (answer.statusCode === 201) {
          ids.set(`${route.path.split('/').at(-1)}_id`, Created.parse(JSON.parse(answer.body ?? '')).id);
        } else if (answer.statusCode !== 200 && route.function !== 'get-call-recording') {
          throw new Error(`${route.function} answered ${answer.statusCode}: ${answer.body}`);
        }
        return [...proxy.operations];
      };
      counts.set(route.function, { first: await call(), hot: await call() });
    }
    return counts;
  } finally {
    await proxy.stop();
    await queues.stop();
    await embedded.stop();
  }
}

/** A task that waits for its first call. */
async function storeTask(table: Table, projectId: string): Promise<string> {
  const task = sampleTask({ id: projectId });
  await writeTransaction(table, [createTaskItem(table, task)]);
  return task.id;
}

const require = createRequire(import.meta.url);

function loadHandler(name: string): (event: object) => Promise<unknown> {
  const { handler } = require(bundlePath(name)) as {
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
  method: string,
  resource: string,
  ids: ReadonlyMap<string, string>,
  apiKey: string,
  body: object | null,
): object {
  const pathParameters: Record<string, string> = { call_id: '01890000-0000-7000-8000-000000000000' };
  for (const [name, id] of ids) pathParameters[name] = id;
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
