import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Call } from '#shared/domain/call.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { CarrierName } from '#shared/domain/project.ts';
import { PhoneNumber, Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import type { TransactionItem } from './transaction.ts';

/**
 * The call under way to a number over a carrier, whichever project it is of. It stands from the claim of the call to its
 * end and is also the proof that the call has a line of its project.
 */
const DestinationLock = z.object({
  carrier: CarrierName,
  phone_number: PhoneNumber,
  project_id: Uuid,
  task_id: Uuid,
  call_id: Uuid,
  /** A task that waits for the number, if one was told to. */
  awaited_by: z.nullable(Uuid),
  created_at: Timestamp,
});
export type DestinationLock = z.infer<typeof DestinationLock>;

interface Destination {
  readonly carrier: CarrierName;
  readonly phone_number: string;
}

function destinationKey({ carrier, phone_number }: Destination): { pk: string; sk: string } {
  return { pk: `DESTINATION#${carrier}#${phone_number}`, sk: 'LOCK' };
}

/** Holds when no other call to the number is under way. */
export function createDestinationLockItem(table: Table, call: Call, now: Date): TransactionItem {
  const lock: DestinationLock = {
    carrier: call.carrier,
    phone_number: call.phone_number,
    project_id: call.project_id,
    task_id: call.task_id,
    call_id: call.id,
    awaited_by: null,
    created_at: now.toISOString(),
  };
  return {
    Put: {
      TableName: table.name,
      Item: { ...destinationKey(lock), type: 'destination-lock', ...lock },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Holds when the lock is still that of the same call; whoever removes it then knows that somebody waits. */
export function awaitDestinationItem(table: Table, lock: DestinationLock, taskId: string): TransactionItem {
  return {
    Update: {
      TableName: table.name,
      Key: destinationKey(lock),
      UpdateExpression: 'SET awaited_by = :task_id',
      ConditionExpression: 'call_id = :call_id',
      ExpressionAttributeValues: { ':task_id': taskId, ':call_id': lock.call_id },
    },
  };
}

/** Holds when the lock is as it was read, so that nobody who has begun to wait since then is overlooked. */
export function deleteDestinationLockItem(table: Table, lock: DestinationLock): TransactionItem {
  return {
    Delete: {
      TableName: table.name,
      Key: destinationKey(lock),
      ConditionExpression: 'call_id = :call_id AND awaited_by = :awaited_by',
      ExpressionAttributeValues: { ':call_id': lock.call_id, ':awaited_by': lock.awaited_by },
    },
  };
}

/** Strongly consistent: the caller decides by it whether to dial. */
export async function getDestinationLock(
  table: Table,
  destination: Destination,
): Promise<DestinationLock | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: destinationKey(destination), ConsistentRead: true }),
  );
  return Item === undefined ? null : DestinationLock.parse(Item);
}
