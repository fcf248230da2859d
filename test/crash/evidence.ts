import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { Call } from '#shared/domain/call.ts';
import type { Task } from '#shared/domain/task.ts';
import { dataKeyOpener, openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import type { ProjectServices } from '#shared/projects/create-project.ts';
import { SandboxCall } from '#shared/sandbox-phone/store/sandbox-call.ts';
import { SandboxRecording } from '#shared/sandbox-phone/store/sandbox-recording.ts';
import { openTable, type Table } from '#shared/table/client.ts';
import { projectItemIds } from '#shared/table/project-items.ts';
import { getTaskWithCalls, type TaskWithCalls } from '#shared/table/task.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { scanTable } from '../support/scan-table.ts';
import type { StackAddresses } from './stack-process.ts';

/** What both sides of the telephone network recorded, and what could not be processed. */
export interface Evidence {
  readonly tasks: readonly Task[];
  readonly calls: readonly Call[];
  readonly carrierCalls: readonly SandboxCall[];
  readonly carrierRecordings: readonly SandboxRecording[];
  /** Messages in each dead-letter queue, by template output. */
  readonly deadLetters: Readonly<Record<string, number>>;
}

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const region = 'us-east-1';

export function openServiceTable({ environment }: StackAddresses): Table {
  return openTable(
    named(environment, 'TableName'),
    new DynamoDBClient({
      region,
      credentials,
      endpoint: named(environment, 'AWS_ENDPOINT_URL_DYNAMODB'),
    }),
    dataKeyOpener(kmsOf(environment)),
  );
}

function kmsOf(environment: StackAddresses['environment']): KMSClient {
  return new KMSClient({ region, credentials, endpoint: named(environment, 'AWS_ENDPOINT_URL_KMS') });
}

/** Including projects that the stack itself creates. */
export function openProjectServices(addresses: StackAddresses): ProjectServices {
  const { environment } = addresses;
  const keyId = named(environment, 'SecretsKeyId');
  return {
    table: openServiceTable(addresses),
    secrets: openKmsEnvelope(keyId, kmsOf(environment)),
    keys: openProjectKeyMaker(named(environment, 'TableName'), kmsOf(environment)),
    network: openWebhookNetwork('allowed'),
  };
}

/** Reads everything once nothing changes anymore, so that what is read is consistent. */
export async function gatherEvidence(addresses: StackAddresses, projectId: string): Promise<Evidence> {
  const table = openServiceTable(addresses);
  const [tasks, carrierItems, deadLetters] = await Promise.all([
    tasksOf(table, projectId),
    scanTable({ ...table, name: named(addresses.environment, 'SandboxTableName') }),
    countDeadLetters(addresses),
  ]);
  return {
    tasks: tasks.map(({ task }) => task),
    calls: tasks.flatMap(({ calls }) => calls.toReversed()),
    carrierCalls: carrierItems.filter(({ type }) => type === 'call').map((item) => SandboxCall.parse(item)),
    carrierRecordings: carrierItems
      .filter(({ type }) => type === 'recording')
      .map((item) => SandboxRecording.parse(item)),
    deadLetters,
  };
}

/** A project's tasks with their calls. */
async function tasksOf(table: Table, projectId: string): Promise<TaskWithCalls[]> {
  const found: TaskWithCalls[] = [];
  for await (const ids of projectItemIds(table, projectId, 'TASK')) {
    const tasks = await Promise.all(ids.map((id) => getTaskWithCalls(table, id, { limit: 1_000 })));
    found.push(...tasks.filter((one) => one !== null));
  }
  return found;
}

async function countDeadLetters({ environment }: StackAddresses): Promise<Record<string, number>> {
  const queues = new SQSClient({
    region,
    credentials,
    endpoint: named(environment, 'AWS_ENDPOINT_URL_SQS'),
  });
  const counts: Record<string, number> = {};
  for (const [name, url] of Object.entries(environment)) {
    if (url === undefined || !name.endsWith('DeadLetterQueueUrl')) continue;
    const { Attributes = {} } = await queues.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    counts[name] = z.coerce.number().parse(Attributes.ApproximateNumberOfMessages);
  }
  queues.destroy();
  return counts;
}

function named(environment: StackAddresses['environment'], name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`the stack does not tell its ${name}`);
  return value;
}
