import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SandboxStore } from './sandbox-store.ts';

const Rate = z.object({ next_turn_ms: z.number() });

/**
 * Takes the next turn within an account's calls per second, as the carrier does: every call is accepted,
 * and those beyond the rate wait (twilio.com/docs/voice/api/call-resource).
 */
export async function takeTurn(
  { client, tableName }: SandboxStore,
  accountSid: string,
  callsPerSecond: number,
  now: Date,
): Promise<Date> {
  const nowMs = now.getTime();
  const key = { TableName: tableName, Key: { sid: `RATE#${accountSid}` } };
  const intervalMs = 1000 / callsPerSecond;
  try {
    await client.send(
      new UpdateCommand({
        ...key,
        UpdateExpression: 'SET next_turn_ms = :next',
        ConditionExpression: 'attribute_not_exists(next_turn_ms) OR next_turn_ms <= :now',
        ExpressionAttributeValues: { ':next': nowMs + intervalMs, ':now': nowMs },
      }),
    );
    return now;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  const { Attributes } = await client.send(
    new UpdateCommand({
      ...key,
      UpdateExpression: 'ADD next_turn_ms :interval',
      ExpressionAttributeValues: { ':interval': intervalMs },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return new Date(Math.max(nowMs, Math.round(Rate.parse(Attributes).next_turn_ms - intervalMs)));
}
