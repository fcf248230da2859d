import { expect, test } from 'vitest';
import { saveDestination } from '#shared/directory/change-directory.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { listDirectory } from '#shared/table/directory.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';

const { table } = await forThisFile(startEmbeddedTable());

/** Saves ranges of ten numbers, each of which has read the directory before any is written. */
async function saveAtOnce(owner: string, firstNumbers: readonly number[]) {
  const allHaveRead = Promise.withResolvers<void>();
  let reading = firstNumbers.length;
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const output = await next(args);
        if (commandName !== 'QueryCommand') return output;
        reading -= 1;
        if (reading === 0) allHaveRead.resolve();
        await allHaveRead.promise;
        return output;
      },
    { name: 'read-together' },
  );
  const saves = firstNumbers.map((first) =>
    saveDestination(
      table,
      numberOf(first),
      { last_phone_number: numberOf(first + 9), name: 'Example Health', kind: 'payer' },
      { owner, by: 'kim', alongside: () => [] },
    ),
  );
  const results = await Promise.allSettled(saves);
  table.client.middlewareStack.remove('read-together');
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const stored = await listDirectory(table, owner);
  return { refusals, stored: stored.map(({ phone_number }) => phone_number) };
}

function numberOf(last: number): string {
  return `+12025550${String(last).padStart(3, '0')}`;
}

test('of ranges that overlap and are saved at the same time, one is stored', async () => {
  const { refusals, stored } = await saveAtOnce(uuidv7(), [110, 111, 112, 113, 114, 115]);
  expect(stored).toHaveLength(1);
  expect(refusals).toHaveLength(5);
  const message = `The numbers overlap the entry of ${stored[0]}`;
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'conflict', message });
});

test('ranges apart are all stored, though saved at the same time', async () => {
  const { refusals, stored } = await saveAtOnce(uuidv7(), [110, 120, 130, 140, 150]);
  expect(refusals).toEqual([]);
  expect(stored).toEqual([110, 120, 130, 140, 150].map(numberOf));
});

test('of two first saves of a range, one is refused', async () => {
  const { refusals, stored } = await saveAtOnce(uuidv7(), [110, 110]);
  expect(stored).toHaveLength(1);
  expect(refusals).toMatchObject([{ code: 'conflict' }]);
});
