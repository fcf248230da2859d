import * as z from 'zod/mini';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { type DialedLine, destinationPartition } from './line.ts';
import type { PrimaryKey } from './primary-key.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut, itemUpdate, when } from './transaction-items.ts';

/** How often a number was called, by all projects together; names no project, task or patient. */
const NumberCalls = z.object({
  /** `YYYY-MM-DD` where the number rings. */
  day: z.string(),
  /** Calls on that day. */
  calls: z.int(),
  /** When the last call ended, or began if it is in progress. */
  last_call_at: Timestamp,
  /** End of the call before the one in progress. */
  previous_call_at: Timestamp,
});
export type NumberCalls = z.infer<typeof NumberCalls>;

export const neverCalled: NumberCalls = {
  day: '',
  calls: 0,
  last_call_at: new Date(0).toISOString(),
  previous_call_at: new Date(0).toISOString(),
};

/** Longer than any gap between two calls. */
const keptSeconds = 3 * 24 * 60 * 60;

function numberCallsKey(dialed: DialedLine): PrimaryKey {
  return { pk: destinationPartition(dialed), sk: 'CALLS' };
}

/** Strongly consistent: the caller decides by it whether to dial. */
export async function getNumberCalls(table: Table, dialed: DialedLine): Promise<NumberCalls> {
  return (await getItem(table, numberCallsKey(dialed), NumberCalls.parse)) ?? neverCalled;
}

/** Counts a call, on the condition that none was counted since `read`. */
export function countNumberCallItem(
  table: Table,
  dialed: DialedLine,
  read: NumberCalls,
  day: string,
  now: Date,
): TransactionItem {
  const counted: NumberCalls = {
    day,
    calls: read.day === day ? read.calls + 1 : 1,
    last_call_at: now.toISOString(),
    previous_call_at: read.last_call_at,
  };
  return itemPut(
    table,
    {
      ...numberCallsKey(dialed),
      type: 'number-calls',
      ...counted,
      ...expiresIn(keptSeconds, now.getTime()),
    },
    read === neverCalled
      ? isNew
      : when('#day = :day AND calls = :calls AND last_call_at = :last', {
          day: read.day,
          calls: read.calls,
          last: read.last_call_at,
        }),
  );
}

/** Reverts the count of a call in progress that never rang. */
export function uncountNumberCallItem(table: Table, dialed: DialedLine): TransactionItem {
  return itemUpdate(table, numberCallsKey(dialed), {
    change: 'SET calls = calls - :one, last_call_at = previous_call_at',
    values: { one: 1 },
  });
}

/** The gap before the next call starts at the end of this one. */
export function endNumberCallItem(table: Table, dialed: DialedLine, now: Date): TransactionItem {
  return itemUpdate(table, numberCallsKey(dialed), {
    change: 'SET last_call_at = :now',
    values: { now: now.toISOString() },
  });
}
