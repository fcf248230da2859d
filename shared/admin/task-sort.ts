import { TaskStatus } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import type { PageRequest } from '#shared/table/newest-first.ts';
import { findPatientEntries } from '#shared/table/patient.ts';
import { listTaskSortKeys, type RowFilter, type TaskSortKey } from '#shared/table/task-rows.ts';

/** The columns a list of tasks can be sorted by, besides age. */
export const sortColumns = ['patient', 'number', 'state', 'next-attempt'] as const;
export type SortColumn = (typeof sortColumns)[number];

export interface Sorting {
  readonly by: SortColumn;
  readonly isDescending: boolean;
}

/** Only this many of the newest tasks are sorted, because no index has these orders. */
export const sortedAtMost = 1000;

/** Tasks sorted by a column, ties newest first. `isAll` is false when older tasks were left out. */
export async function sortTasks(
  table: Table,
  projectId: string,
  {
    filter,
    sorting,
    range,
  }: {
    readonly filter: RowFilter;
    readonly sorting: Sorting;
    readonly range: Pick<PageRequest, 'before' | 'until'>;
  },
): Promise<{ readonly ids: readonly string[]; readonly isAll: boolean }> {
  const { items, next } = await listTaskSortKeys(table, projectId, filter, { ...range, limit: sortedAtMost });
  const sortValueOf = await sortValues(table, projectId, sorting.by, items);
  const direction = sorting.isDescending ? -1 : 1;
  const known = items.flatMap((task) => {
    const value = sortValueOf(task);
    return value === null ? [] : [{ task, value }];
  });
  known.sort((one, other) => direction * compare(one.value, other.value));
  // Tasks without a value come last in both directions.
  const unknown = items.filter((task) => sortValueOf(task) === null);
  return { ids: [...known.map(({ task }) => task.id), ...unknown.map(({ id }) => id)], isAll: next === null };
}

type SortValue = string | number;

async function sortValues(
  table: Table,
  projectId: string,
  by: SortColumn,
  tasks: readonly TaskSortKey[],
): Promise<(task: TaskSortKey) => SortValue | null> {
  switch (by) {
    case 'patient': {
      const patients = await findPatientEntries(table, projectId, [
        ...new Set(tasks.map(({ patient_id }) => patient_id)),
      ]);
      const names = new Map(
        patients.map(({ id, last_name, first_name }) => [id, `${last_name}, ${first_name}`]),
      );
      return ({ patient_id }) => names.get(patient_id) ?? null;
    }
    case 'number':
      return ({ phone_number }) => phone_number;
    case 'state':
      return ({ status }) => TaskStatus.options.indexOf(status);
    case 'next-attempt':
      return ({ next_attempt_at }) => next_attempt_at;
  }
}

const collator = new Intl.Collator('en-US');

function compare(one: SortValue, other: SortValue): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));
}
