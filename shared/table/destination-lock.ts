import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Call } from '#shared/domain/call.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { CarrierName } from '#shared/domain/project.ts';
import { PhoneNumber, Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { queryAll } from './query-pages.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';

/**
 * The call under way to a number over a carrier, whichever project it is of. It stands from the claim of the
 * call to its end and is also the proof that the call has a line of its project.
 */
const DestinationLock = z.object({
  carrier: CarrierName,
  phone_number: PhoneNumber,
  project_id: Uuid,
  task_id: Uuid,
  call_id: Uuid,
  /** A task that waits for the number, if there is one. */
  awaited_by: z.nullable(Uuid),
  /** The day of the project on which a live call counts, `YYYY-MM-DD`; null for a call that is not counted. */
  counted_on: z._default(z.nullable(z.string()), null),
  created_at: Timestamp,
});
export type DestinationLock = z.infer<typeof DestinationLock>;

/** A number, as one carrier calls it. */
export interface Destination {
  readonly carrier: CarrierName;
  readonly phone_number: string;
}

export function destinationPartition({ carrier, phone_number }: Destination): string {
  return `DESTINATION#${carrier}#${phone_number}`;
}

function destinationKey(destination: Destination): { pk: string; sk: string } {
  return { pk: destinationPartition(destination), sk: 'LOCK' };
}

/** Holds when no other call to the number is under way. */
export function createDestinationLockItem(
  table: Table,
  call: Call,
  countedOn: string | null,
  now: Date,
): TransactionItem {
  const lock: DestinationLock = {
    carrier: call.carrier,
    phone_number: call.phone_number,
    project_id: call.project_id,
    task_id: call.task_id,
    call_id: call.id,
    awaited_by: null,
    counted_on: countedOn,
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

/** Holds when the lock is still that of the same call; its removal then sees that a task waits. */
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

/** Holds when the lock is as it was read, so that no task that has begun to wait since then is overlooked. */
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

const pastCallPrefix = 'PAST#';
/** For as long as the submission of a later call to the same number can be unknown, many times over. */
const pastCallSeconds = 24 * 60 * 60;

/** Keeps in mind which call at the carrier was ours, so that it is not taken for a later one to the same number. */
export function rememberPastCallItem(
  table: Table,
  destination: Destination,
  carrierCallSid: string,
  now: Date,
): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        pk: destinationPartition(destination),
        sk: `${pastCallPrefix}${carrierCallSid}`,
        type: 'past-call',
        ...expiresIn(pastCallSeconds, now.getTime()),
      },
    },
  };
}

/** The carrier's names of our calls to the number that have ended in the last day or somewhat longer. */
export async function listPastCalls(table: Table, destination: Destination): Promise<string[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :past)',
    ExpressionAttributeValues: { ':pk': destinationPartition(destination), ':past': pastCallPrefix },
    ConsistentRead: true,
  });
  return items.map((item) => PastCallKey.parse(item).sk.slice(pastCallPrefix.length));
}

const PastCallKey = z.object({ sk: z.string() });
