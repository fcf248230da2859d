import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What every function needs at the least; the measure that their imports are held against. */
export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
