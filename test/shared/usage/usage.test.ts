import { describe, expect, test } from 'vitest';
import { checkPeriod, readUsage } from '#shared/admin/usage.ts';
import { computeCost } from '#shared/cost/arithmetic.ts';
import { callCounts } from '#shared/cost/call-counts.ts';
import { priceList } from '#shared/cost/prices.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { deleteUsageRecords } from '#shared/table/usage-record.ts';
import { estimateCost } from '#shared/usage/estimate-cost.ts';
import { recordUsage } from '#shared/usage/record-usage.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleTask } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';

const embedded = await forThisFile(startEmbeddedTable());

const now = new Date('2026-03-04T12:00:00.000Z');
const march = { from: '2026-03-01', to: '2026-03-03' };

const taskItem = (task: Task) => ({ type: 'task', ...task });
const callItem = (call: Call) => ({ type: 'call', ...call });

/** The stream's changes of a task and its calls, each three times, as after failures of the worker. */
async function happened(task: Task, calls: readonly Partial<Call>[], end: Partial<Task>): Promise<void> {
  const changes: [Record<string, unknown> | null, Record<string, unknown>][] = [
    [null, taskItem(task)],
    [taskItem(task), taskItem({ ...task, status: 'IN_PROGRESS' })],
  ];
  for (const call of calls) {
    const begun = sampleCall(task, call.created_at === undefined ? {} : { created_at: call.created_at });
    const ended = { ...begun, ...call, completed_at: end.updated_at ?? task.updated_at };
    changes.push([callItem(begun), callItem(ended)], [callItem(ended), callItem({ ...ended, version: 9 })]);
  }
  changes.push([taskItem({ ...task, status: 'IN_PROGRESS' }), taskItem({ ...task, ...end })]);
  for (const [before, after] of changes) {
    for (let time = 0; time < 3; time += 1) await recordUsage(embedded.table, before, after, now);
  }
}

const answered = { carrier_call_sid: 'CA1', status: 'SUCCESS', session_status: 'ended' } as const;

async function usageOf(project: Project, period = march) {
  return readUsage(embedded.table, { project }, period);
}

describe('the usage of a project', () => {
  test('counts each event once and on its day, however often the stream repeats it', async () => {
    const project = sampleProject();
    const [first, second] = ['2026-03-01T23:59:59.000Z', '2026-03-02T00:00:00.000Z'];
    await happened(
      sampleTask(project, { created_at: first, updated_at: first }),
      [
        { created_at: first, carrier_call_sid: 'CA0', status: 'BUSY', carrier_progress: 'busy' },
        { ...answered, created_at: second, talk_seconds: 61 },
        { created_at: second, submission: 'abandoned', status: 'FAILED' },
      ],
      { status: 'COMPLETED', updated_at: '2026-03-03T10:00:00.000Z' },
    );
    await happened(sampleTask(project, { created_at: second, updated_at: second }), [], {
      status: 'CANCELLED',
      updated_at: second,
    });
    const { days, total, ...rest } = await usageOf(project);
    expect(rest).toEqual({ ...march, prices_date: priceList.date });
    expect(days).toMatchObject([
      { day: '2026-03-01', tasks_created: 1, calls_placed: 1, calls_answered: 0, minutes: 0 },
      {
        day: '2026-03-02',
        tasks_created: 1,
        tasks_cancelled: 1,
        tasks_completed: 0,
        calls_placed: 1,
        calls_answered: 1,
        minutes: 1.02,
        billed_minutes: 2,
      },
      { day: '2026-03-03', tasks_created: 0, tasks_completed: 1, calls_placed: 0 },
    ]);
    expect(total).toMatchObject({
      tasks_created: 2,
      tasks_completed: 1,
      tasks_failed: 0,
      tasks_cancelled: 1,
      calls_placed: 2,
      calls_answered: 1,
      billed_minutes: 2,
    });
    expect((await usageOf(project, { from: '2026-03-01', to: '2026-03-01' })).total).toMatchObject({
      tasks_created: 1,
      tasks_cancelled: 0,
    });
    expect((await usageOf(sampleProject())).total).toMatchObject({ tasks_created: 0, calls_placed: 0 });
  });

  test('contains only IDs and figures, and is deleted with the project', async () => {
    const project = sampleProject();
    const task = sampleTask(project, {
      task: 'Ask about the migraine.',
      created_at: '2026-03-02T08:00:00.000Z',
    });
    await happened(task, [{ ...answered, talk_seconds: 30, call_outcome: 'About the migraine.' }], {
      status: 'FAILED',
      task_outcome: 'The migraine.',
    });
    const stored = async () =>
      (await scanTable(embedded.table)).filter(({ pk }) => String(pk).includes(project.id));
    expect(await stored()).toHaveLength(3);
    expect(JSON.stringify(await stored())).not.toMatch(/migraine|\+1202/);
    await deleteUsageRecords(embedded.table, project.id);
    expect(await stored()).toEqual([]);
  });
});

describe('the estimated cost', () => {
  const region = priceList.regions['us-east-1'];
  if (region === undefined) throw new Error('no prices');

  test('of identical calls is that of npm run cost times their number, without a carrier in the sandbox', () => {
    const { call, carrier } = computeCost(callCounts, priceList, region, {
      calls: 1,
      turns: 0,
      minutes: 0,
      projects: 1,
    });
    const unanswered = { calls_placed: 4, calls_answered: 0, minutes: 0, billed_minutes: 0 };
    const sumOf = (lines: readonly { amount: number }[]) =>
      lines.reduce((sum, { amount }) => sum + amount, 0);
    expect(estimateCost('live', unanswered).aws).toBeCloseTo(4 * sumOf(call), 5);
    expect(estimateCost('live', unanswered).carrier).toBe(0);
    expect(sumOf(carrier)).toBeGreaterThan(0);

    const talk = { calls_placed: 3, calls_answered: 3, minutes: 6, billed_minutes: 6 };
    const two = computeCost(callCounts, priceList, region, { calls: 1, turns: 0, minutes: 2, projects: 1 });
    expect(estimateCost('live', talk).carrier).toBeCloseTo(3 * sumOf(two.carrier), 5);
    expect(estimateCost('sandbox', talk).carrier).toBe(0);
    expect(estimateCost('live', talk).aws).toBeGreaterThan(estimateCost('live', unanswered).aws * 0.75);
  });

  test('of nothing is zero', () => {
    const none = { calls_placed: 0, calls_answered: 0, minutes: 0, billed_minutes: 0 };
    expect(estimateCost('live', none)).toEqual({ aws: 0, carrier: 0 });
  });
});

describe('the period', () => {
  test('defaults to the last 31 days, its maximum', () => {
    expect(checkPeriod({}, now)).toEqual({ from: '2026-02-02', to: '2026-03-04' });
    expect(checkPeriod({ to: '2026-01-31' }, now)).toEqual({ from: '2026-01-01', to: '2026-01-31' });
    expect(checkPeriod({ from: '2026-03-04' }, now)).toEqual({ from: '2026-03-04', to: '2026-03-04' });
    expect(() => checkPeriod({ from: '2026-03-05' }, now)).toThrow('from must not be after to');
    expect(() => checkPeriod({ from: '2026-01-01', to: '2026-02-01' }, now)).toThrow(
      'from and to must not be more than 30 days apart',
    );
  });
});
