import { expect, test } from 'vitest';
import { type BatchOptions, PoisonRecord, runBatch } from '#shared/triggers/batch.ts';

const options = (
  order: BatchOptions<string>['order'],
  work: (record: string) => Promise<void>,
): BatchOptions<string> => ({
  event: 'test-record',
  order,
  identify: (record) => `id-${record}`,
  describe: (record) => ({ record }),
  work,
});

test('each record of an unordered batch fails alone', async () => {
  const worked: string[] = [];
  const response = await runBatch(
    ['a', 'bad', 'b', 'poison', 'c'],
    options('any', async (record) => {
      if (record === 'bad') throw new Error('transient');
      if (record === 'poison') throw new PoisonRecord(new Error('shape'));
      worked.push(record);
    }),
  );
  expect(worked).toEqual(['a', 'b', 'c']);
  expect(response).toEqual({
    batchItemFailures: [{ itemIdentifier: 'id-bad' }, { itemIdentifier: 'id-poison' }],
  });
});

test('an ordered batch stops at the first failure, where Lambda resumes', async () => {
  const worked: string[] = [];
  const response = await runBatch(
    ['a', 'bad', 'b'],
    options('strict', async (record) => {
      if (record === 'bad') throw new Error('transient');
      worked.push(record);
    }),
  );
  expect(worked).toEqual(['a']);
  expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'id-bad' }] });
});

test('a batch without failures reports none', async () => {
  expect(
    await runBatch(
      ['a'],
      options('any', () => Promise.resolve()),
    ),
  ).toEqual({ batchItemFailures: [] });
});
