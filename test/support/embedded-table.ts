import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '#shared/table/client.ts';
import { indexNames, listedTaskAttributes } from '#shared/table/indexes.ts';
import { freePort } from '../../infra/loopback.ts';

/** A DynamoDB server of one test file with the service's table in it. */
export interface EmbeddedTable {
  readonly endpoint: string;
  readonly table: Table;
  /** Makes another empty table, for a test that counts everything there is. */
  newTable(): Promise<Table>;
  stop(): Promise<void>;
}

/**
 * Starts the embedded DynamoDB in memory on a free port and creates the service's table. `DYNAMODB_ENDPOINT` points the
 * tests at any other server instead, such as AWS's own DynamoDB Local.
 */
export async function startEmbeddedTable(): Promise<EmbeddedTable> {
  const given = process.env.DYNAMODB_ENDPOINT;
  const server = given === undefined ? await startServer() : { endpoint: given, child: null };
  const client = localClient(server.endpoint);
  let tables = 0;
  const newTable = async (): Promise<Table> => {
    tables += 1;
    const name = `service-${process.pid}-${tables}`;
    await createTable(client, name);
    return openTable(name, client);
  };
  return {
    endpoint: server.endpoint,
    table: await newTable(),
    newTable,
    async stop() {
      client.destroy();
      if (server.child !== null) await end(server.child);
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
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
}

interface Server {
  readonly endpoint: string;
  readonly child: ChildProcess;
}

const startAttempts = 5;

/** The server cannot tell which port it chose, so we choose; another process may take it first, hence the attempts. */
async function startServer(): Promise<Server> {
  for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
    const port = await freePort();
    const child = spawn(serverBinary(), ['serve', '--port', String(port)], { stdio: 'ignore' });
    // A test run that is cut off must not leave servers behind.
    process.once('exit', () => child.kill('SIGKILL'));
    const endpoint = `http://127.0.0.1:${port}`;
    if (await answers(endpoint, child)) return { endpoint, child };
    await end(child);
  }
  throw new Error(`the embedded DynamoDB did not start in ${startAttempts} attempts`);
}

function serverBinary(): string {
  const directory = `../../node_modules/@dynoxide/${process.platform}-${process.arch}/`;
  return fileURLToPath(new URL(`${directory}dynoxide`, import.meta.url));
}

async function answers(endpoint: string, child: ChildProcess): Promise<boolean> {
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  const probe = localClient(endpoint);
  const deadlineMs = Date.now() + 20_000;
  while (!ended && Date.now() < deadlineMs) {
    try {
      await probe.send(new ListTablesCommand({}));
      // Somebody else's server may answer on a port that ours failed to get.
      await new Promise((resolve) => setImmediate(resolve));
      return !ended;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
