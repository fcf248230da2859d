import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { sampleProject, sampleTask } from '../../support/sample-tasks.ts';

let embedded: EmbeddedTable;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
});
afterAll(() => embedded.stop());

test('a task is read as it was written', async () => {
  const task = sampleTask(sampleProject());
  await writeTransaction(embedded.table, [createTaskItem(embedded.table, task)]);
  expect(await getTask(embedded.table, task.id)).toEqual(task);
});
