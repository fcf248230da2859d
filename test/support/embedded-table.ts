import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  type Projection,
} from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '#shared/table/client.ts';
import { type IndexSchema, tableSchema } from '#shared/table/schema.ts';
import { endpointOfWorker, startDynamoDbServer } from './dynamodb-servers.ts';

/** A DynamoDB server with the service's table in it, which no other test file sees. */
export interface EmbeddedTable {
  readonly endpoint: string;
  readonly table: Table;
  /** Makes another empty table, for a test that counts everything there is. */
  newTable(): Promise<Table>;
  stop(): Promise<void>;
}

/**
 * Creates the service's table on the DynamoDB of this worker, or on one of its own where there is none.
 * `DYNAMODB_ENDPOINT` points the tests at any other server instead.
 */
export async function startEmbeddedTable(): Promise<EmbeddedTable> {
  const given = endpointOfWorker();
  const server = given === undefined ? await startDynamoDbServer() : null;
  const endpoint = given ?? server?.endpoint ?? '';
  const client = localClient(endpoint);
  const names: string[] = [];
  const newTable = async (): Promise<Table> => {
    const name = `service-${randomUUID()}`;
    await createTable(client, name);
    names.push(name);
    return openTable(name, client);
  };
  return {
    endpoint,
    table: await newTable(),
    newTable,
    async stop() {
      if (server === null) {
        for (const TableName of names) await client.send(new DeleteTableCommand({ TableName }));
      }
      client.destroy();
      await server?.stop();
    },
  };
}

function localClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}

async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  const { keys, indexes } = tableSchema;
  const attributes = new Set([keys, ...indexes].flatMap((key) => keySchemaOf(key)).map(nameOf));
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...attributes].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keySchemaOf(keys),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchemaOf(index),
        Projection: projectionOf(index),
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
}

const nameOf = ({ AttributeName }: KeySchemaElement): string => String(AttributeName);

function keySchemaOf({ partition, sort }: Pick<IndexSchema, 'partition' | 'sort'>): KeySchemaElement[] {
  const range: KeySchemaElement[] = sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' }];
  return [{ AttributeName: partition, KeyType: 'HASH' }, ...range];
}

function projectionOf({ projects }: IndexSchema): Projection {
  if (projects === 'all') return { ProjectionType: 'ALL' };
  if (projects === 'keys') return { ProjectionType: 'KEYS_ONLY' };
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projects] };
}
