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
import { keysInMemory, type LocalKeys, startKms } from '../../infra/local/servers/kms-server.ts';
import { endpointOfWorker, isOtherServer, startDynamoDbServer } from './dynamodb-servers.ts';
import { localKms } from './local-kms.ts';

/** A DynamoDB server with the service's table, which no other test file sees. */
export interface EmbeddedTable {
  readonly endpoint: string;
  readonly table: Table;
  /** Reads and writes items as they are stored. */
  readonly raw: DynamoDBClient;
  /** Where projects' keys are kept. */
  readonly keys: LocalKeys;
  /** A KMS with these keys, for other processes. */
  readonly kmsEndpoint: string;
  /** Creates another empty table, for a test that counts everything. */
  newTable(): Promise<Table>;
  /** The same table as another process sees it, without remembered keys. */
  reopen(table: Table): Table;
  stop(): Promise<void>;
}

/**
 * Creates the service's table on this worker's DynamoDB, or on its own server if there is none.
 * `DYNAMODB_ENDPOINT` points the tests at any other server.
 */
export async function startEmbeddedTable(): Promise<EmbeddedTable> {
  const given = endpointOfWorker();
  const server = given === undefined ? await startDynamoDbServer() : null;
  const endpoint = given ?? server?.endpoint ?? '';
  const client = localClient(endpoint);
  const names: string[] = [];
  const keys = keysInMemory();
  const { openDataKey } = localKms(keys);
  const kms = await startKms(keys);
  const newTable = async (): Promise<Table> => {
    const name = `service-${randomUUID()}`;
    await createTable(client, name);
    names.push(name);
    return openTable(name, client, openDataKey);
  };
  return {
    endpoint,
    table: await newTable(),
    raw: client,
    keys,
    kmsEndpoint: kms.endpoint,
    newTable,
    reopen: ({ name }) => openTable(name, client, openDataKey),
    async stop() {
      if (server === null) {
        for (const TableName of names) await client.send(new DeleteTableCommand({ TableName }));
      }
      client.destroy();
      await kms.stop();
      await server?.stop();
    },
  };
}

function localClient(endpoint: string): DynamoDBClient {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    ...(isOtherServer() ? {} : { signer: { sign: unsigned } }),
  });
  // The user agent takes another eighth of the time, and no server here reads it.
  client.middlewareStack.removeByTag('USER_AGENT');
  return client;
}

/** The embedded server requires a signature but does not check it, and computing one takes a quarter of a request. */
async function unsigned<Request extends object>(request: Request): Promise<Request> {
  const credential = 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request';
  const authorization = `${credential}, SignedHeaders=host, Signature=none`;
  Object.assign(request, {
    headers: { ...Object(Reflect.get(request, 'headers')), authorization, 'x-amz-date': '20260101T000000Z' },
  });
  return request;
}

/** Without a stream, which nothing reads here: the server would read its whole history before each write. */
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
    }),
  );
}

const nameOf = ({ AttributeName }: KeySchemaElement): string => String(AttributeName);

function keySchemaOf({ partition, sort }: Pick<IndexSchema, 'partition' | 'sort'>): KeySchemaElement[] {
  const range: KeySchemaElement[] = sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' }];
  return [{ AttributeName: partition, KeyType: 'HASH' }, ...range];
}

function projectionOf({ projects }: IndexSchema): Projection {
  if (projects === 'keys') return { ProjectionType: 'KEYS_ONLY' };
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projects] };
}
