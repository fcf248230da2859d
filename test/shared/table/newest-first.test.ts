import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { listedTaskAttributes } from '#shared/table/indexes.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { listTaskSummaries, type TaskFilter, TaskSummary } from '#shared/table/task-list.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleProject, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());

const all: TaskFilter = { status: null, taskType: null, patientId: null };

async function store(tasks: readonly Task[]): Promise<void> {
  for (let start = 0; start < tasks.length; start += 25) {
    const items = tasks.slice(start, start + 25).map((task) => createTaskItem(embedded.table, task));
    await writeTransaction(embedded.table, items);
  }
}

/** Stores tasks created one millisecond apart, and returns them newest first. */
async function storeTasks(
  project: { id: string },
  count: number,
  change: (index: number) => Partial<Task> = () => ({}),
): Promise<Task[]> {
  const tasks = Array.from({ length: count }, (_, index) =>
    sampleTask(project, { id: uuidv7(Date.parse(sampleTime) + index), ...change(index) }),
  );
  await store(tasks);
  return tasks.reverse();
}

interface Walk {
  readonly ids: string[];
  readonly pageSizes: number[];
}

async function walk(
  projectId: string,
  filter: TaskFilter,
  limit: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<Walk> {
  const pages: TaskSummary[][] = [];
  let before: string | null = null;
  do {
    const { items, next }: { items: TaskSummary[]; next: string | null } = await listTaskSummaries(
      embedded.table,
      projectId,
      filter,
      { limit, before },
    );
    pages.push(items);
    before = next;
    await between();
  } while (before !== null);
  return { ids: pages.flat().map(({ id }) => id), pageSizes: pages.map((page) => page.length) };
}

const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

describe('a long list in several partitions', () => {
  test.each([1, 7, 50, 100])('is read completely and in order in pages of %d', async (limit) => {
    const project = sampleProject();
    const count = limit === 1 ? 20 : 230;
    const tasks = await storeTasks(project, count);
    const { ids, pageSizes } = await walk(project.id, all, limit);
    expect(ids).toEqual(idsOf(tasks));
    expect(pageSizes.slice(0, -1).every((size) => size === limit)).toBe(true);
    expect(pageSizes).toHaveLength(Math.ceil(count / limit));
  });

  test('ends with its last full page, without an empty one', async () => {
    const project = sampleProject();
    await storeTasks(project, 100);
    expect((await walk(project.id, all, 50)).pageSizes).toEqual([50, 50]);
    expect((await walk(sampleProject().id, all, 50)).pageSizes).toEqual([0]);
  });

  test('shows nothing twice and omits nothing during additions', async () => {
    const project = sampleProject();
    const tasks = await storeTasks(project, 210);
    const { ids } = await walk(project.id, all, 20, async () => {
      await store(Array.from({ length: 15 }, () => sampleTask(project)));
    });
    expect(ids).toEqual(idsOf(tasks));
  });

  test('in a single partition is also read in order', async () => {
    const project = sampleProject();
    // The last digits of the identifier choose the partition.
    const tasks = await storeTasks(project, 120, (index) => ({
      id: `${uuidv7(Date.parse(sampleTime) + index).slice(0, -4)}0008`,
    }));
    expect((await walk(project.id, all, 50)).ids).toEqual(idsOf(tasks));
  });

  test('is read completely in large pages from uneven partitions', async () => {
    const project = sampleProject();
    const tasks = await storeTasks(project, 900, (index) => ({
      id: `${uuidv7(Date.parse(sampleTime) + index).slice(0, -4)}000${index % 9 === 0 ? 0 : index % 8}`,
    }));
    const { ids, pageSizes } = await walk(project.id, all, 600);
    expect(ids).toEqual(idsOf(tasks));
    expect(pageSizes).toEqual([600, 300]);
  });

  test('takes one query per partition for a usual page, and rarely a few more', async () => {
    const project = sampleProject();
    await storeTasks(project, 230);
    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    await listTaskSummaries(proxy.table, project.id, all, { limit: 50, before: null });
    expect(proxy.operations.length).toBeGreaterThanOrEqual(8);
    expect(proxy.operations.length).toBeLessThanOrEqual(16);
    await proxy.stop();
  });
});

describe('a filtered list', () => {
  test('filters by status, patient, or both', async () => {
    const project = sampleProject();
    const [ada, grace] = [uuidv7(), uuidv7()];
    const tasks = await storeTasks(project, 240, (index) => ({
      patient_id: index % 3 === 0 ? ada : grace,
      status: index % 40 === 0 ? 'FAILED' : 'COMPLETED',
    }));
    const expected = (keep: (task: Task) => boolean): string[] => idsOf(tasks.filter(keep));
    const ids = async (filter: TaskFilter): Promise<string[]> => (await walk(project.id, filter, 20)).ids;
    expect(await ids({ status: 'FAILED', taskType: null, patientId: null })).toEqual(
      expected(({ status }) => status === 'FAILED'),
    );
    expect(await ids({ status: null, taskType: null, patientId: ada })).toEqual(
      expected(({ patient_id }) => patient_id === ada),
    );
    expect(await ids({ status: 'FAILED', taskType: null, patientId: ada })).toEqual(
      expected(({ status, patient_id }) => status === 'FAILED' && patient_id === ada),
    );
    expect(await ids({ status: 'CANCELLED', taskType: null, patientId: null })).toEqual([]);
    expect(await ids({ status: null, taskType: null, patientId: uuidv7() })).toEqual([]);
  });

  test('with few matches ends pages after a bounded number of queries and still finds all', async () => {
    const project = sampleProject();
    // A single partition, so that it is long.
    const tasks = await storeTasks(project, 1200, (index) => ({
      id: `${uuidv7(Date.parse(sampleTime) + index).slice(0, -4)}0000`,
      status: index === 3 || index === 1100 ? 'FAILED' : 'COMPLETED',
    }));
    const filter = { status: 'FAILED', taskType: null, patientId: null } as const;
    const wanted = idsOf(tasks.filter(({ status }) => status === 'FAILED'));
    const { ids, pageSizes } = await walk(project.id, filter, 50);
    expect(ids).toEqual(wanted);
    expect(pageSizes).toEqual([1, 0, 1]);

    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    await listTaskSummaries(proxy.table, project.id, filter, { limit: 50, before: null });
    expect(proxy.operations.length).toBeLessThanOrEqual(5 * 8);
    await proxy.stop();
  });

  test("never contains another project's tasks, whatever the patient", async () => {
    const [mine, other] = [sampleProject(), sampleProject()];
    const patientId = uuidv7();
    const [task] = await storeTasks(mine, 1, () => ({ patient_id: patientId }));
    expect((await walk(other.id, { status: null, taskType: null, patientId }, 50)).ids).toEqual([]);
    expect((await walk(mine.id, { status: null, taskType: null, patientId }, 50)).ids).toEqual([task?.id]);
  });
});

test('large items end a page early, and later pages contain the rest', async () => {
  const project = sampleProject();
  const tasks = await storeTasks(project, 60, () => ({ task: 'x'.repeat(100_000) }));
  const { ids } = await walk(project.id, all, 50);
  expect(ids).toEqual(idsOf(tasks));
});

test('the indexes contain everything that a list shows of a task', () => {
  const ofClients = ['external_id', 'metadata', 'call_after', 'call_before'];
  expect(Object.keys(TaskSummary.shape).sort()).toEqual([...listedTaskAttributes, ...ofClients].sort());
});
