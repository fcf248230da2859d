import type { Project } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { addOptOutItem } from '#shared/table/opt-out.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { sampleTime } from './sample-tasks.ts';

/** Puts a number on the project's Do Not Call list. */
export async function storeOptOut(
  table: Table,
  { id }: Pick<Project, 'id'>,
  phone_number: string,
): Promise<void> {
  const optOut = { project_id: id, phone_number, call_id: null, task_id: null, created_at: sampleTime };
  await writeTransaction(table, [addOptOutItem(table, optOut)]);
}
