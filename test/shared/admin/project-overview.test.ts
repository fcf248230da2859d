import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { callsAtMost, readProjectOverview, tasksAtMost } from '#shared/admin/project-overview.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { callItem, createCallItem, replaceCallItems } from '#shared/table/call.ts';
import { getCallCapacity, releaseSlotItem, replaceCallCapacityItem } from '#shared/table/call-capacity.ts';
import { projectIndexAttributes } from '#shared/table/indexes.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleResult, sampleTask } from '../../support/sample-tasks.ts';
import { startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());

const now = new Date('2026-03-31T12:00:00.000Z');
const hourMs = 60 * 60 * 1000;
const agoHours = (hours: number): number => now.getTime() - hours * hourMs;
const week = { days: 7, timeZone: 'UTC' } as const;
const month = { days: 30, timeZone: 'UTC' } as const;

/** Identifier and times of something created at that moment. */
function createdAt(atMs: number): Pick<Task, 'id' | 'created_at' | 'updated_at'> {
  const at = new Date(atMs).toISOString();
  return { id: uuidv7(atMs), created_at: at, updated_at: at };
}

const taskAt = (project: { id: string }, atMs: number, changes: Partial<Task> = {}): Task =>
  sampleTask(project, { ...createdAt(atMs), ...changes });

async function write(items: readonly TransactionItem[]): Promise<void> {
  for (let start = 0; start < items.length; start += 100) {
    await writeTransaction(embedded.table, items.slice(start, start + 100));
  }
}
const storeTasks = (tasks: readonly Task[]): Promise<void> =>
  write(tasks.map((task) => createTaskItem(embedded.table, task)));

const overviewOf = (project: Project, period: typeof week | typeof month) =>
  readProjectOverview(embedded.table, project, period, now);

describe('the overview of a project', () => {
  test('says only that there has never been a task', async () => {
    const { hasTasks, summary, tasks, calls } = await overviewOf(sampleProject(), week);
    expect(hasTasks).toBe(false);
    expect(summary.tasks.created).toBe(0);
    expect([tasks, calls]).toEqual([{ onlySince: null }, { onlySince: null }]);
  });

  test('reads of results only whether the goal was reached and what remains, and no transcripts', async () => {
    const project = sampleProject();
    const answer = {
      key: 'copay',
      question: 'The copay?',
      answer: '40',
      value: null,
      quote: 'Forty.',
      turn: 3,
    };
    await storeTasks([
      taskAt(project, agoHours(1), { status: 'COMPLETED', result: sampleResult({ goal_reached: true }) }),
      taskAt(project, agoHours(2), {
        status: 'COMPLETED',
        result: sampleResult({
          goal_reached: false,
          follow_up: 'Call on Monday.',
          answers: [{ ...answer, needs_review: true }],
        }),
      }),
      taskAt(project, agoHours(3), { status: 'FAILED' }),
      ...(['voicemail', 'no-speech'] as const).map((ending) =>
        taskAt(project, agoHours(4), {
          status: 'FAILED',
          result: sampleResult({ goal_reached: false, ending }),
        }),
      ),
    ]);
    const { summary } = await overviewOf(project, week);
    expect(summary.results).toEqual({ created: 5, finished: 5, reachedPerson: 2, goalReached: 1 });
    expect(summary.tasks).toMatchObject({ needsReview: 1, needsFollowUp: 1 });
  });

  test("counts the project's tasks and calls of the chosen days", async () => {
    const [mine, other] = [sampleProject(), sampleProject()];
    const recent = taskAt(mine, agoHours(2), { status: 'COMPLETED' });
    const older = taskAt(mine, agoHours(24 * 20), { status: 'FAILED' });
    const old = taskAt(mine, agoHours(24 * 40), { status: 'FAILED' });
    const calls = [recent, older, old].flatMap((task) => [
      sampleCall(task, { ...createdAt(Date.parse(task.created_at) + 1), status: 'BUSY' }),
      sampleCall(task, { ...createdAt(Date.parse(task.created_at) + 2), status: 'SUCCESS' }),
    ]);
    await storeTasks([recent, older, old, taskAt(other, agoHours(1))]);
    await write(calls.map((call) => createCallItem(embedded.table, call)));

    const inWeek = await overviewOf(mine, week);
    expect(inWeek.summary.tasks).toMatchObject({ created: 1, completed: 1, failed: 0 });
    expect(inWeek.summary.answers).toMatchObject({ counted: 2, answered: 1 });
    const inMonth = await overviewOf(mine, month);
    expect(inMonth.summary.tasks).toMatchObject({ created: 2, completed: 1, failed: 1 });
    expect(inMonth.summary.answers).toMatchObject({ counted: 4, answered: 2 });
    expect(inMonth.tasks.onlySince).toBeNull();
  });

  test('counts a call by its slot until it ends, then by the list, where earlier versions also listed it', async () => {
    const project = sampleProject();
    const task = taskAt(project, agoHours(24 * 20));
    const call = sampleCall(task, createdAt(agoHours(1)));
    const { table } = embedded;
    const before = await getCallCapacity(table, project.carrier);
    await write([
      createCallItem(table, call),
      replaceCallCapacityItem(table, project.carrier, before, {
        ...before,
        slots: { [project.id]: 1 },
      }),
    ]);
    expect((await overviewOf(project, week)).summary.calls.underWay).toBe(1);
    const ended = { ...call, ended_at: now.toISOString(), version: call.version + 1, talk_seconds: 30 };
    await write([
      ...replaceCallItems(table, call, ended),
      releaseSlotItem(table, project.carrier, project.id),
    ]);
    expect((await overviewOf(project, week)).summary.calls).toMatchObject({ underWay: 1, talkSeconds: 30 });
    const listed = { ...callItem(call), ...projectIndexAttributes(project.id, 'CALL', call.id) };
    await table.client.send(new PutCommand({ TableName: table.name, Item: listed }));
    expect((await overviewOf(project, week)).summary.calls).toMatchObject({ underWay: 1, talkSeconds: 0 });
    await write(replaceCallItems(table, call, { ...ended, status: 'SUCCESS' }));
    expect((await overviewOf(project, week)).summary).toMatchObject({
      calls: { underWay: 0, talkSeconds: 30 },
      answers: { answered: 1 },
    });
  });

  test('knows of tasks older than the chosen days', async () => {
    const project = sampleProject();
    await storeTasks([taskAt(project, agoHours(24 * 100))]);
    const { hasTasks, summary } = await overviewOf(project, month);
    expect(hasTasks).toBe(true);
    expect(summary.tasks.created).toBe(0);
  });

  test('takes one query per partition after a quiet period, whatever happened before', async () => {
    const project = sampleProject();
    await storeTasks(
      Array.from({ length: 400 }, (_, index) => taskAt(project, agoHours(24 * 60) - index * 1000)),
    );
    await storeTasks([taskAt(project, agoHours(1))]);
    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    const { summary } = await readProjectOverview(proxy.table, project, week, now);
    expect(summary.tasks.created).toBe(1);
    // Eight partitions of tasks and eight of calls; perhaps some tasks once more.
    expect(proxy.operations.length).toBeLessThanOrEqual(24);
    await proxy.stop();
  });

  test('reads at most so many of the newest tasks and calls, and says since when the counts are complete', async () => {
    const project = sampleProject();
    const tasks = Array.from({ length: tasksAtMost + 150 }, (_, index) =>
      taskAt(project, agoHours(1) - index * 1000, { status: 'CANCELLED' }),
    );
    const calls = Array.from({ length: callsAtMost + 150 }, (_, index) =>
      sampleCall(sampleTask(project), { ...createdAt(agoHours(1) - index * 500), status: 'NO_ANSWER' }),
    );
    await storeTasks(tasks);
    await write(calls.map((call) => createCallItem(embedded.table, call)));
    const overview = await overviewOf(project, week);
    expect(overview.summary.tasks).toMatchObject({ created: tasksAtMost, cancelled: tasksAtMost });
    expect(overview.summary.answers.counted).toBe(callsAtMost);
    expect(overview.tasks.onlySince).toBe(tasks[tasksAtMost - 1]?.created_at);
    expect(overview.calls.onlySince).toBe(calls[callsAtMost - 1]?.created_at);
  });

  test('counts everything if the limit falls exactly on the chosen days', async () => {
    const project = sampleProject();
    await storeTasks(
      Array.from({ length: tasksAtMost }, (_, index) => taskAt(project, agoHours(1) - index * 1000)),
    );
    await storeTasks([taskAt(project, agoHours(24 * 20))]);
    const inWeek = await overviewOf(project, week);
    expect(inWeek.summary.tasks.created).toBe(tasksAtMost);
    expect(inWeek.tasks.onlySince).toBeNull();
    const inMonth = await overviewOf(project, month);
    expect(inMonth.tasks.onlySince).not.toBeNull();
  });

  test('reads nothing of patients, numbers or transcripts', async () => {
    const project = sampleProject();
    await storeTasks([
      taskAt(project, agoHours(1), { task: 'Ask about the rash.', task_outcome: 'A rash.' }),
    ]);
    const stacks = [embedded.table.client, embedded.table.stored].map((client) => client.middlewareStack);
    const read: unknown[] = [];
    for (const stack of stacks) {
      stack.add(
        (next) => async (args) => {
          const answer = await next(args);
          read.push(answer.output);
          return answer;
        },
        { step: 'initialize', name: 'reader' },
      );
    }
    await overviewOf(project, week);
    for (const stack of stacks) stack.remove('reader');
    expect(JSON.stringify(read)).toContain('created_at');
    expect(JSON.stringify(read)).not.toMatch(/rash|phone_number|patient_id|task_data|"task"|"result"/);
  });
});
