import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { CallingHours } from '#shared/domain/project.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { demoPatient, demoTasks } from '../../../infra/local/demo/scenario.ts';
import { manifests } from '../../../infra/manifests.ts';
import { openProjectServices } from '../../crash/evidence.ts';
import { type StackAddresses, StackProcess } from '../../crash/stack-process.ts';
import { environmentOf } from '../measure-init.ts';
import type { Contender, Running } from './measure.ts';
import { type OfflineFunction, ServerlessOffline } from './serverless-offline.ts';

const Created = z.object({ id: z.string() });

/** The local stack as `npm start` starts it, each time with new data. */
export function localStack(directory: string): Contender {
  return {
    name: '`npm start`',
    async start() {
      const { stack, addresses } = await startStack(await mkdtemp(join(directory, 'stack-')));
      return running(stack, { addresses, baseUrl: addresses.baseUrl, stop: () => stack.stop() });
    },
  };
}

/** The same functions under serverless-offline, on the servers of a local stack that keeps running. */
export function offlineTasks(directory: string, servers: StackAddresses): Contender {
  return {
    name: '`serverless-offline`, same functions',
    async start() {
      const functions: OfflineFunction[] = [
        {
          name: 'create-task',
          method: 'post',
          path: 'v1/task',
          environment: taskEnvironment(servers, 'create-task'),
        },
        {
          name: 'get-task',
          method: 'get',
          path: 'v1/task/{task_id}',
          environment: taskEnvironment(servers, 'get-task'),
        },
      ];
      const runner = await ServerlessOffline.start(directory, 'tasks', { functions, aws: awsOf(servers) });
      return running(runner, { addresses: servers, baseUrl: runner.baseUrl, stop: () => runner.stop() });
    },
  };
}

/** Handlers as in AWS's TypeScript samples, under serverless-offline, on a table of the same DynamoDB. */
export function offlineProducts(directory: string, servers: StackAddresses): Contender {
  const environment = {
    TABLE_NAME: productTable,
    POWERTOOLS_SERVICE_NAME: 'products',
    POWERTOOLS_METRICS_NAMESPACE: 'SideBySide',
    POWERTOOLS_LOG_LEVEL: 'WARN',
  };
  return {
    name: '`serverless-offline`, put and get a product',
    async start() {
      const functions: OfflineFunction[] = [
        { name: 'put-product', method: 'put', path: 'products/{id}', environment },
        { name: 'get-product', method: 'get', path: 'products/{id}', environment },
      ];
      const runner = await ServerlessOffline.start(directory, 'products', { functions, aws: awsOf(servers) });
      const { baseUrl } = runner;
      return {
        pid: runner.pid,
        prepare: async () => {},
        create: async () => {
          const id = randomUUID();
          await answered('PUT', `${baseUrl}/products/${id}`, { id, name: 'Example', price: 12.5 });
          return id;
        },
        get: async (id) => void (await answered('GET', `${baseUrl}/products/${id}`)),
        stop: () => runner.stop(),
      };
    },
  };
}

const productTable = 'side-by-side-products';

/** The sample's product table. */
export async function createProductTable({ environment }: StackAddresses): Promise<void> {
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    endpoint: environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
  });
  await client.send(
    new CreateTableCommand({
      TableName: productTable,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  client.destroy();
}

/** Starts a local stack on the directory, without the demo. */
export async function startStack(
  directory: string,
): Promise<{ stack: StackProcess; addresses: StackAddresses }> {
  const stack = StackProcess.start(directory, { pace: '0' });
  try {
    return { stack, addresses: await stack.ready() };
  } catch (error) {
    await stack.kill('everything');
    throw error;
  }
}

/** A client's requests to the service, whichever runner responds. */
function running(
  { pid }: { readonly pid: number },
  { addresses, baseUrl, stop }: { addresses: StackAddresses; baseUrl: string; stop: () => Promise<unknown> },
): Running {
  let apiKey = '';
  let body = {};
  return {
    pid,
    async prepare() {
      const services = openProjectServices(addresses);
      const { project, apiKey: key } = await createProject(services, {
        name: 'Side by side',
        carrier: 'sandbox',
        webhook: null,
        callingHours: closedToday(new Date()),
      });
      services.table.client.destroy();
      apiKey = key;
      // Patients are created on the stack: the compared runner only knows tasks.
      const patient = { project_id: project.id, ...demoPatient };
      const { id } = Created.parse(
        await answered('POST', `${addresses.baseUrl}/v1/patient`, patient, apiKey),
      );
      body = { project_id: project.id, patient_id: id, ...demoTasks[0]?.body };
    },
    create: async () => Created.parse(await answered('POST', `${baseUrl}/v1/task`, body, apiKey)).id,
    get: async (id) => void (await answered('GET', `${baseUrl}/v1/task/${id}`, undefined, apiKey)),
    stop: async () => void (await stop()),
  };
}

/** Calls would compete for the processor, so none is made today or tomorrow, in any time zone. */
export function closedToday(now: Date): CallingHours {
  const inThreeDays = (now.getUTCDay() + 3) % 7 || 7;
  return { opens: '08:00', closes: '21:00', days: [inThreeDays], on_holidays: false };
}

function taskEnvironment({ environment }: StackAddresses, name: string): Record<string, string> {
  const manifest = manifests.find((one) => one.name === name);
  return {
    ...environmentOf(manifest?.environment.shape ?? {}),
    TABLE_NAME: environment.TableName ?? '',
    CALL_QUEUE_URL: environment.CallQueueUrl ?? '',
    PROJECT_REQUESTS_PER_SECOND: '0',
  };
}

function awsOf({ environment }: StackAddresses): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith('AWS_') && value !== undefined ? [[name, value]] : [],
    ),
  );
}

/** The JSON of a response; throws if the request failed. */
async function answered(method: string, url: string, body?: object, apiKey?: string): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${method} ${new URL(url).pathname} was answered with ${response.status}: ${text}`);
  return JSON.parse(text);
}
