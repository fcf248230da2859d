import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import { changeFollowUp, type FollowUpInput } from '#shared/admin/follow-up.ts';
import { exportTaskRows } from '#shared/admin/task-rows.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { listTaskRows, type RowFilter } from '#shared/table/task-rows.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { everyTask } from '../../support/every-task.ts';
import { sampleProject, sampleResult, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

let embedded: EmbeddedTable;
let table: Table;
let access: ProjectAccess;
let email: string;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
  ({ table } = embedded);
});
afterAll(() => embedded.stop());
beforeEach(async () => {
  const project = sampleProject({ id: uuidv7() });
  email = `owner.${project.id}@clinic.example.com`;
  const member = { project_id: project.id, email, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [
    putProject(table, project),
    addMemberItem(table, { ...member, role: 'owner' }),
  ]);
  const caller = { person: { subject: 'owner', email, name: null }, requestId: 'request-1' };
  access = await authorizeProject(table, caller, project.id, 'tasks.write');
});

async function store(changes: Partial<Task>): Promise<Task> {
  const task = sampleTask(access.project, changes);
  await writeTransaction(table, [createTaskItem(table, task)]);
  return task;
}

const input: FollowUpInput = { assignee: null, due: null, note: '', isDone: false };

async function found(changes: Partial<RowFilter>): Promise<string[]> {
  const page = { limit: 10, before: null };
  const { items } = await listTaskRows(table, access.project.id, { ...everyTask, ...changes }, page);
  return items.map(({ id }) => id);
}

describe('a follow-up', () => {
  test('has an assignee, a due date and notes, and leaves the queue when done', async () => {
    const { id } = await store({ status: 'FAILED', result: sampleResult({ follow_up: 'Send the bill.' }) });
    expect(await found({ needs: 'follow-up' })).toEqual([id]);
    expect(await found({ assignee: email })).toEqual([]);

    const mine = { ...input, assignee: email, due: '2026-12-01' };
    const begun = await changeFollowUp(table, access, id, 0, { ...mine, note: ' Faxed it. ' });
    expect(begun).toMatchObject({ version: 1, notes: [{ by: email, text: 'Faxed it.' }], done_at: null });
    expect(await found({ assignee: email })).toEqual([id]);

    await changeFollowUp(table, access, id, 1, { ...mine, note: 'They have it.', isDone: true });
    expect(await found({ needs: 'follow-up' })).toEqual([]);
    expect(await found({ assignee: email })).toEqual([]);
    expect((await getTask(table, id))?.follow_up_work).toMatchObject({
      done_by: email,
      notes: [{ text: 'Faxed it.' }, { text: 'They have it.' }],
    });
    // A person who reopens it finds it in the queue.
    await changeFollowUp(table, access, id, 2, mine);
    expect(await found({ needs: 'follow-up' })).toEqual([id]);
  });

  test('can be opened although the call left nothing to do, without changing the task', async () => {
    const task = await store({ status: 'COMPLETED', result: sampleResult() });
    await changeFollowUp(table, access, task.id, 0, { ...input, assignee: email });
    expect(await found({ needs: 'follow-up' })).toEqual([task.id]);
    const { follow_up_work: _, ...rest } = (await getTask(table, task.id)) ?? task;
    expect(rest).toEqual(task);
  });

  test('is neither overwritten by an outdated change nor opened before the task ends', async () => {
    const { id } = await store({ status: 'FAILED' });
    const both = await Promise.allSettled([
      changeFollowUp(table, access, id, 0, { ...input, note: 'One.' }),
      changeFollowUp(table, access, id, 0, { ...input, note: 'Two.' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(changeFollowUp(table, access, id, 0, input)).rejects.toMatchObject({ code: 'conflict' });
    const open = await store({ status: 'IN_PROGRESS' });
    await expect(changeFollowUp(table, access, open.id, 0, input)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('is for members only, and audited without its notes', async () => {
    const { id } = await store({ status: 'FAILED' });
    const stranger = { ...input, assignee: 'stranger@example.com' };
    await expect(changeFollowUp(table, access, id, 0, stranger)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await changeFollowUp(table, access, id, 0, { ...input, note: 'Spoke with the patient.' });
    const { items } = await listAuditEntries(table, access.project.id, { limit: 5, before: null });
    expect(items).toMatchObject([{ action: 'follow-up.changed', target: { type: 'task', id } }]);
    expect(JSON.stringify(items)).not.toContain('Spoke with');
  });
});

test('exported tasks match the list and are audited', async () => {
  const failed = await store({ status: 'FAILED' });
  await store({ status: 'COMPLETED' });
  const request = {
    ...everyTask,
    status: 'FAILED' as const,
    patientId: null,
    sameNumberAs: null,
    from: null,
    to: null,
    order: 'newest-first' as const,
    sorting: null,
    limit: 25,
    cursor: null,
    isBack: false,
  };
  const { rows, isAll } = await exportTaskRows(table, access, request);
  expect([rows.map(({ id }) => id), isAll]).toEqual([[failed.id], true]);
  const { items } = await listAuditEntries(table, access.project.id, { limit: 1, before: null });
  expect(items).toMatchObject([
    { action: 'tasks.exported', after: { task_ids: [failed.id] }, patient_ids: [failed.patient_id] },
  ]);
});
