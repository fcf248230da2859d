import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '#shared/table/client.ts';
import { indexNames, listedTaskAttributes } from '#shared/table/indexes.ts';
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
 * `DYNAMODB_ENDPOINT` points the tests at any other server instead, such as AWS's own DynamoDB Local.
 */
export async function startEmbeddedTable(): Promise<EmbeddedTable> {
  const given = process.env.DYNAMODB_ENDPOINT ?? endpointOfWorker();
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

/** Keys and indexes as `shared/table/` relies on them; the template test holds the template to the same names. */
async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        'pk',
        'sk',
        ...[
          'project_pk',
          'project_sk',
          'patient_pk',
          'patient_sk',
          'call_pk',
          'due_pk',
          'due_at',
          'lane_pk',
          'lane_sk',
        ],
      ].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: indexNames.project,
          KeySchema: [
            { AttributeName: 'project_pk', KeyType: 'HASH' },
            { AttributeName: 'project_sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
        {
          IndexName: indexNames.patient,
          KeySchema: [
            { AttributeName: 'patient_pk', KeyType: 'HASH' },
            { AttributeName: 'patient_sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...listedTaskAttributes] },
        },
        {
          IndexName: indexNames.call,
          KeySchema: [{ AttributeName: 'call_pk', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['project_id', 'recording'] },
        },
        {
          IndexName: indexNames.due,
          KeySchema: [
            { AttributeName: 'due_pk', KeyType: 'HASH' },
            { AttributeName: 'due_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['type'] },
        },
        {
          IndexName: indexNames.lane,
          KeySchema: [
            { AttributeName: 'lane_pk', KeyType: 'HASH' },
            { AttributeName: 'lane_sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
}
