import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from './client.ts';
import { conditionHeld } from './condition-held.ts';
import { getItem } from './get-item.ts';
import { expiresIn } from './time-to-live.ts';

/** Earlier versions wrote a visit and its entry in one transaction. */
const Visit = z.object({ audit_id: z._default(z.nullable(z.string()), null) });

/**
 * Begins a visit, unless it has begun. Returns the ID of the entry that records it: the given one, or that of whoever
 * began it, and may have died before writing it; null if it is written. Two writes and no transaction, which costs
 * twice.
 */
export async function beginVisit(
  table: Table,
  visitHash: string,
  entryId: string,
  { seconds, now }: { readonly seconds: number; readonly now: Date },
): Promise<string | null> {
  const key = { pk: `VISIT#${visitHash}`, sk: 'VISIT' };
  const begun = await conditionHeld(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...key, type: 'visit', audit_id: entryId, ...expiresIn(seconds, now.getTime()) },
        // A visit that is long over may not have been deleted yet.
        ConditionExpression: 'attribute_not_exists(pk) OR expires_at_seconds <= :now',
        ExpressionAttributeValues: { ':now': Math.floor(now.getTime() / 1000) },
      }),
    ),
  );
  if (begun) return entryId;
  const visit = await getItem(table, key, Visit.parse);
  return visit === null ? entryId : visit.audit_id;
}
