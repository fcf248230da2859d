import * as z from 'zod/mini';
import { CallCapacity, emptyCapacity } from '#shared/domain/call-capacity.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import { isDueToDispatch } from './call-capacity.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { itemPut } from './transaction-items.ts';

/** A number as called by one carrier. */
export interface DialedLine {
  readonly carrier: CarrierName;
  readonly phone_number: string;
}

/** A call in progress to a number, from claim to end; also the proof that the call holds its slots. */
const HeldCall = z.object({
  project_id: Uuid,
  task_id: Uuid,
  /** The project's day on which a live call counts, `YYYY-MM-DD`; null for an uncounted call. */
  counted_on: z._default(z.nullable(z.string()), null),
});

export interface HeldSlot extends DialedLine, z.infer<typeof HeldCall> {
  readonly call_id: string;
}

/** The calls in progress to a number over a carrier, and the waiting projects. */
export interface Line extends DialedLine {
  readonly calls: ReadonlyMap<string, HeldSlot>;
  /** Slots by project, and the waiting projects. */
  readonly capacity: CallCapacity;
  /** Limit of concurrent calls, as last read from the directory. */
  readonly maxCalls: number;
}

/*
 * Each call has its own attribute, `call#…`, so that a release need not read the item. Earlier versions
 * stored a single call in the item's own members.
 */
const callPrefix = 'call#';
/** Longer than any call. */
const keptSeconds = 3 * 24 * 60 * 60;

export function destinationPartition({ carrier, phone_number }: DialedLine): string {
  return `DESTINATION#${carrier}#${phone_number}`;
}

function lineKey(dialed: DialedLine): PrimaryKey {
  return { pk: destinationPartition(dialed), sk: 'LOCK' };
}

const EarlierCall = z.extend(HeldCall, { call_id: Uuid });
const StoredLine = z.object({ max_calls: z._default(z.int(), 1) });

/** Strongly consistent: the caller decides by it whether to dial. */
export async function getLine(table: Table, { carrier, phone_number }: DialedLine): Promise<Line> {
  const dialed = { carrier, phone_number };
  const item = (await getItem(table, lineKey(dialed), (stored) => stored)) ?? {};
  const calls = new Map<string, HeldSlot>();
  const hold = (id: string, held: z.infer<typeof HeldCall>): unknown =>
    calls.set(id, { ...dialed, ...held, call_id: id });
  if (item.call_id !== undefined) {
    const { call_id, ...held } = EarlierCall.parse(item);
    hold(call_id, held);
  }
  for (const [name, value] of Object.entries(item)) {
    if (name.startsWith(callPrefix)) hold(name.slice(callPrefix.length), HeldCall.parse(value));
  }
  const slots: Record<string, number> = {};
  for (const { project_id } of calls.values()) slots[project_id] = (slots[project_id] ?? 0) + 1;
  return {
    ...dialed,
    calls,
    capacity: CallCapacity.parse({ ...emptyCapacity, ...item, slots }),
    maxCalls: StoredLine.parse(item).max_calls,
  };
}

/** What a write changes in a line. */
export interface LineChange {
  readonly waiting: CallCapacity['waiting'];
  readonly maxCalls: number;
  /** The claimed call. */
  readonly taken?: HeldSlot;
}

/** Changes the line if it is unchanged since `previous` was read, ignoring `dispatch_due_at`. */
export function replaceLineItem(
  table: Table,
  previous: Line,
  { waiting, maxCalls, taken }: LineChange,
  now: Date,
): TransactionItem {
  const { version } = previous.capacity;
  const { expires_at_seconds } = expiresIn(keptSeconds, now.getTime());
  return {
    Update: {
      TableName: table.name,
      Key: lineKey(previous),
      UpdateExpression: [
        'SET #type = :type, waiting = :waiting, max_calls = :max, version = :next, expires_at_seconds = :expires',
        ...(taken === undefined ? [] : ['#call = :call']),
      ].join(', '),
      ConditionExpression: version === 0 ? 'attribute_not_exists(version)' : 'version = :read',
      ExpressionAttributeNames: {
        '#type': 'type',
        ...(taken === undefined ? {} : { '#call': `${callPrefix}${taken.call_id}` }),
      },
      ExpressionAttributeValues: {
        ':type': 'line',
        ':waiting': waiting,
        ':max': maxCalls,
        ':next': version + 1,
        ':expires': expires_at_seconds,
        ...(version === 0 ? {} : { ':read': version }),
        ...(taken === undefined ? {} : { ':call': HeldCall.parse(taken) }),
      },
    },
  };
}

/**
 * Holds while the call has the line, so that its slot is released once, and bumps the version for concurrent
 * readers.
 */
export function releaseLineItem(table: Table, held: HeldSlot): TransactionItem {
  return {
    Update: {
      TableName: table.name,
      Key: lineKey(held),
      UpdateExpression: 'REMOVE #call, call_id ADD version :one',
      ConditionExpression: 'attribute_exists(#call) OR call_id = :call_id',
      ExpressionAttributeNames: { '#call': `${callPrefix}${held.call_id}` },
      ExpressionAttributeValues: { ':one': 1, ':call_id': held.call_id },
    },
  };
}

/** As `scheduleDispatch` of the call capacity, for a line. */
export function scheduleLineDispatch(
  table: Table,
  dialed: DialedLine,
  now: Date,
  dueAt: Date,
): Promise<boolean> {
  return isDueToDispatch(table, lineKey(dialed), now, dueAt);
}

const pastCallPrefix = 'PAST#';
/** Many times longer than the outcome of submitting a later call to the number can be unknown. */
const pastCallSeconds = 24 * 60 * 60;

/**
 * Remembers the carrier's ID of an ended call, so that it is not mistaken for a later call to the same
 * number.
 */
export function rememberPastCallItem(
  table: Table,
  dialed: DialedLine,
  carrierCallSid: string,
  now: Date,
): TransactionItem {
  return itemPut(table, {
    pk: destinationPartition(dialed),
    sk: `${pastCallPrefix}${carrierCallSid}`,
    type: 'past-call',
    ...expiresIn(pastCallSeconds, now.getTime()),
  });
}

/** The carrier's IDs of our calls to the number that ended within the last day or slightly longer. */
export async function listPastCalls(table: Table, dialed: DialedLine): Promise<string[]> {
  const items = await queryPrefix(table, destinationPartition(dialed), pastCallPrefix);
  return items.map((item) => PastCallKey.parse(item).sk.slice(pastCallPrefix.length));
}

const PastCallKey = z.object({ sk: z.string() });
