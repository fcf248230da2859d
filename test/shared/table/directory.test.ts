import { describe, expect, test, vi } from 'vitest';
import { coversNumber, type DirectoryEntry } from '#shared/domain/directory-entry.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { findDirectoryEntries, putDirectoryEntryItem } from '#shared/table/directory.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { directoryEntry } from '../../support/directory-entries.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';

const { table } = await forThisFile(startEmbeddedTable());

/** An owner with these numbers and ranges in their directory. */
async function ownerOf(...lines: (readonly [first: number, last?: number])[]) {
  const owner = uuidv7();
  const entries = lines.map(
    ([first, last]): DirectoryEntry => ({
      ...directoryEntry(numberOf(first)),
      project_id: owner,
      last_phone_number: last === undefined ? null : numberOf(last),
    }),
  );
  if (entries.length > 0) {
    await writeTransaction(
      table,
      entries.map((entry) => putDirectoryEntryItem(table, null, entry)),
    );
  }
  return { owner, entries };
}

function numberOf(last: number): string {
  return `+12025550${String(last).padStart(3, '0')}`;
}

describe('the entries of a directory', () => {
  test('are found for each covered number, and no other', async () => {
    const lines = [
      ...Array.from({ length: 20 }, (_, index) => [100 + index] as const),
      [130, 139] as const,
      [150] as const,
    ];
    const { owner, entries } = await ownerOf(...lines);
    const numbers = [99, 100, 107, 119, 120, 130, 134, 139, 140, 149, 150, 151].map(numberOf);
    const others = ['+1202555013', '+120255501300', '+442079460134'];
    const found = await findDirectoryEntries(table, owner, [...others, ...numbers]);
    const covered = numbers.flatMap((number) => {
      const entry = entries.find((one) => coversNumber(one, number));
      return entry === undefined ? [] : [[number, entry.phone_number] as const];
    });
    expect(covered).toHaveLength(7);
    const firsts = new Map([...found].map(([number, entry]) => [number, entry.phone_number]));
    expect(firsts).toEqual(new Map(covered));
  });

  test('take one request for all numbers with at most as many entries as numbers', async () => {
    const numbers = Array.from({ length: 15 }, (_, index) => numberOf(100 + index));
    const few = await ownerOf([101], [105, 109]);
    const many = await ownerOf(...Array.from({ length: 60 }, (_, index) => [100 + index] as const));
    const none = await ownerOf();
    const send = vi.spyOn(table.client, 'send');
    for (const [{ owner }, count] of [
      [none, 0],
      [few, 6],
      [many, 15],
    ] as const) {
      send.mockClear();
      expect((await findDirectoryEntries(table, owner, numbers)).size).toBe(count);
      expect(send).toHaveBeenCalledTimes(1);
    }
    send.mockRestore();
  });

  test('of no numbers are none', async () => {
    expect((await findDirectoryEntries(table, uuidv7(), [])).size).toBe(0);
  });
});
