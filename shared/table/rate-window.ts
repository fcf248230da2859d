import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from './client.ts';
import { expiresIn } from './time-to-live.ts';

/** Some time in which the requests of a project are counted. */
export interface RateWindow {
  readonly projectId: string;
  readonly startMs: number;
}

/** A window is of no use once it is over; the rest is for clocks that disagree. */
const keptSeconds = 120;

const Counted = z.object({ requests: z.int() });

/**
 * Adds requests to the project's count of a window and returns how many there are now. When the answer is
 * lost, the SDK asks again, and these requests are counted twice.
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
