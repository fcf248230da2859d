import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { admit } from '#shared/calls/capacity/admit.ts';
import { type CallCapacity, emptyCapacity } from '#shared/domain/call-capacity.ts';
import {
  getCallCapacity,
  releaseSlotItem,
  replaceCallCapacityItem,
  scheduleDispatch,
} from '#shared/table/call-capacity.ts';
import type { Table } from '#shared/table/client.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';

let embedded: EmbeddedTable;
let table: Table;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
});
beforeEach(async () => {
  table = await embedded.newTable();
});
afterAll(() => embedded.stop());

const now = new Date('2026-03-02T15:00:00.000Z');
const limits = { callsPerSecond: 10, maxCalls: 10 };

function usage(): Promise<CallCapacity> {
  return getCallCapacity(table, 'sandbox');
}

/** The board after the projects have requested a line each, in order. */
function afterRequests(from: CallCapacity, ...projectIds: string[]): CallCapacity {
  return projectIds.reduce(
    (next, projectId) => admit(next, { projectId, projectLimit: 2, isWaiting: true }, limits, now).next,
    from,
  );
}

async function replace(previous: CallCapacity, next: CallCapacity): Promise<void> {
  await writeTransaction(table, [replaceCallCapacityItem(table, 'sandbox', previous, next)]);
}

describe('the capacity board of a carrier', () => {
  test('is empty before the first call, and each carrier has its own', async () => {
    expect(await usage()).toEqual(emptyCapacity);
    await replace(emptyCapacity, afterRequests(emptyCapacity, 'a'));
    expect(await getCallCapacity(table, 'live')).toEqual(emptyCapacity);
  });

  test('is read as written', async () => {
    const next = afterRequests(emptyCapacity, 'a', 'b', 'a', 'a');
    await replace(emptyCapacity, next);
    expect(await usage()).toEqual({ ...next, version: 1 });
    expect(next).toMatchObject({ slots: { a: 2, b: 1 }, waiting: { a: { limit: 2 } } });
  });

  test('is changed by one of many concurrent readers', async () => {
    const read = await usage();
    const changes = Array.from({ length: 20 }, (_, index) => replace(read, afterRequests(read, `p${index}`)));
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(Object.values((await usage()).slots)).toEqual([1]);
  });

  test('cannot be changed by a reader from before a slot was released', async () => {
    await replace(emptyCapacity, afterRequests(emptyCapacity, 'a', 'a'));
    const read = await usage();
    await writeTransaction(table, [releaseSlotItem(table, 'sandbox', 'a')]);
    await expect(replace(read, afterRequests(read, 'b'))).rejects.toThrow(TransactionConditionFailed);
    expect((await usage()).slots).toEqual({ a: 1 });
  });

  test('forgets projects without a call at the next write', async () => {
    await replace(emptyCapacity, afterRequests(emptyCapacity, 'a'));
    await writeTransaction(table, [releaseSlotItem(table, 'sandbox', 'a')]);
    const read = await usage();
    expect(read.slots).toEqual({ a: 0 });
    await replace(read, afterRequests(read, 'b'));
    expect((await usage()).slots).toEqual({ b: 1 });
  });
});

describe('a released slot', () => {
  test('is free, however the board has changed', async () => {
    await replace(emptyCapacity, afterRequests(emptyCapacity, 'a', 'a', 'b'));
    await writeTransaction(table, [releaseSlotItem(table, 'sandbox', 'a')]);
    expect((await usage()).slots).toEqual({ a: 1, b: 1 });
  });

  test('needs no board', async () => {
    await writeTransaction(table, [releaseSlotItem(table, 'sandbox', 'a')]);
    expect((await usage()).slots).toEqual({ a: 0 });
  });

  test('can say when the carrier takes the next call', async () => {
    const pausedUntil = new Date(now.getTime() + 5_000);
    await replace(emptyCapacity, afterRequests(emptyCapacity, 'a'));
    await writeTransaction(table, [releaseSlotItem(table, 'sandbox', 'a', pausedUntil)]);
    expect((await usage()).next_slot_at).toBe(pausedUntil.toISOString());
  });
});

describe('a message that shares out slots', () => {
  const dueAt = new Date(now.getTime() + 1_000);

  test('is sent by one of many, and again after its time has passed', async () => {
    const wishes = Array.from({ length: 10 }, () => scheduleDispatch(table, 'sandbox', now, dueAt));
    expect((await Promise.all(wishes)).filter((isOurs) => isOurs)).toHaveLength(1);
    expect(await scheduleDispatch(table, 'sandbox', now, dueAt)).toBe(false);
    expect(await scheduleDispatch(table, 'sandbox', dueAt, new Date(dueAt.getTime() + 1_000))).toBe(true);
  });

  test('survives changes of the board without blocking them', async () => {
    const read = await usage();
    await scheduleDispatch(table, 'sandbox', now, dueAt);
    await replace(read, afterRequests(read, 'a'));
    expect(await usage()).toMatchObject({ dispatch_due_at: dueAt.toISOString(), slots: { a: 1 } });
  });
});
