import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * The one table of the service and the client that speaks to it. Repositories take it as an argument, so tests and
 * scripts can point them at any endpoint.
 */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/** Opens the table; region, credentials and endpoint come from the environment, as everywhere in the SDK. */
export function openTable(name: string, client: DynamoDBClient = new DynamoDBClient({})): Table {
  // It prepares each answer for a logger that there is none of, a tenth of the time of a long list.
  client.middlewareStack.remove('loggerMiddleware');
  return {
    name,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}
