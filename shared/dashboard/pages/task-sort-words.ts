import type { SortColumn } from '#shared/admin/task-sort.ts';
import type { TaskListQuery, TaskSort } from '../forms/task-list-query.ts';
import type { SortedColumn } from '../layout/data-table.tsx';

/** How the list is sorted, for its heading; the empty name is the default order. */
export const sortTexts: Readonly<Record<TaskSort | '', string>> = {
  '': 'newest first',
  oldest: 'oldest first',
  patient: 'by patient',
  'patient-desc': 'by patient, Z to A',
  number: 'by number',
  'number-desc': 'by number, highest first',
  state: 'by state, waiting first',
  'state-desc': 'by state, canceled first',
  'next-attempt': 'next attempt, earliest first',
  'next-attempt-desc': 'next attempt, latest first',
};

/** As choices of a select. */
export const sortChoices = Object.entries(sortTexts).map(([value, text]) => ({
  value,
  label: `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
}));

type AddressOf = (changes: TaskListQuery) => string;

/** The columns of the list, with links that sort by them. */
export function columnsOf(query: TaskListQuery, address: AddressOf): readonly (string | SortedColumn)[] {
  const at = (sort: TaskSort | undefined): string => address({ sort, cursor: undefined, back: undefined });
  // A patient's tasks are few, and their index knows only age.
  const column = (name: string, by: SortColumn): string | SortedColumn =>
    query.patient_id === undefined
      ? {
          name,
          href: at(query.sort === by ? `${by}-desc` : by),
          direction: query.sort === by ? 'ascending' : query.sort === `${by}-desc` ? 'descending' : null,
        }
      : name;
  return [
    column('Patient', 'patient'),
    'What for',
    column('Number', 'number'),
    column('State', 'state'),
    column('Next attempt', 'next-attempt'),
    {
      name: 'Age',
      href: at(query.sort === undefined ? 'oldest' : undefined),
      direction: isSortedByColumn(query) ? null : query.sort === 'oldest' ? 'descending' : 'ascending',
    },
  ];
}

/** Whether the list is sorted by a column, which covers only the newest tasks, rather than by age. */
export function isSortedByColumn({ sort, patient_id }: TaskListQuery): boolean {
  return sort !== undefined && sort !== 'oldest' && patient_id === undefined;
}

/** The texts of the links to the neighboring pages. */
export function pageWords(query: TaskListQuery): readonly [string, string] {
  if (isSortedByColumn(query)) return ['Previous tasks', 'More tasks'];
  return query.sort === 'oldest' ? ['Older tasks', 'Newer tasks'] : ['Newer tasks', 'Older tasks'];
}
