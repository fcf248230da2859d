import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The minimum that every function needs, with which their imports are compared. */
export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
