import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Key and index that the sandbox phone requires. */
export async function createSandboxTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['sid', 'account_sid', 'created_at'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [{ AttributeName: 'sid', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'created-index',
          KeySchema: [
            { AttributeName: 'account_sid', KeyType: 'HASH' },
            { AttributeName: 'created_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
}
