import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { provisionBuckets } from '../../../infra/local/provision/buckets.ts';
import { type ProvisionedQueue, provisionQueues } from '../../../infra/local/provision/queues.ts';
import { provisionTables } from '../../../infra/local/provision/tables.ts';
import type { Deployment } from '../../../infra/local/template/deployment.ts';
import {
  addresses,
  type DeployedStack,
  openDeployment,
  readStack,
  type StackTemplate,
} from './deployed-stack.ts';
import { DynamoServer, QueueServer } from './embedded-servers.ts';

/** The template's tables, queues and buckets on the embedded servers. */
export interface Provisioned {
  readonly stack: DeployedStack;
  readonly deployment: Deployment;
  readonly queueServer: QueueServer;
  readonly queues: readonly ProvisionedQueue[];
  readonly tableName: string;
  readonly streamArn: string;
}

const localAccess = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/** The embedded servers of a run. */
export class Servers {
  readonly dynamo: DynamoServer;
  readonly #dataDirectory: string;
  #queueServer: QueueServer | null = null;

  constructor(dataDirectory: string) {
    this.dynamo = new DynamoServer(dataDirectory);
    this.#dataDirectory = dataDirectory;
  }

  async start(template: StackTemplate): Promise<Provisioned> {
    await this.dynamo.start();
    const queueServer = await QueueServer.start();
    this.#queueServer = queueServer;
    const dynamo = this.dynamoClient();
    const queueOrigin = `http://127.0.0.1:${queueServer.server.port}`;
    // Queues have addresses in the simulated world, which this client could not reach.
    const sqs = new SQSClient({ ...localAccess, endpoint: queueOrigin, useQueueUrlAsEndpoint: false });
    let streams = new Map<string, string>();
    const deployment = openDeployment(template, (table) => streams.get(table));
    streams = await provisionTables(deployment, dynamo);
    const queues = await provisionQueues(deployment, sqs, addresses.sqs);
    await provisionBuckets(deployment, queueOrigin);
    const stack = readStack(template, deployment, this.#dataDirectory);
    const tableName = stack.outputs.TableName ?? '';
    dynamo.destroy();
    sqs.destroy();
    return { stack, deployment, queueServer, queues, tableName, streamArn: streams.get(tableName) ?? '' };
  }

  async stop(): Promise<void> {
    await this.dynamo.kill();
    await this.#queueServer?.stop();
  }

  dynamoClient(): DynamoDBClient {
    return new DynamoDBClient({ ...localAccess, endpoint: `http://127.0.0.1:${this.dynamo.port}` });
  }
}
