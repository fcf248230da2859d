import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { LocalStackError } from '../local-stack-error.ts';
import type { Deployment } from '../template/deployment.ts';
import { tableName } from '../template/resource-types.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const indexSchema = z.object({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.object({
    ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: z.optional(z.array(z.string())),
  }),
});
const tableSchema = z.object({
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.optional(z.array(indexSchema)),
  LocalSecondaryIndexes: z.optional(z.array(indexSchema)),
  StreamSpecification: z.optional(
    z.object({ StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) }),
  ),
  TimeToLiveSpecification: z.optional(
    z.object({ Enabled: z.boolean(), AttributeName: z.optional(z.string()) }),
  ),
});

type TableProperties = z.infer<typeof tableSchema>;

/** Creates the template's tables where they do not exist yet, and gives the ARN of each one's stream. */
export async function provisionTables(
  deployment: Deployment,
  client: DynamoDBClient,
): Promise<Map<string, string>> {
  const streams = new Map<string, string>();
  await Promise.all(
    deployment.ofType('AWS::DynamoDB::Table').map(async (resource) => {
      const name = tableName(resource);
      const properties = deployment.properties(resource, tableSchema);
      const table = (await existing(client, name)) ?? (await create(client, name, properties));
      await bringUpToDate(client, name, table, properties);
      if (table.LatestStreamArn !== undefined) streams.set(name, table.LatestStreamArn);
    }),
  );
  return streams;
}

async function existing(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function create(
  client: DynamoDBClient,
  name: string,
  properties: TableProperties,
): Promise<TableDescription> {
  const input: CreateTableCommandInput = {
    TableName: name,
    // Capacity means nothing here, and on-demand needs none to be named.
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: properties.AttributeDefinitions,
    KeySchema: properties.KeySchema,
  };
  if (properties.GlobalSecondaryIndexes !== undefined) {
    input.GlobalSecondaryIndexes = properties.GlobalSecondaryIndexes.map(indexOf);
  }
  if (properties.LocalSecondaryIndexes !== undefined) {
    input.LocalSecondaryIndexes = properties.LocalSecondaryIndexes.map(indexOf);
  }
  if (properties.StreamSpecification !== undefined) {
    input.StreamSpecification = { StreamEnabled: true, ...properties.StreamSpecification };
  }
  await client.send(new CreateTableCommand(input));
  for (;;) {
    const table = await existing(client, name);
    if (table?.TableStatus === 'ACTIVE') return table;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function indexOf({ IndexName, KeySchema, Projection }: z.infer<typeof indexSchema>) {
  const { ProjectionType, NonKeyAttributes } = Projection;
  return {
    IndexName,
    KeySchema,
    Projection: NonKeyAttributes === undefined ? { ProjectionType } : { ProjectionType, NonKeyAttributes },
  };
}

/** Adds what the template has gained since the data was created; what cannot be changed in place is an error. */
async function bringUpToDate(
  client: DynamoDBClient,
  name: string,
  table: TableDescription,
  properties: TableProperties,
): Promise<void> {
  const startAfresh = (what: string): LocalStackError =>
    new LocalStackError(
      `Table ${name} was made with another ${what} than the template has now. ` +
        'Remove the data directory, or use another one.',
    );
  if (!sameKeys(table.KeySchema, properties.KeySchema)) throw startAfresh('key');
  if (table.StreamSpecification?.StreamViewType !== properties.StreamSpecification?.StreamViewType) {
    throw startAfresh('stream');
  }
  for (const index of properties.GlobalSecondaryIndexes ?? []) {
    const present = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.IndexName);
    if (present === undefined) {
      const used = index.KeySchema.map(({ AttributeName }) => AttributeName);
      await client.send(
        new UpdateTableCommand({
          TableName: name,
          AttributeDefinitions: properties.AttributeDefinitions.filter(({ AttributeName }) =>
            used.includes(AttributeName),
          ),
          GlobalSecondaryIndexUpdates: [{ Create: indexOf(index) }],
        }),
      );
    } else if (
      !sameKeys(present.KeySchema, index.KeySchema) ||
      present.Projection?.ProjectionType !== index.Projection.ProjectionType ||
      sorted(present.Projection?.NonKeyAttributes) !== sorted(index.Projection.NonKeyAttributes)
    ) {
      throw startAfresh(`index ${index.IndexName}`);
    }
  }
  await setTimeToLive(client, name, properties.TimeToLiveSpecification);
}

function sameKeys(
  left: readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[] | undefined,
  right: z.infer<typeof keySchema>,
): boolean {
  const text = (
    keys: readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[],
  ): string => keys.map(({ AttributeName, KeyType }) => `${KeyType}:${AttributeName}`).join();
  return text(left ?? []) === text(right);
}

function sorted(names: readonly string[] | undefined): string {
  return [...(names ?? [])].sort().join();
}

async function setTimeToLive(
  client: DynamoDBClient,
  name: string,
  wanted: TableProperties['TimeToLiveSpecification'],
): Promise<void> {
  if (wanted?.Enabled !== true || wanted.AttributeName === undefined) return;
  const { TimeToLiveDescription: present } = await client.send(
    new DescribeTimeToLiveCommand({ TableName: name }),
  );
  if (present?.AttributeName === wanted.AttributeName) return;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: name,
      TimeToLiveSpecification: { Enabled: true, AttributeName: wanted.AttributeName },
    }),
  );
}
