import { onFirstUse } from '#shared/domain/on-first-use.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import type { PageRequest } from '#shared/table/newest-first.ts';
import { findPatientNames } from '#shared/table/patient.ts';
import { listTaskSortKeys, type RowFilter, type TaskSortKey } from '#shared/table/task-rows.ts';

/** The columns that a list of tasks can be sorted by, besides age. */
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
  const page = { ...range, limit: sortedAtMost };
  const { items, next } = await listTaskSortKeys(table, projectId, filter, page, attributes[sorting.by]);
  const sortValueOf = await sortValues(table, projectId, sorting.by, items);
  const direction = sorting.isDescending ? -1 : 1;
  const known = items.flatMap(({ id, value }) => {
    const sortValue = value === null ? null : sortValueOf(value);
    return sortValue === null ? [] : [{ id, sortValue }];
  });
  known.sort((one, other) => direction * compare(one.sortValue, other.sortValue));
  const ids = known.map(({ id }) => id);
  const sorted = new Set(ids);
  // Tasks without a value come last in both directions.
  const unknown = items.flatMap(({ id }) => (sorted.has(id) ? [] : [id]));
  return { ids: [...ids, ...unknown], isAll: next === null };
}

const attributes = {
  patient: 'patient_id',
  number: 'phone_number',
  state: 'status',
  'next-attempt': 'next_attempt_at',
} as const satisfies Record<SortColumn, string>;

type SortValue = string | number;

/** The value to compare; null for patients who are gone. */
async function sortValues(
  table: Table,
  projectId: string,
  by: SortColumn,
  tasks: readonly TaskSortKey[],
): Promise<(value: string) => SortValue | null> {
  switch (by) {
    case 'patient': {
      const ids = [...new Set(tasks.flatMap(({ value }) => value ?? []))];
      const patients = await findPatientNames(table, projectId, ids);
      const names = new Map(
        patients.map(({ id, last_name, first_name }) => [id, `${last_name}, ${first_name}`]),
      );
      return (patientId) => names.get(patientId) ?? null;
    }
    case 'state':
      return (status) => states.indexOf(status);
    case 'number':
    case 'next-attempt':
      return (value) => value;
  }
}

const states: readonly string[] = TaskStatus.options;

const collator = onFirstUse(() => new Intl.Collator('en-US'));

function compare(one: SortValue, other: SortValue): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator().compare(String(one), String(other));
}
