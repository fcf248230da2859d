import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptySwitchboard, type Switchboard } from '#shared/domain/switchboard.ts';
import { admit } from '#shared/switchboard/admit.ts';
import type { Table } from '#shared/table/client.ts';
import {
  freeLineItem,
  getSwitchboard,
  replaceSwitchboardItem,
  scheduleDispatch,
} from '#shared/table/switchboard.ts';
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
const capacity = { callsPerSecond: 10, maxCalls: 10 };

function board(): Promise<Switchboard> {
  return getSwitchboard(table, 'sandbox');
}

/** The board after the projects asked for a line each, one after the other. */
function afterRequests(from: Switchboard, ...projectIds: string[]): Switchboard {
  return projectIds.reduce(
    (next, projectId) => admit(next, { projectId, projectLimit: 2, isWaiting: true }, capacity, now).next,
    from,
  );
}

async function replace(previous: Switchboard, next: Switchboard): Promise<void> {
  await writeTransaction(table, [replaceSwitchboardItem(table, 'sandbox', previous, next)]);
}

describe('the board of a carrier', () => {
  test('is empty before the first call, and each carrier has its own', async () => {
    expect(await board()).toEqual(emptySwitchboard);
    await replace(emptySwitchboard, afterRequests(emptySwitchboard, 'a'));
    expect(await getSwitchboard(table, 'live')).toEqual(emptySwitchboard);
  });

  test('is read as it was written', async () => {
    const next = afterRequests(emptySwitchboard, 'a', 'b', 'a', 'a');
    await replace(emptySwitchboard, next);
    expect(await board()).toEqual({ ...next, version: 1 });
    expect(next).toMatchObject({ lines: { a: 2, b: 1 }, waiting: { a: { limit: 2 } } });
  });

  test('is changed by one of many who have read the same', async () => {
    const read = await board();
    const changes = Array.from({ length: 20 }, (_, index) => replace(read, afterRequests(read, `p${index}`)));
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(Object.values((await board()).lines)).toEqual([1]);
  });

  test('cannot be changed by whoever read it before a line was given back', async () => {
    await replace(emptySwitchboard, afterRequests(emptySwitchboard, 'a', 'a'));
    const read = await board();
    await writeTransaction(table, [freeLineItem(table, 'sandbox', 'a')]);
    await expect(replace(read, afterRequests(read, 'b'))).rejects.toThrow(TransactionConditionFailed);
    expect((await board()).lines).toEqual({ a: 1 });
  });

  test('forgets projects without a call when it is written next', async () => {
    await replace(emptySwitchboard, afterRequests(emptySwitchboard, 'a'));
    await writeTransaction(table, [freeLineItem(table, 'sandbox', 'a')]);
    const read = await board();
    expect(read.lines).toEqual({ a: 0 });
    await replace(read, afterRequests(read, 'b'));
    expect((await board()).lines).toEqual({ b: 1 });
  });
});

describe('a line that is given back', () => {
  test('is free, however the board was changed meanwhile', async () => {
    await replace(emptySwitchboard, afterRequests(emptySwitchboard, 'a', 'a', 'b'));
    await writeTransaction(table, [freeLineItem(table, 'sandbox', 'a')]);
    expect((await board()).lines).toEqual({ a: 1, b: 1 });
  });

  test('needs no board', async () => {
    await writeTransaction(table, [freeLineItem(table, 'sandbox', 'a')]);
    expect((await board()).lines).toEqual({ a: 0 });
  });

  test('can say when the carrier takes the next call', async () => {
    const pausedUntil = new Date(now.getTime() + 5_000);
    await replace(emptySwitchboard, afterRequests(emptySwitchboard, 'a'));
    await writeTransaction(table, [freeLineItem(table, 'sandbox', 'a', pausedUntil)]);
    expect((await board()).next_slot_at).toBe(pausedUntil.toISOString());
  });
});

describe('a message that shares out lines', () => {
  const dueAt = new Date(now.getTime() + 1_000);

  test('is sent by one of many who would, and again once its time has passed', async () => {
    const wishes = Array.from({ length: 10 }, () => scheduleDispatch(table, 'sandbox', now, dueAt));
    expect((await Promise.all(wishes)).filter((isOurs) => isOurs)).toHaveLength(1);
    expect(await scheduleDispatch(table, 'sandbox', now, dueAt)).toBe(false);
    expect(await scheduleDispatch(table, 'sandbox', dueAt, new Date(dueAt.getTime() + 1_000))).toBe(true);
  });

  test('is not forgotten by who changes the board, nor does it get in their way', async () => {
    const read = await board();
    await scheduleDispatch(table, 'sandbox', now, dueAt);
    await replace(read, afterRequests(read, 'a'));
    expect(await board()).toMatchObject({ dispatch_due_at: dueAt.toISOString(), lines: { a: 1 } });
  });
});
