import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import type { Asker, BatchItemStatus } from '#shared/domain/task-batch.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { findDue } from '#shared/table/due.ts';
import { getIdempotencyRecord } from '#shared/table/idempotency.ts';
import { deletePatientItems, getPatient } from '#shared/table/patient.ts';
import { getTask } from '#shared/table/task.ts';
import {
  batchOfKey,
  deleteProjectBatches,
  getTaskBatch,
  isPatientInBatch,
  listBatchOutcomes,
} from '#shared/table/task-batch.ts';
import { nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { acceptBatch } from '#shared/tasks/batch/accept-batch.ts';
import { cancelBatch } from '#shared/tasks/batch/cancel-batch.ts';
import type { AskedItem } from '#shared/tasks/batch/judge-items.ts';
import { type BatchServices, workOnBatch } from '#shared/tasks/batch/work-on-batch.ts';
import { startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { newTaskIn } from '../../support/new-task.ts';
import { scanTable } from '../../support/scan-table.ts';
import { endingAt } from '../../support/table-proxy.ts';

/** Occurs only in the tasks. */
const canary = 'Quackenbush';

const [embedded, queues] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startEmbeddedQueues()),
]);

interface Given {
  readonly newTask: NewTask;
  readonly asker: Asker;
  readonly services: BatchServices;
  readonly queueName: string;
}

async function given(): Promise<Given> {
  const newTask = { ...(await newTaskIn(embedded.table)), task: `Call for ${canary}.` };
  const queueName = `calls-${uuidv7()}`;
  return {
    newTask,
    queueName,
    asker: {
      projectId: newTask.project_id,
      apiKeyId: uuidv7(),
      origin: { requestId: 'request-1', sourceIp: '198.51.100.7', reason: 'Ticket 4711' },
    },
    services: {
      table: embedded.table,
      queue: { url: queues.createQueue(queueName), client: queues.sqs },
      now: () => new Date(),
    },
  };
}

const keyed = (hash: string) => ({ key_hash: hash, request_hash: `request of ${hash}` });

/** @param keys of the first items; the others have none */
function asked({ newTask }: Given, count: number, keys: readonly string[] = []): AskedItem[] {
  return Array.from({ length: count }, (_, index) => {
    const hash = keys[index];
    return { newTask, key: hash === undefined ? null : keyed(hash) };
  });
}

function accept(one: Given, items: readonly AskedItem[], table = embedded.table): Promise<{ id: string }> {
  const { asker } = one;
  return acceptBatch(table, { asker, asked: items, hasSandboxPhone: true, isRepeatable: false });
}

async function statuses(batchId: string): Promise<BatchItemStatus[]> {
  return (await listBatchOutcomes(embedded.table, batchId)).map(({ status }) => status);
}

async function idsOf(batchId: string): Promise<string[]> {
  return (await listBatchOutcomes(embedded.table, batchId)).flatMap(({ task_id }) => task_id ?? []);
}

/** As often as messages and the sweeper cause work on it. */
async function workOff({ asker, services }: Given, batchId: string): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    await workOnBatch(services, asker.projectId, batchId);
    const batch = await getTaskBatch(embedded.table, asker.projectId, batchId);
    if (batch === null || batch.due_at === null) return;
  }
  throw new Error('the batch is never done');
}

async function entriesOf(
  { asker }: Given,
  action: AuditEntry['action'],
  isWanted: (entry: AuditEntry) => boolean = () => true,
): Promise<AuditEntry[]> {
  const { items } = await listAuditEntries(embedded.table, asker.projectId, { limit: 1000, before: null });
  return items.filter((entry) => entry.action === action && isWanted(entry));
}

async function auditedTasks(one: Given, action: AuditEntry['action']): Promise<string[]> {
  return (await entriesOf(one, action)).map(({ target }) => target.id);
}

/** Everything in the table, as text. */
async function everything(): Promise<string[]> {
  return (await scanTable(embedded.table)).map((item) => JSON.stringify(item));
}

test('a task of a batch changes when it appears, so that nobody who asks for changes misses it', async () => {
  const one = await given();
  const { id } = await accept(one, asked(one, 1));
  const appeared = new Date(Date.now() + 60_000);
  await workOff({ ...one, services: { ...one.services, now: () => appeared } }, id);
  const { created_at } = (await getTaskBatch(embedded.table, one.asker.projectId, id)) ?? {};
  const task = await getTask(embedded.table, (await idsOf(id))[0] ?? '');
  expect(task).toMatchObject({ created_at, updated_at: appeared.toISOString() });
});

const ends = [
  ['and it arrives', true],
  ['and it does not arrive', false],
] as const;

// First, while the table, which it reads completely after each request, is small.
describe('a batch interrupted before it is accepted', () => {
  test.each(ends)('at any request, %s, exists completely or not at all', async (_, arrives) => {
    for (let request = 1, isOver = false; !isOver; request += 1) {
      const one = await given();
      const hash = uuidv7();
      isOver = await endingAt(embedded, request, { arrives }, (table) =>
        accept(one, asked(one, 3, [hash]), table),
      );
      const later = () => new Date(Date.now() + 3 * 60_000);
      const found = (await everything()).flatMap((item) => {
        const { type, id, project_id } = JSON.parse(item);
        return type === 'task-batch' && project_id === one.asker.projectId ? [String(id)] : [];
      });
      for (const id of found) await workOff({ ...one, services: { ...one.services, now: later } }, id);
      const left = (await everything()).filter((item) => item.includes(one.asker.projectId));
      const tasks = left.filter((item) => JSON.parse(item).type === 'task');
      expect([0, 3], `request ${request}`).toContain(tasks.length);
      if (tasks.length > 0) continue;
      expect(
        left.filter((item) => /batch/i.test(item)),
        `request ${request}`,
      ).toEqual([]);
      const key = { projectId: one.asker.projectId, keyHash: hash };
      expect(await getIdempotencyRecord(embedded.table, key, new Date())).toBeNull();
    }
  });
});

describe('an accepted batch', () => {
  test('becomes one task per item, with the returned IDs, attributed to its client', async () => {
    const one = await given();
    const { id } = await accept(one, asked(one, 60));
    const ids = await idsOf(id);
    expect(await getTask(embedded.table, ids[0] ?? '')).toBeNull();
    await workOff(one, id);
    expect(new Set(await statuses(id))).toEqual(new Set(['CREATED']));
    for (const taskId of ids) {
      expect(await getTask(embedded.table, taskId)).toMatchObject({
        status: 'PENDING',
        task: `Call for ${canary}.`,
      });
    }
    expect((await auditedTasks(one, 'task.created')).sort()).toEqual(ids);
    const messages = queues.messages(one.queueName).map(({ body }) => JSON.stringify(body));
    expect(messages.filter((body) => body.includes('"dial"'))).toHaveLength(60);
    expect(messages.join()).not.toContain(canary);
  });

  test('keeps no task data once the task is created or refused', async () => {
    const one = await given();
    const { id } = await accept(one, asked(one, 2));
    const ofBatch = async (): Promise<string[]> =>
      (await everything()).filter((item) => item.includes(`BATCH#${id}`) && item.includes(canary));
    expect(await ofBatch()).toHaveLength(2);
    await workOff(one, id);
    expect(await ofBatch()).toEqual([]);
  });

  test('is due until done, so the sweeper finds it if its message is lost', async () => {
    const one = await given();
    const { id } = await accept(one, asked(one, 1));
    const due: string[] = [];
    for await (const page of findDue(embedded.table, new Date().toISOString())) {
      due.push(...page.filter(({ type }) => type === 'task-batch').map((item) => batchOfKey(item).id));
    }
    expect(due).toContain(id);
  });

  test.each(ends)('creates each task once if interrupted at any request, %s', async (_, arrives) => {
    for (let request = 1, isOver = false; !isOver; request += 1) {
      const one = await given();
      const { id } = await accept(one, asked(one, 3, [uuidv7()]));
      isOver = await endingAt(embedded, request, { arrives }, (table) =>
        workOnBatch({ ...one.services, table }, one.asker.projectId, id),
      );
      await workOff(one, id);
      const ids = await idsOf(id);
      expect(await statuses(id), `request ${request}`).toEqual(['CREATED', 'CREATED', 'CREATED']);
      expect((await auditedTasks(one, 'task.created')).sort(), `request ${request}`).toEqual(ids);
      for (const taskId of ids) expect(await getTask(embedded.table, taskId)).not.toBeNull();
    }
  });

  test('creates each task once with concurrent workers', async () => {
    const one = await given();
    const { id } = await accept(one, asked(one, 20));
    await Promise.all(Array.from({ length: 5 }, () => workOff(one, id)));
    expect(new Set(await statuses(id))).toEqual(new Set(['CREATED']));
    expect((await auditedTasks(one, 'task.created')).sort()).toEqual(await idsOf(id));
  });

  test('refuses items that have become invalid, and frees their keys', async () => {
    const one = await given();
    const hash = uuidv7();
    const { id } = await accept(one, asked(one, 2, [hash]));
    const { project_id, patient_id } = one.newTask;
    const patient = await getPatient(embedded.table, patient_id);
    if (patient === null) throw new Error('there is no patient');
    await writeTransaction(embedded.table, deletePatientItems(embedded.table, patient));
    expect(await isPatientInBatch(embedded.table, project_id, patient_id)).toBe(true);
    await workOff(one, id);
    expect(await isPatientInBatch(embedded.table, project_id, patient_id)).toBe(false);
    const outcomes = await listBatchOutcomes(embedded.table, id);
    expect(outcomes).toMatchObject([
      { status: 'REJECTED', error: { code: 'not_found', detail: 'Patient not found' } },
      { status: 'REJECTED', error: { code: 'not_found' } },
    ]);
    const key = { projectId: one.asker.projectId, keyHash: hash };
    expect(await getIdempotencyRecord(embedded.table, key, new Date())).toBeNull();
    expect((await everything()).filter((item) => item.includes(id) && item.includes(canary))).toEqual([]);
  });

  test('is deleted with its project, done or not', async () => {
    const one = await given();
    const [done, open] = [await accept(one, asked(one, 2)), await accept(one, asked(one, 2))];
    await workOff(one, done.id);
    await deleteProjectBatches(embedded.table, one.asker.projectId);
    await workOnBatch(one.services, one.asker.projectId, open.id);
    const left = (await everything()).filter((item) => item.includes('BATCH#'));
    expect(left.filter((item) => item.includes(done.id) || item.includes(open.id))).toEqual([]);
  });

  test('reserves its keys for the tasks: in use before creation, replayed after', async () => {
    const one = await given();
    const hash = uuidv7();
    const first = await accept(one, asked(one, 1, [hash]));
    const meanwhile = await accept(one, asked(one, 1, [hash]));
    expect(await listBatchOutcomes(embedded.table, meanwhile.id)).toMatchObject([
      { status: 'REJECTED', error: { code: 'idempotency_in_progress' } },
    ]);
    await workOff(one, first.id);
    const later = await accept(one, asked(one, 1, [hash]));
    expect(await listBatchOutcomes(embedded.table, later.id)).toMatchObject([
      { status: 'REPLAYED', task_id: (await idsOf(first.id))[0] },
    ]);
  });

  test('gives a contested key to one request', async () => {
    const one = await given();
    const hash = uuidv7();
    const batches = await Promise.all(Array.from({ length: 8 }, () => accept(one, asked(one, 3, [hash]))));
    for (const { id } of batches) await workOff(one, id);
    const firsts = await Promise.all(
      batches.map(async ({ id }) => (await listBatchOutcomes(embedded.table, id))[0]),
    );
    expect(firsts.filter((item) => item?.status === 'CREATED')).toHaveLength(1);
  });
});

describe('a canceled batch', () => {
  const cancel = ({ asker }: Given, batchId: string) =>
    cancelBatch(embedded.table, { asker, batchId, alongside: nothingAlongside });

  test('is canceled once, with any number of concurrent requests', async () => {
    const one = await given();
    const { id } = await accept(one, asked(one, 3));
    const all = await Promise.all(Array.from({ length: 50 }, () => cancel(one, id)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['CANCELLING']));
    const entries = (await scanTable(embedded.table)).map((item) => JSON.stringify(item));
    const audited = entries.filter((entry) => entry.includes('task-batch.cancelled') && entry.includes(id));
    expect(audited).toHaveLength(1);
  });

  test('in progress cancels the created tasks, and creates no more', async () => {
    const one = await given();
    const { id } = await accept(one, asked(one, 120));
    // Time is up after one slice.
    let nowMs = Date.now();
    const now = (): Date => {
      nowMs += 10_000;
      return new Date(nowMs);
    };
    await workOnBatch({ ...one.services, now }, one.asker.projectId, id);
    expect((await statuses(id)).filter((status) => status === 'CREATED')).toHaveLength(50);
    expect(await cancel(one, id)).toMatchObject({ status: 'CANCELLING' });
    await workOff(one, id);
    const found = await statuses(id);
    expect(found.filter((status) => status === 'CREATED')).toHaveLength(50);
    expect(found.filter((status) => status === 'CANCELLED')).toHaveLength(70);
    const ids = await idsOf(id);
    for (const taskId of ids.slice(0, 50)) {
      expect((await getTask(embedded.table, taskId))?.status).toBe('CANCELLED');
    }
    for (const taskId of ids.slice(50)) expect(await getTask(embedded.table, taskId)).toBeNull();
    expect((await auditedTasks(one, 'task.cancelled')).sort()).toEqual(ids);
    const unmade = await entriesOf(one, 'task.cancelled', (entry) => entry.after?.created === false);
    expect(unmade.map(({ target }) => target.id).sort()).toEqual(ids.slice(50));
    expect(new Set(unmade.flatMap(({ patient_ids }) => patient_ids))).toEqual(
      new Set([one.newTask.patient_id]),
    );
  });

  test('is audited once as sent and once as canceled, beside its tasks', async () => {
    const one = await given();
    const refused = { refusal: new ServiceError('not_found', 'Patient not found') };
    const { id } = await accept(one, [...asked(one, 2), refused]);
    await cancel(one, id);
    await cancel(one, id);
    await workOff(one, id);
    expect(await entriesOf(one, 'task-batch.created')).toMatchObject([
      { target: { type: 'task-batch', id }, after: { accepted: 2, replayed: 0, rejected: 1 } },
    ]);
    expect(await entriesOf(one, 'task-batch.cancelled')).toMatchObject([
      { target: { id }, actor: { kind: 'api-key' }, reason: 'Ticket 4711' },
    ]);
  });

  test('during creation leaves nothing that is called', async () => {
    const one = await given();
    const { id } = await accept(one, asked(one, 60));
    const work = workOff(one, id);
    await cancel(one, id);
    await Promise.all([work, workOff(one, id)]);
    for (const taskId of await idsOf(id)) {
      expect([undefined, 'CANCELLED']).toContain((await getTask(embedded.table, taskId))?.status);
    }
    expect((await getTaskBatch(embedded.table, one.asker.projectId, id))?.status).toBe('CANCELLED');
  });
});
