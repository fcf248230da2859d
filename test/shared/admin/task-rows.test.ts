import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import { type TaskRows, type TaskRowsRequest, viewTaskRows } from '#shared/admin/task-rows.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { sampleProject, sampleResult, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

let embedded: EmbeddedTable;
let table: Table;
let access: ProjectAccess;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
  ({ table } = embedded);
});
afterAll(() => embedded.stop());
beforeEach(async () => {
  const project = sampleProject({ id: uuidv7() });
  const email = `viewer.${project.id}@clinic.example.com`;
  const member = { project_id: project.id, email, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [
    putProject(table, project),
    addMemberItem(table, { ...member, role: 'viewer' }),
  ]);
  const caller = { person: { subject: 'viewer', email, name: null }, requestId: 'request-1' };
  access = await authorizeProject(table, caller, project.id, 'tasks.read');
});

const minuteMs = 60_000;

/** Tasks that were created a minute after another, the oldest first. */
async function store(changes: readonly Partial<Task>[]): Promise<Task[]> {
  const tasks = changes.map((change, index) => {
    const atMs = Date.parse(sampleTime) + index * minuteMs;
    const at = new Date(atMs).toISOString();
    return sampleTask(access.project, { id: uuidv7(atMs), created_at: at, updated_at: at, ...change });
  });
  for (let start = 0; start < tasks.length; start += 50) {
    await writeTransaction(
      table,
      tasks.slice(start, start + 50).map((task) => createTaskItem(table, task)),
    );
  }
  return tasks;
}

const everything: TaskRowsRequest = {
  status: null,
  taskType: null,
  needs: null,
  assignee: null,
  patientId: null,
  sameNumberAs: null,
  from: null,
  to: null,
  order: 'newest-first',
  limit: 10,
  cursor: null,
  isBack: false,
};

const view = (request: Partial<TaskRowsRequest>): Promise<TaskRows> =>
  viewTaskRows(table, access, { ...everything, ...request });
const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

describe('the rows of tasks', () => {
  test('of which few are wanted are looked for 1,600 rows at a time, and found on the pages behind', async () => {
    const [oldest] = await store([
      { status: 'CANCELLED' },
      ...Array.from({ length: 2400 }, () => ({ status: 'COMPLETED' }) as const),
    ]);
    const first = await view({ status: 'CANCELLED' });
    expect(first).toMatchObject({ rows: [], isPartial: true, total: null });
    const second = await view({ status: 'CANCELLED', cursor: first.next });
    expect(idsOf(second.rows)).toEqual([oldest?.id]);
    expect(second).toMatchObject({ isPartial: false, next: null });
  });

  test.each(['newest-first', 'oldest-first'] as const)(
    'lead through all pages and back again: %s',
    async (order) => {
      const stored = idsOf(await store(Array.from({ length: 35 }, () => ({}))));
      const expected = order === 'newest-first' ? stored.toReversed() : stored;
      const pages: TaskRows[] = [];
      for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
        const page = await view({ order, cursor });
        pages.push(page);
        cursor = page.next;
      }
      expect(pages.flatMap(({ rows }) => idsOf(rows))).toEqual(expected);
      expect(pages[0]?.previous).toBeNull();
      expect(pages[0]?.total).toEqual({ count: 35, isAll: true });

      let back = pages.at(-1);
      for (let index = pages.length - 2; index >= 0; index -= 1) {
        expect(back?.previous).not.toBeNull();
        back = await view({ order, cursor: back?.previous ?? null, isBack: true });
        expect(idsOf(back.rows)).toEqual(idsOf(pages[index]?.rows ?? []));
        expect(back.next).not.toBeNull();
      }
      expect(back?.previous).toBeNull();
    },
  );

  test('tell what is left to do, and are found by it', async () => {
    const answer = {
      key: 'copay',
      question: 'The copay?',
      answer: '40',
      value: null,
      quote: 'Forty.',
      turn: 3,
    };
    const [plain, review, followUp, waiting] = await store([
      { status: 'COMPLETED', result: sampleResult() },
      { status: 'COMPLETED', result: sampleResult({ answers: [{ ...answer, needs_review: true }] }) },
      { status: 'FAILED', result: sampleResult({ follow_up: 'Send the referral.' }) },
      // Not over yet: the next call may still settle it.
      { status: 'IN_PROGRESS', result: sampleResult({ follow_up: 'They call back.' }) },
    ]);
    expect(idsOf((await view({ needs: 'review' })).rows)).toEqual([review?.id]);
    const { rows, total } = await view({ needs: 'follow-up' });
    expect(rows).toMatchObject([
      { id: followUp?.id, listed: { result: { follow_up: 'Send the referral.' } } },
    ]);
    expect(total).toEqual({ count: 1, isAll: true });
    expect(idsOf((await view({})).rows).sort()).toEqual(
      [plain, review, followUp, waiting].map((task) => task?.id).sort(),
    );
  });

  test('are those of the days, the state, the type and the number asked for', async () => {
    const [first, second, third] = await store([
      { status: 'FAILED', phone_number: '+12025550110' },
      { status: 'COMPLETED', task_type: 'REIMBURSEMENT', phone_number: '+12025550110' },
      { status: 'COMPLETED' },
    ]);
    const at = (index: number): Date => new Date(Date.parse(sampleTime) + index * minuteMs);
    const found = async (request: Partial<TaskRowsRequest>) => idsOf((await view(request)).rows);
    expect(await found({ from: at(1) })).toEqual([third?.id, second?.id]);
    expect(await found({ to: at(1) })).toEqual([first?.id]);
    expect(await found({ from: at(1), to: at(2), order: 'oldest-first' })).toEqual([second?.id]);
    expect((await view({ from: at(1), to: at(2) })).total).toEqual({ count: 1, isAll: true });
    expect(await found({ status: 'FAILED' })).toEqual([first?.id]);
    expect(await found({ taskType: 'REIMBURSEMENT' })).toEqual([second?.id]);
    const ofNumber = await view({ sameNumberAs: first?.id ?? '' });
    expect(idsOf(ofNumber.rows)).toEqual([second?.id, first?.id]);
    expect(ofNumber.phoneNumber).toBe('+12025550110');
  });

  test('of a patient say as much as all others', async () => {
    const patientId = uuidv7();
    const [mine] = await store([
      { patient_id: patientId, status: 'FAILED', result: sampleResult({ follow_up: 'Ask again.' }) },
      {},
    ]);
    const { rows, total } = await view({ patientId });
    expect(rows).toMatchObject([{ id: mine?.id, needs_follow_up: true, phone_number: mine?.phone_number }]);
    expect(total).toBeNull();
  });

  test('are written down as seen, page by page', async () => {
    const stored = idsOf(await store([{}, {}]));
    await view({});
    const { items } = await listAuditEntries(table, access.project.id, { limit: 1, before: null });
    expect(items).toMatchObject([{ action: 'tasks.listed', after: { task_ids: stored.toReversed() } }]);
  });

  test('refuse a cursor of another list, and a number of another project', async () => {
    await store(Array.from({ length: 12 }, () => ({})));
    const { next } = await view({});
    await expect(view({ cursor: next, status: 'FAILED' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(view({ sameNumberAs: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
  });
});
