import * as z from 'zod/mini';
import type { TaskRowsRequest } from '#shared/admin/task-rows.ts';
import { type SortColumn, sortColumns } from '#shared/admin/task-sort.ts';
import { instantOf } from '#shared/calling-hours/zone-clock.ts';
import { ObstacleReason } from '#shared/domain/call-result.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { addDays } from '#shared/domain/time.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import { addressHash } from '#shared/table/address-hash.ts';
import { Need, ResultFilter } from '#shared/table/task-rows.ts';

/** Newest first if absent; else by a column, descending with `-desc`. */
export type TaskSort = 'oldest' | SortColumn | `${SortColumn}-desc`;
const TaskSort: z.ZodMiniType<TaskSort> = z.enum([
  'oldest',
  ...sortColumns.flatMap((column) => [column, `${column}-desc`] as const),
]);

/** Members' addresses must not appear in URLs. */
const Assigned = z.string().check(z.regex(/^(?:me|unassigned|[0-9a-f]{64})$/));

/** The query of a task list's URL. */
export interface TaskListQuery {
  readonly status?: TaskStatus | undefined;
  readonly task_type?: TaskType | undefined;
  readonly needs?: Need | undefined;
  /** The obstacle reported. */
  readonly obstacle?: ObstacleReason | undefined;
  readonly result?: ResultFilter | undefined;
  /** Only follow-ups of the reader, no one, or the member with this hashed address. */
  readonly assigned?: string | undefined;
  readonly patient_id?: string | undefined;
  /** Selects tasks that call the same number as this one. */
  readonly number_of?: string | undefined;
  /** `YYYY-MM-DD`, days of the reader's calendar, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sort?: TaskSort | undefined;
  readonly cursor?: string | undefined;
  /** Whether to show the page before the cursor. */
  readonly back?: '1' | undefined;
}

/** Ignores invalid filter values: only the page's own links and fields set them. */
export function readTaskListQuery(read: (name: string) => string | undefined): TaskListQuery {
  const day = (name: string) => CalendarDate.safeParse(read(name)).data;
  const cursor = read('cursor');
  const query: TaskListQuery = {
    status: TaskStatus.safeParse(read('status')).data,
    task_type: TaskType.safeParse(read('task_type')).data,
    needs: Need.safeParse(read('needs')).data,
    obstacle: ObstacleReason.safeParse(read('obstacle')).data,
    result: ResultFilter.safeParse(read('result')).data,
    assigned: Assigned.safeParse(read('assigned')).data,
    patient_id: Uuid.safeParse(read('patient_id')).data,
    number_of: Uuid.safeParse(read('number_of')).data,
    from: day('from'),
    to: day('to'),
    sort: TaskSort.safeParse(read('sort')).data,
    cursor,
    back: cursor !== undefined && read('back') === '1' ? '1' : undefined,
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** The filters and order of the list, without the page. */
export function filtersOf(query: TaskListQuery): Record<string, string> {
  const { cursor: _, back: __, ...filters } = query;
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Whose list it is. */
export interface ListReader {
  readonly email: string;
  /** Of the days `from` and `to`. */
  readonly timeZone: string;
  /** Email addresses of members whose follow-ups can be selected. */
  readonly assignees: readonly string[];
}

/** The query to the table. */
export function toTaskRowsRequest(
  query: TaskListQuery,
  { email, timeZone, assignees }: ListReader,
  limit: number,
): TaskRowsRequest {
  const { from, to } = query;
  return {
    status: query.status ?? null,
    taskType: query.task_type ?? null,
    needs: query.needs ?? null,
    obstacle: query.obstacle ?? null,
    result: query.result ?? null,
    assignee: query.assigned === undefined ? null : assigneeOf(query.assigned, { email, assignees }),
    patientId: query.patient_id ?? null,
    sameNumberAs: query.number_of ?? null,
    from: from === undefined ? null : instantOf(timeZone, `${from}T00:00`),
    to: to === undefined ? null : instantOf(timeZone, `${addDays(to, 1)}T00:00`),
    order: query.sort === 'oldest' ? 'oldest-first' : 'newest-first',
    sorting: query.patient_id === undefined ? sortingOf(query.sort) : null,
    limit,
    cursor: query.cursor ?? null,
    isBack: query.back === '1',
  };
}

function assigneeOf(assigned: string, { email, assignees }: Pick<ListReader, 'email' | 'assignees'>): string {
  if (assigned === 'me') return email;
  if (assigned === 'unassigned') return '';
  // Finds nothing for someone who has left the project.
  return assignees.find((one) => addressHash(one) === assigned) ?? assigned;
}

/** Whether resolving the follow-up filter needs the members' addresses. */
export function namesMember({ assigned }: TaskListQuery): boolean {
  return assigned !== undefined && assigned !== 'me' && assigned !== 'unassigned';
}

function sortingOf(sort: TaskSort | undefined): TaskRowsRequest['sorting'] {
  const by = sortColumns.find((column) => sort === column || sort === `${column}-desc`);
  return by === undefined ? null : { by, isDescending: sort !== by };
}
