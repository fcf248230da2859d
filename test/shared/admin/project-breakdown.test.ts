import { describe, expect, test } from 'vitest';
import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { type BreakdownKind, destinationsAtMost, readBreakdown } from '#shared/admin/project-breakdown.ts';
import { readProjectOverview } from '#shared/admin/project-overview.ts';
import { viewTaskRows } from '#shared/admin/task-rows.ts';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { createCallItem } from '#shared/table/call.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { ResultFilter } from '#shared/table/task-rows.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { everyTask } from '../../support/every-task.ts';
import { forThisFile } from '../../support/lifetime.ts';
import {
  sampleCall,
  sampleProject,
  sampleResult,
  sampleTask,
  sampleTime,
} from '../../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

const now = new Date('2026-03-31T12:00:00.000Z');
const dayMs = 24 * 60 * 60 * 1000;

const payer = '+12025550101';
const clinic = '+12025550100';

/** A task created this many days ago, and its calls of this many seconds, a tenth of them on hold. */
async function store(
  project: { readonly id: string },
  daysAgo: number,
  changes: Partial<Task>,
  talkSeconds: readonly number[] = [],
): Promise<Task> {
  const atMs = now.getTime() - daysAgo * dayMs - 60_000;
  const at = new Date(atMs).toISOString();
  const task = sampleTask(project, { id: uuidv7(atMs), created_at: at, updated_at: at, ...changes });
  const calls = talkSeconds.map((seconds, index): Call => {
    const callAt = { created_at: new Date(atMs + index * 1000).toISOString() };
    return sampleCall(task, {
      id: uuidv7(atMs + index * 1000),
      ...callAt,
      status: 'SUCCESS',
      submission: 'submitted',
      carrier_progress: 'completed',
      talk_seconds: seconds,
      hold_seconds: seconds / 10,
    });
  });
  await writeTransaction(embedded.table, [
    createTaskItem(embedded.table, task),
    ...calls.map((call) => createCallItem(embedded.table, call)),
  ]);
  return task;
}

async function storeWeek() {
  const project = { ...sampleProject({ id: uuidv7() }), carrier: 'live' as const };
  const done = { status: 'COMPLETED', phone_number: payer, result: sampleResult() } as const;
  await store(project, 0, { ...done, task_type: 'VERIFY_INSURANCE' }, [600]);
  await store(project, 1, { ...done, task_type: 'REIMBURSEMENT' }, [30, 1200]);
  await store(
    project,
    1,
    { status: 'FAILED', phone_number: clinic, result: sampleResult({ goal_reached: false }) },
    [60],
  );
  await store(project, 2, {
    status: 'FAILED',
    phone_number: clinic,
    result: sampleResult({ ending: 'voicemail' }),
  });
  await store(project, 3, { status: 'PENDING', phone_number: clinic });
  await store(project, 20, { ...done, task_type: 'VERIFY_INSURANCE' }, [900]);
  return project;
}

describe('the breakdown of the overview', () => {
  test("matches the overview's figures in every grouping", async () => {
    const project = await storeWeek();
    const options = { days: 7, timeZone: 'UTC' } as const;
    const { summary } = await readProjectOverview(embedded.table, project, options, now);
    for (const by of ['type', 'destination', 'day'] as const satisfies BreakdownKind[]) {
      const { total, rows } = await readBreakdown(embedded.table, project, { by, ...options }, now);
      expect(total).toMatchObject({
        ...summary.results,
        medianMs: summary.completion.medianMs,
        talkSeconds: summary.calls.talkSeconds,
        holdSeconds: summary.calls.holdSeconds,
        calls: 4,
      });
      for (const figure of [
        'created',
        'finished',
        'reachedPerson',
        'goalReached',
        'calls',
        'talkSeconds',
      ] as const) {
        expect(
          rows.reduce((sum, row) => sum + row[figure], 0),
          `${figure} by ${by}`,
        ).toBe(total[figure]);
      }
      expect(rows.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(total.cost, 4);
      expect(total.cost).toBeGreaterThan(0.2);
    }
  });

  test('groups by type, day and number, and names a task of each number', async () => {
    const project = await storeWeek();
    const of = async (by: BreakdownKind) =>
      (await readBreakdown(embedded.table, project, { by, days: 7, timeZone: 'UTC' }, now)).rows;
    expect(await of('type')).toMatchObject([
      { key: 'VERIFY_INSURANCE', created: 1, calls: 1, talkSeconds: 600, holdSeconds: 60 },
      { key: 'REIMBURSEMENT', created: 1, calls: 2, talkSeconds: 1230 },
      { key: 'CUSTOM_TASK', created: 3, finished: 2, reachedPerson: 1, goalReached: 0 },
    ]);
    expect((await of('day')).map(({ key, created }) => [key, created])).toEqual([
      ['2026-03-31', 1],
      ['2026-03-30', 2],
      ['2026-03-29', 1],
      ['2026-03-28', 1],
    ]);
    const [first, second] = await of('destination');
    expect(first).toMatchObject({ key: payer, created: 2, goalReached: 2, calls: 3 });
    expect(first?.taskId).not.toBeNull();
    expect(second).toMatchObject({ key: clinic, created: 3, calls: 1 });
  });

  test('combines destinations beyond the most called', async () => {
    const project = { ...sampleProject({ id: uuidv7() }), carrier: 'sandbox' as const };
    for (let number = 0; number < destinationsAtMost + 3; number += 1) {
      await store(project, 1, { phone_number: `+1202555${String(100 + number).padStart(4, '0')}` }, [60]);
    }
    const options = { by: 'destination', days: 7, timeZone: 'UTC' } as const;
    const { rows } = await readBreakdown(embedded.table, project, options, now);
    expect(rows).toHaveLength(destinationsAtMost + 1);
    expect(rows.at(-1)).toMatchObject({ key: null, created: 3, calls: 3, talkSeconds: 180, taskId: null });
  });

  test('links to lists with as many tasks', async () => {
    const project = await storeWeek();
    const email = 'viewer@clinic.example.com';
    const member = { project_id: project.id, email, created_at: sampleTime, updated_at: sampleTime };
    await writeTransaction(embedded.table, [
      putProject(embedded.table, project),
      addMemberItem(embedded.table, { ...member, role: 'viewer' }),
    ]);
    const caller = { person: { subject: 'viewer', email, name: null }, requestId: 'request-1' };
    const access = await authorizeProject(embedded.table, caller, project.id, 'tasks.read');
    const options = { days: 7, timeZone: 'UTC' } as const;
    const { from, summary } = await readProjectOverview(embedded.table, project, options, now);
    const counts = await Promise.all(
      ResultFilter.options.map(async (result) => {
        const page = {
          order: 'newest-first',
          sorting: null,
          limit: 25,
          cursor: null,
          isBack: false,
        } as const;
        const where = { patientId: null, sameNumberAs: null, from, to: null };
        const list = await viewTaskRows(embedded.table, access, { ...everyTask, ...where, ...page, result });
        return list.rows.length;
      }),
    );
    const { finished, reachedPerson, goalReached } = summary.results;
    expect(counts).toEqual([finished, reachedPerson, goalReached]);
    expect(counts).toEqual([4, 3, 2]);
  });
});
