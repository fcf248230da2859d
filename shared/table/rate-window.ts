import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from './client.ts';
import { expiresIn } from './time-to-live.ts';

/** A time window in which a project's requests are counted. */
export interface RateWindow {
  readonly projectId: string;
  readonly startMs: number;
}

/** Lifetime of a window's item, with a margin for clock skew. */
const keptSeconds = 120;

const Counted = z.object({ requests: z.int() });

/**
 * Adds requests to the project's count of a window and returns the total. If the response is lost, the SDK retries and
 * counts them twice.
 */
export async function countRequests(
  table: Table,
  { projectId, startMs }: RateWindow,
  requests: number,
): Promise<number> {
  const { expires_at_seconds } = expiresIn(keptSeconds, startMs);
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { pk: `RATE#${projectId}`, sk: `WINDOW#${new Date(startMs).toISOString()}` },
      UpdateExpression: 'ADD requests :more SET #type = :type, expires_at_seconds = :end',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: { ':more': requests, ':type': 'rate-window', ':end': expires_at_seconds },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return Counted.parse(Attributes).requests;
}
