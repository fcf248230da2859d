import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { tracer } from './powertools.js';

const client = DynamoDBDocumentClient.from(tracer.captureAWSv3Client(new DynamoDBClient({})));
const TableName = process.env.TABLE_NAME;

export async function storeProduct({ id, name, price }) {
  await client.send(new PutCommand({ TableName, Item: { id, name, price } }));
}

export async function findProduct(id) {
  const { Item } = await client.send(new GetCommand({ TableName, Key: { id } }));
  return Item;
}
