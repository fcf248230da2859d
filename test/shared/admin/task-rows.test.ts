import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import {
  readTaskVersions,
  type TaskRows,
  type TaskRowsRequest,
  viewTaskRows,
} from '#shared/admin/task-rows.ts';
import { type SortColumn, sortedAtMost } from '#shared/admin/task-sort.ts';
import type { ObstacleReason } from '#shared/domain/call-result.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { patientKey } from '#shared/table/patient.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { TaskVersion } from '#shared/table/task-rows.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { everyTask } from '../../support/every-task.ts';
import { sampleProject, sampleResult, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { storePatient } from '../../support/stored-patients.ts';

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

/** Tasks created a minute apart, oldest first. */
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
  ...everyTask,
  patientId: null,
  sameNumberAs: null,
  from: null,
  to: null,
  order: 'newest-first',
  sorting: null,
  limit: 10,
  cursor: null,
  isBack: false,
};

const view = (request: Partial<TaskRowsRequest>): Promise<TaskRows> =>
  viewTaskRows(table, access, { ...everything, ...request });
const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

describe('the rows of tasks', () => {
  test('are searched 1,600 at a time if few match, and found on later pages', async () => {
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

  test('filter by obstacle', async () => {
    const inTheWay = (reason: ObstacleReason): Partial<Task> => ({
      status: 'FAILED',
      result: sampleResult({ obstacle: { reason, quote: 'No.', turn: 2, call_back_at: null } }),
    });
    const [referral] = await store([inTheWay('needs_referral'), inTheWay('portal_only'), {}]);
    expect(idsOf((await view({ obstacle: 'needs_referral' })).rows)).toEqual([referral?.id]);
    const ofPatient = { obstacle: 'needs_referral', patientId: referral?.patient_id ?? null } as const;
    expect(idsOf((await view(ofPatient)).rows)).toEqual([referral?.id]);
  });

  test('filter by progress, in the project and of a patient', async () => {
    const patientId = uuidv7();
    const stored = await store([
      { patient_id: patientId, status: 'COMPLETED', result: sampleResult() },
      { patient_id: patientId, status: 'FAILED', result: sampleResult({ goal_reached: false }) },
      ...(['voicemail', 'no-speech'] as const).map((ending) => ({
        patient_id: patientId,
        status: 'FAILED' as const,
        result: sampleResult({ goal_reached: false, ending }),
      })),
      { patient_id: patientId, status: 'FAILED' },
      { patient_id: patientId, status: 'PENDING' },
    ]);
    const newest = idsOf(stored).toReversed();
    for (const ofPatient of [null, patientId]) {
      const found = async (result: 'finished' | 'person' | 'goal') =>
        idsOf((await view({ result, patientId: ofPatient })).rows);
      expect(await found('finished')).toEqual(newest.slice(1));
      expect(await found('person')).toEqual(newest.slice(4));
      expect(await found('goal')).toEqual(newest.slice(5));
    }
  });

  test('sort by a column over the whole list, on any page', async () => {
    const [late, none, early] = await store([
      { next_attempt_at: '2026-11-21T15:00:00.000Z', phone_number: '+12025550103', status: 'IN_PROGRESS' },
      { next_attempt_at: null, phone_number: '+12025550101', status: 'COMPLETED' },
      { next_attempt_at: '2026-11-20T15:00:00.000Z', phone_number: '+12025550102', status: 'PENDING' },
    ]);
    const sorted = async (by: SortColumn, isDescending = false) =>
      idsOf((await view({ sorting: { by, isDescending } })).rows);
    const ids = (...tasks: (Task | undefined)[]) => tasks.map((task) => task?.id);
    expect(await sorted('next-attempt')).toEqual(ids(early, late, none));
    expect(await sorted('next-attempt', true)).toEqual(ids(late, early, none));
    expect(await sorted('number')).toEqual(ids(none, early, late));
    expect(await sorted('state')).toEqual(ids(early, late, none));

    const sorting = { by: 'number', isDescending: false } as const;
    const first = await view({ sorting, limit: 2 });
    expect(idsOf(first.rows)).toEqual(ids(none, early));
    expect(first).toMatchObject({ previous: null, total: { count: 3, isAll: true } });
    const second = await view({ sorting, limit: 2, cursor: first.next });
    expect(idsOf(second.rows)).toEqual(ids(late));
    expect(second.next).toBeNull();
    const back = await view({ sorting, limit: 2, cursor: second.previous, isBack: true });
    expect(idsOf(back.rows)).toEqual(ids(none, early));
  });

  test("sort by hundreds of patients' names, reading only old ones one by one", async () => {
    const patients = Array.from({ length: 150 }, (_, index) => ({
      id: uuidv7(Date.parse(sampleTime) + index * minuteMs),
      project_id: access.project.id,
      first_name: 'Maya',
      last_name: `Rivera ${String((index * 77) % 150).padStart(3, '0')}`,
      phone_number: '+12025550142',
      date_of_birth: '1984-07-12',
      created_at: sampleTime,
      updated_at: sampleTime,
    }));
    for (const patient of patients) await storePatient(table, patient);
    const called = patients.slice(0, 120);
    // Stored before the index contained patients.
    const [unlisted] = called.slice(-1).map(({ id }) => patientKey(id));
    await table.stored.send(
      new UpdateCommand({ TableName: table.name, Key: unlisted, UpdateExpression: 'REMOVE listed' }),
    );
    await store(called.map(({ id }) => ({ patient_id: id })));
    const send = vi.spyOn(table.client, 'send');
    const { rows } = await view({ sorting: { by: 'patient', isDescending: false }, limit: 100 });
    const gets = send.mock.calls.flatMap(([command]) =>
      command instanceof BatchGetCommand ? [command] : [],
    );
    send.mockRestore();
    const byName = called.toSorted((one, other) => one.last_name.localeCompare(other.last_name));
    expect(rows.map(({ patient_id }) => patient_id)).toEqual(byName.slice(0, 100).map(({ id }) => id));
    const [oldPatients] = gets.map(({ input }) => input.RequestItems?.[table.name]?.Keys ?? []);
    expect(oldPatients?.map(({ pk }) => pk).sort()).toEqual(
      [...patients.slice(0, 30), ...called.slice(-1)].map(({ id }) => `PATIENT#${id}`),
    );
  });

  test("sort by patients' names in alphabetical order", async () => {
    const [zoe, anna, erased] = [uuidv7(), uuidv7(), uuidv7()];
    const patient = {
      project_id: access.project.id,
      phone_number: '+12025550142',
      date_of_birth: '1984-07-12',
    };
    const times = { created_at: sampleTime, updated_at: sampleTime };
    await storePatient(table, { ...patient, ...times, id: zoe, first_name: 'Zoë', last_name: 'Ávila' });
    await storePatient(table, { ...patient, ...times, id: anna, first_name: 'Anna', last_name: 'baker' });
    await store([{ patient_id: erased }, { patient_id: anna }, { patient_id: zoe }]);
    const { rows } = await view({ sorting: { by: 'patient', isDescending: false } });
    expect(rows.map(({ patient_id }) => patient_id)).toEqual([zoe, anna, erased]);
  });

  test('of a long list sort only the newest, and say so', async () => {
    const stored = await store(Array.from({ length: sortedAtMost + 1 }, () => ({})));
    const page = await view({ sorting: { by: 'number', isDescending: false } });
    expect(page.total).toEqual({ count: sortedAtMost, isAll: false });
    expect(idsOf(page.rows)).toEqual(idsOf(stored.toReversed().slice(0, 10)));
  });

  test('show remaining work, and filter by it', async () => {
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

  test('filter by days, state, type and number', async () => {
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

  test('of a patient show as much as all others', async () => {
    const patientId = uuidv7();
    const [mine] = await store([
      { patient_id: patientId, status: 'FAILED', result: sampleResult({ follow_up: 'Ask again.' }) },
      {},
    ]);
    const { rows, total } = await view({ patientId });
    expect(rows).toMatchObject([{ id: mine?.id, needs_follow_up: true, phone_number: mine?.phone_number }]);
    expect(total).toBeNull();
  });

  test.each([
    ['the newest', {}],
    ['the oldest', { order: 'oldest-first' }],
    ['of a state', { status: 'COMPLETED' }],
    ['with work left', { needs: 'follow-up' }],
    ['sorted', { sorting: { by: 'number', isDescending: false } }],
  ] as const)('are told apart from changed ones by little of each: %s', async (_, request) => {
    const followUp = sampleResult({ follow_up: 'Send the itemized bill.' });
    await store([{}, { status: 'COMPLETED', result: followUp }, {}, { status: 'COMPLETED' }]);
    const versions = await readTaskVersions(table, access, { ...everything, ...request });
    const { rows } = await view(request);
    expect(versions.map((version) => TaskVersion.parse(version))).toEqual(
      rows.map((row) => TaskVersion.parse(row)),
    );
    expect(versions.length).toBeGreaterThan(0);
  });

  test('are audited as viewed, page by page', async () => {
    const stored = idsOf(await store([{}, {}]));
    await view({});
    const { items } = await listAuditEntries(table, access.project.id, { limit: 1, before: null });
    expect(items).toMatchObject([{ action: 'tasks.listed', after: { task_ids: stored.toReversed() } }]);
  });

  test("refuse another list's cursor and another project's number", async () => {
    await store(Array.from({ length: 12 }, () => ({})));
    const { next } = await view({});
    await expect(view({ cursor: next, status: 'FAILED' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(view({ sameNumberAs: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
  });
});
