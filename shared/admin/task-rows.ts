import { tasksExported, tasksSeen } from '#shared/audit/actions.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { firstIdAt } from '#shared/domain/identifiers.ts';
import { decodeListCursor, encodeListCursor } from '#shared/lists/list-cursor.ts';
import type { Table } from '#shared/table/client.ts';
import type { Order } from '#shared/table/newest-first.ts';
import { getTask } from '#shared/table/task.ts';
import { listTaskSummaries } from '#shared/table/task-list.ts';
import {
  countTaskRows,
  findTaskRows,
  listTaskRows,
  listTaskVersions,
  type ResultFilter,
  type RowFilter,
  type TaskRow,
  type TaskVersion,
  toTaskRow,
} from '#shared/table/task-rows.ts';
import { auditAction, auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';
import { resultSteps } from './project-summary.ts';
import { type Sorting, sortTasks } from './task-sort.ts';

/** The filters of a project's task list, and a position in it. */
export interface TaskRowsRequest extends Omit<RowFilter, 'phoneNumber'> {
  readonly patientId: string | null;
  /** Selects tasks that call the same number as this one, which keeps the number out of URLs. */
  readonly sameNumberAs: string | null;
  /** From the first moment until before the second. */
  readonly from: Date | null;
  readonly to: Date | null;
  readonly order: Order;
  /** Sorts by this column; null for `order`. Tasks of one patient are not sorted by column. */
  readonly sorting: Sorting | null;
  readonly limit: number;
  /** From an earlier page; null for the first page. */
  readonly cursor: string | null;
  /** Whether to return the page before the cursor instead of the one after it. */
  readonly isBack: boolean;
}

export interface TaskRows {
  readonly rows: readonly TaskRow[];
  /** Cursors of the adjacent pages; null at the ends of the list. */
  readonly previous: string | null;
  readonly next: string | null;
  /** E.164 number of all of them, if filtered by one. */
  readonly phoneNumber: string | null;
  /** Total number; not `isAll` when counting stopped early. Null when not counted. */
  readonly total: { readonly count: number; readonly isAll: boolean } | null;
  /** Whether the page ended early because matches are rare: the next one continues. */
  readonly isPartial: boolean;
}

/** A page of tasks; audited as seen by the caller. Throws `invalid_request` for a cursor of another list. */
export async function viewTaskRows(
  table: Table,
  access: ProjectAccess,
  request: TaskRowsRequest,
): Promise<TaskRows> {
  const phoneNumber = await numberOf(table, access, request.sameNumberAs);
  const { id } = access.project;
  const page =
    request.sorting === null
      ? await countedRows(table, id, request, phoneNumber)
      : await sortedRows(table, id, request, phoneNumber, request.sorting);
  await auditView(table, access, tasksSeen(id, page.rows));
  return { ...page, phoneNumber };
}

/** A page ordered by age, with the total. */
async function countedRows(
  table: Table,
  projectId: string,
  request: TaskRowsRequest,
  phoneNumber: string | null,
): Promise<Omit<TaskRows, 'phoneNumber'>> {
  const page = await readRows(table, projectId, request, phoneNumber);
  const isWhole = page.previous === null && page.next === null;
  const beyond = request.isBack ? page.previous : page.next;
  const isPartial = beyond !== null && page.rows.length < request.limit;
  const total =
    request.patientId !== null || isPartial
      ? null
      : isWhole
        ? { count: page.rows.length, isAll: true }
        : await countTaskRows(table, projectId, { ...request, phoneNumber }, boundsOf(request));
  return { ...page, total, isPartial };
}

/** A page ordered by a column. Its cursors are page numbers: each page sorts the tasks again. */
async function sortedRows(
  table: Table,
  projectId: string,
  request: TaskRowsRequest,
  phoneNumber: string | null,
  sorting: Sorting,
): Promise<Omit<TaskRows, 'phoneNumber'>> {
  const { limit, cursor } = request;
  const { ids, isAll } = await sortedIds(table, projectId, request, phoneNumber, sorting);
  const page = Number(/^[1-9]\d{0,2}$/.exec(cursor ?? '')?.[0] ?? 1);
  return {
    rows: await findTaskRows(table, ids.slice((page - 1) * limit, page * limit)),
    previous: page === 1 ? null : String(page - 1),
    next: page * limit < ids.length ? String(page + 1) : null,
    total: { count: ids.length, isAll },
    isPartial: false,
  };
}

function sortedIds(
  table: Table,
  projectId: string,
  request: TaskRowsRequest,
  phoneNumber: string | null,
  sorting: Sorting,
) {
  const { above, below } = boundsOf(request);
  const range = { before: below, until: above };
  return sortTasks(table, projectId, { filter: { ...request, phoneNumber }, sorting, range });
}

/** The most tasks in one file; for more, choose fewer days. */
export const rowsInFile = 2000;
const rowsAtOnce = 250;
/** Tasks per audit entry: an entry is filed under each of its patients, so a whole file is too much for one. */
const rowsInEntry = 100;

/** All tasks of a list, for a file; audited as seen by the caller. `isAll` is false when the list continues. */
export async function exportTaskRows(
  table: Table,
  access: ProjectAccess,
  request: TaskRowsRequest,
): Promise<{ readonly rows: readonly TaskRow[]; readonly isAll: boolean }> {
  const phoneNumber = await numberOf(table, access, request.sameNumberAs);
  const { rows, isAll } = await rowsOfFile(table, access.project.id, request, phoneNumber);
  for (let start = 0; start < rows.length || start === 0; start += rowsInEntry) {
    const part = rows.slice(start, start + rowsInEntry);
    await auditAction(table, access, tasksExported(access.project.id, part));
  }
  return { rows, isAll };
}

async function rowsOfFile(
  table: Table,
  projectId: string,
  request: TaskRowsRequest,
  phoneNumber: string | null,
): Promise<{ readonly rows: readonly TaskRow[]; readonly isAll: boolean }> {
  if (request.sorting !== null) {
    const { ids, isAll } = await sortedIds(table, projectId, request, phoneNumber, request.sorting);
    return { rows: await findTaskRows(table, ids), isAll };
  }
  const rows: TaskRow[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesAtMost && rows.length < rowsInFile; pages += 1) {
    const position = { limit: rowsAtOnce, cursor, isBack: false };
    const page = await readRows(table, projectId, { ...request, ...position }, phoneNumber);
    rows.push(...page.rows);
    cursor = page.next;
    if (cursor === null) break;
  }
  return { rows, isAll: cursor === null };
}

/** The IDs of a list's first tasks; not audited. `isAll` is false when the list continues. */
export async function readTaskIds(
  table: Table,
  access: ProjectAccess,
  request: TaskRowsRequest,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly isAll: boolean }> {
  const phoneNumber = await numberOf(table, access, request.sameNumberAs);
  if (request.sorting !== null) {
    const sorted = await sortedIds(table, access.project.id, request, phoneNumber, request.sorting);
    return { ids: sorted.ids.slice(0, limit), isAll: sorted.isAll && sorted.ids.length <= limit };
  }
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesAtMost && ids.length <= limit; pages += 1) {
    const position = { limit: limit + 1 - ids.length, cursor, isBack: false };
    const page = await readRows(table, access.project.id, { ...request, ...position }, phoneNumber);
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
    if (cursor === null) break;
  }
  return { ids: ids.slice(0, limit), isAll: cursor === null && ids.length <= limit };
}

/** Rare matches make for short or empty pages. */
const pagesAtMost = 20;

/** Detects whether the first page has changed; not audited, because nothing of it is shown. */
export async function readTaskVersions(
  table: Table,
  { project }: ProjectAccess,
  request: TaskRowsRequest,
): Promise<readonly TaskVersion[]> {
  const phoneNumber = await numberOf(table, { project }, request.sameNumberAs);
  const { sorting, patientId, order, limit } = request;
  if (sorting !== null) return (await sortedRows(table, project.id, request, phoneNumber, sorting)).rows;
  if (patientId !== null) return (await readRows(table, project.id, request, phoneNumber)).rows;
  const { start, until } = rangeOf(request, order);
  const page = { limit, before: start, order, until };
  return (await listTaskVersions(table, project.id, { ...request, phoneNumber }, page)).items;
}

async function numberOf(
  table: Table,
  { project }: Pick<ProjectAccess, 'project'>,
  taskId: string | null,
): Promise<string | null> {
  if (taskId === null) return null;
  const task = await getTask(table, taskId);
  if (task?.project_id !== project.id) throw new ServiceError('not_found', 'Task not found');
  return task.phone_number;
}

async function readRows(
  table: Table,
  projectId: string,
  request: TaskRowsRequest,
  phoneNumber: string | null,
): Promise<Pick<TaskRows, 'rows' | 'previous' | 'next'>> {
  const { limit, cursor, isBack } = request;
  const list = identityOf(projectId, request);
  const position = cursor === null ? null : decodeListCursor(list, cursor);
  const order = isBack ? reversed[request.order] : request.order;
  const { start, until } = rangeOf(request, order);
  const page = { limit, before: position ?? start, order, until };
  const { items, next } =
    request.patientId === null
      ? await listTaskRows(table, projectId, { ...request, phoneNumber }, page)
      : await patientsRows(table, projectId, { ...request, patientId: request.patientId }, page);
  const rows = isBack ? items.toReversed() : items;
  const cursorAt = (id: string | undefined): string | null =>
    id === undefined ? null : encodeListCursor(list, id);
  // The next page continues this read; the previous one ends where this one began.
  const beyond = next === null ? null : cursorAt(next);
  return isBack
    ? { rows, previous: beyond, next: cursorAt(rows.at(-1)?.id ?? position ?? undefined) }
    : { rows, previous: position === null ? null : cursorAt(rows[0]?.id ?? position), next: beyond };
}

/** The index of a patient's tasks holds few attributes, so each task is read. */
async function patientsRows(
  table: Table,
  projectId: string,
  {
    status,
    taskType,
    needs,
    assignee,
    obstacle,
    result,
    patientId,
  }: TaskRowsRequest & { readonly patientId: string },
  page: Parameters<typeof listTaskSummaries>[3],
) {
  const { items, next } = await listTaskSummaries(table, projectId, { status, taskType, patientId }, page);
  const tasks = await Promise.all(items.map(({ id }) => getTask(table, id)));
  const rows = tasks.flatMap((task) => (task === null ? [] : [toTaskRow(task)]));
  return {
    items: rows.filter(
      (row) =>
        (needs === null || (needs === 'review' ? row.needs_review : row.needs_follow_up)) &&
        (assignee === null || isWorkOf(row, assignee)) &&
        (obstacle === null || row.listed.result?.obstacle?.reason === obstacle) &&
        (result === null || hasResult(row, result)),
    ),
    next,
  };
}

function isWorkOf({ needs_review, needs_follow_up, follow_up_assignee = '' }: TaskRow, assignee: string) {
  return (needs_review || needs_follow_up) && follow_up_assignee === assignee;
}

function hasResult({ status, listed }: TaskRow, wanted: ResultFilter): boolean {
  const steps = resultSteps({ status, result: listed.result });
  return { finished: steps.isFinished, person: steps.reachedPerson, goal: steps.goalReached }[wanted];
}

const reversed: Readonly<Record<Order, Order>> = {
  'newest-first': 'oldest-first',
  'oldest-first': 'newest-first',
};

/** IDs that bound the requested days. */
function boundsOf({ from, to }: Pick<TaskRowsRequest, 'from' | 'to'>) {
  return { above: from === null ? null : firstIdAt(from), below: to === null ? null : firstIdAt(to) };
}

/** The same bounds, in the order of the list. */
function rangeOf(request: Pick<TaskRowsRequest, 'from' | 'to'>, order: Order) {
  const { above, below } = boundsOf(request);
  return order === 'newest-first' ? { start: below, until: above } : { start: above, until: below };
}

function identityOf(projectId: string, request: TaskRowsRequest) {
  const { status, taskType, needs, assignee, obstacle, result, patientId, sameNumberAs } = request;
  const { from, to, order } = request;
  const days = [from, to].map((day) => day?.toISOString() ?? null);
  const filters = [status, taskType, needs, assignee, obstacle, result, patientId, sameNumberAs];
  return ['task-rows', projectId, ...filters, ...days, order];
}
