import { createHash } from 'node:crypto';
import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { nameTerm } from '#shared/domain/search-terms.ts';
import type { Task } from '#shared/domain/task.ts';
import { createCallItem, getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import {
  createConversationItem,
  createTurnItem,
  getConversation,
  getTurns,
} from '#shared/table/conversation.ts';
import { createConversationPlanItem, getConversationPlan } from '#shared/table/conversation-plan.ts';
import { dataKeyKey, getDataKey } from '#shared/table/data-key.ts';
import { deleteItem } from '#shared/table/delete-items.ts';
import { createIdempotencyRecordItem, getIdempotencyRecord } from '#shared/table/idempotency.ts';
import { getImportPart, putImportPart } from '#shared/table/import.ts';
import {
  getPatient,
  getPatientEntries,
  listPatientEntries,
  listProjectPatients,
  patientKey,
  replacePatientItem,
} from '#shared/table/patient.ts';
import { openImage } from '#shared/table/sealing-client.ts';
import { changeSearchTerms, findByTerm } from '#shared/table/search-term.ts';
import { createTaskItem, getTask, replaceFollowUpItem } from '#shared/table/task.ts';
import { listBatchItems, putBatchItems } from '#shared/table/task-batch.ts';
import { listTaskSummaries } from '#shared/table/task-list.ts';
import { listTaskRows } from '#shared/table/task-rows.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { everyTask } from '../../support/every-task.ts';
import { forThisFile } from '../../support/lifetime.ts';
import {
  sampleCall,
  samplePatient,
  sampleResult,
  sampleTask,
  sampleTime,
} from '../../support/sample-tasks.ts';
import { type SealedTable, sealTable } from '../../support/sealed-table.ts';
import { storePatient } from '../../support/stored-patients.ts';

const embedded = await forThisFile(startEmbeddedTable());

let sealed: SealedTable;
let projectId: string;
beforeEach(async () => {
  sealed = await sealTable(embedded);
  ({
    project: { id: projectId },
  } = await sealed.newProject());
  return () => sealed.stop();
});

/** Represents everything that must not be readable. */
const canary = 'Zanzibar';
const number = '+12025550177';
const page = { limit: 10, before: null };

interface Stored {
  readonly patient: Patient;
  readonly task: Task;
  readonly call: Call;
}

/** One of everything that contains health information. */
async function store(table: Table): Promise<Stored> {
  const patient = samplePatient(
    { id: projectId },
    {
      first_name: canary,
      last_name: `${canary}-Rivera`,
      date_of_birth: '1984-07-12',
      phone_number: number,
      email: `${canary}@example.test`,
      external_id: canary,
      metadata: { note: canary, details: canary },
      address: {
        street_name: `1 ${canary} Road`,
        city: canary,
        state: 'MD',
        postal_code: '20850',
        country_code: 'US',
      },
    },
  );
  const result = sampleResult({ summary: `Told ${canary}.`, reference_number: canary, follow_up: canary });
  const task = sampleTask(
    { id: projectId },
    {
      patient_id: patient.id,
      task: `Ask for ${canary}.`,
      task_data: { who: canary },
      task_outcome: `Booked for ${canary}`,
      result,
      status: 'COMPLETED',
      next_attempt_at: null,
      next_attempt_reason: `They said to call ${canary} later.`,
    },
  );
  const call = sampleCall(task, {
    result,
    call_outcome: `Spoke with ${canary}`,
    reason: `They said to call ${canary} later.`,
  });
  const spoken = { call_id: call.id, index: 1, role: 'user', offset_ms: 0, created_at: sampleTime } as const;
  const ours = (index: number) => ({ ...spoken, index, content: `And ${canary}.` });
  await storePatient(table, patient);
  await writeTransaction(table, [
    createTaskItem(table, task),
    createCallItem(table, call),
    createConversationPlanItem(table, projectId, call.id, { facts: canary }),
    createConversationItem(table, {
      call_id: call.id,
      task_id: task.id,
      project_id: projectId,
      carrier_call_sid: 'CA0000000000000000000000000000000a',
      connection_id: 'c-1',
      epoch: 0,
      turn_count: 1,
      offset_ms: 0,
      status: 'open',
      said: ours(2),
      state: { heard: canary },
      started_at: sampleTime,
      updated_at: sampleTime,
    }),
    createIdempotencyRecordItem(
      table,
      { projectId, keyHash: 'hash' },
      { request_hash: canary, answer: JSON.stringify({ task: canary }) },
      new Date(),
    ),
  ]);
  const heard = { ...spoken, content: `This is ${canary}.`, reply_to: ours(0) };
  await writeTransaction(table, [createTurnItem(table, projectId, heard)]);
  await putBatchItems(
    table,
    [
      {
        batch_id: projectId,
        project_id: projectId,
        index: 0,
        status: 'PENDING',
        task_id: null,
        error: null,
        new_task: {
          project_id: projectId,
          patient_id: patient.id,
          task_type: 'CUSTOM_TASK',
          task: canary,
          phone_number: '+12025550103',
        },
        key: { key_hash: 'key', request_hash: canary },
      },
    ],
    sampleTime,
  );
  return { patient, task, call };
}

/** Everything in the table, as AWS would see it. */
async function raw(): Promise<string> {
  const { Items = [] } = await sealed.raw.send(new ScanCommand({ TableName: sealed.table.name }));
  const texts = Items.flatMap((item) =>
    JSON.stringify(item, (_, value) =>
      value instanceof Uint8Array || value?.type === 'Buffer'
        ? Buffer.from(value.data ?? value).toString('latin1')
        : value,
    ),
  );
  return texts.join('\n');
}

describe('55: health information is sealed', () => {
  test('and nothing of a patient is readable in the raw table', async () => {
    await store(sealed.table);
    const text = await raw();
    expect(text).toContain(projectId);
    expect(text).not.toMatch(new RegExp(canary, 'i'));
    expect(text).not.toContain('1984-07-12');
    expect(text).not.toContain(number);
  });

  test('and opens with the key', async () => {
    const { patient, task, call } = await store(sealed.table);
    const table = sealed.anew();
    expect(await getPatient(table, patient.id)).toEqual(patient);
    expect(await getTask(table, task.id)).toEqual(task);
    expect(await getCall(table, task.id, call.id)).toEqual(call);
    expect(await getConversationPlan(table, call.id)).toEqual({ facts: canary });
    expect((await getConversation(table, call.id))?.state).toEqual({ heard: canary });
    expect((await getTurns(table, call.id)).map(({ content }) => content)).toEqual([
      `And ${canary}.`,
      `This is ${canary}.`,
      `And ${canary}.`,
    ]);
    const [item] = await listBatchItems(table, projectId, { from: 0, limit: 1 });
    expect(item?.new_task?.task).toBe(canary);
    expect(item?.key?.request_hash).toBe(canary);
    const record = await getIdempotencyRecord(table, { projectId, keyHash: 'hash' }, new Date());
    expect(record).toMatchObject({ request_hash: canary, answer: JSON.stringify({ task: canary }) });
    expect(sealed.opened()).toBe(2);
  });

  test('also in lists that find patients by number', async () => {
    const { patient, task } = await store(sealed.table);
    await storePatient(sealed.table, samplePatient({ id: projectId }));
    const { table } = sealed;
    const { id, first_name, last_name, date_of_birth, phone_number, external_id } = patient;
    const entry = { id, first_name, last_name, date_of_birth, phone_number, external_id };
    expect((await listPatientEntries(table, projectId, page)).items).toContainEqual(entry);
    expect(await getPatientEntries(table, [id])).toEqual([{ ...entry, project_id: projectId }]);
    const found = await listProjectPatients(table, projectId, page, { phoneNumber: number });
    expect(found.items).toEqual([patient]);
    const noted = await listProjectPatients(table, projectId, page, { metadata: { note: canary } });
    expect(noted.items).toEqual([patient]);
    const rows = await listTaskRows(table, projectId, everyTask, page);
    expect(rows.items[0]).toMatchObject({
      task: task.task,
      listed: { result: { reference_number: canary } },
    });
    const filter = { status: null, taskType: null, patientId: id };
    expect((await listTaskSummaries(table, projectId, filter, page)).items).toMatchObject([
      { task: task.task, task_outcome: task.task_outcome },
    ]);
  });

  test('also when it changes', async () => {
    const { patient, task } = await store(sealed.table);
    const { table } = sealed;
    const { email: _, ...rest } = patient;
    const changed = { ...rest, last_name: 'Changed', updated_at: '2026-03-02T16:00:00.000Z' };
    await writeTransaction(table, [replacePatientItem(table, patient, changed)]);
    expect(await getPatient(table, patient.id)).toEqual(changed);
    const work = { assignee: null, due: null, notes: [], done_at: null, done_by: null };
    for (const version of [1, 2]) {
      const read = await getTask(table, task.id);
      if (read === null) throw new Error('no task');
      await writeTransaction(table, [replaceFollowUpItem(table, read, { ...work, version })]);
    }
    expect((await getTask(table, task.id))?.follow_up_work?.version).toBe(2);
    expect(await raw()).not.toContain('Changed');
  });
});

describe('a sealed value', () => {
  test('opens only in its own place', async () => {
    const { patient } = await store(sealed.table);
    const other = samplePatient({ id: projectId });
    await storePatient(sealed.table, other);
    const Key = { pk: { S: `PATIENT#${patient.id}` }, sk: { S: 'PATIENT' } };
    const { Item } = await sealed.raw.send(new GetItemCommand({ TableName: sealed.table.name, Key }));
    const moved = { ...Item, pk: { S: `PATIENT#${other.id}` } };
    await sealed.raw.send(new PutItemCommand({ TableName: sealed.table.name, Item: moved }));
    await expect(getPatient(sealed.table, other.id)).rejects.toThrow();
  });
});

describe('a key', () => {
  test('is requested once in five minutes, with any number of reads and writes', async () => {
    const table = sealed.anew();
    const before = sealed.opened();
    const ids = Array.from({ length: 20 }, () => uuidv7());
    await Promise.all(ids.map((id) => storePatient(table, samplePatient({ id: projectId }, { id }))));
    await Promise.all(ids.map((id) => getPatient(table, id)));
    expect(sealed.opened() - before).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60 * 1000 });
    try {
      await getPatient(table, ids[0] ?? '');
    } finally {
      vi.useRealTimers();
    }
    expect(sealed.opened() - before).toBe(2);
  });

  test('37: once deleted leaves nothing readable', async () => {
    const { patient } = await store(sealed.table);
    const dataKey = await getDataKey(sealed.table, projectId);
    const id = dataKey?.kms_key_arn.split('/').at(-1) ?? '';
    const key = sealed.keys.find(id);
    if (key === undefined) throw new Error('no key');
    sealed.keys.put({ ...key, isPendingDeletion: true });
    await expect(getPatient(sealed.anew(), patient.id)).rejects.toMatchObject({
      name: 'KMSInvalidStateException',
    });
  });

  test('is missing for a project of an earlier version, whose data stays as stored', async () => {
    const other = samplePatient({ id: uuidv7() });
    await storePatient(sealed.table, other);
    expect(await getPatient(sealed.table, other.id)).toEqual(other);
    expect(await raw()).toContain(other.last_name);
  });
});

describe('the search index', () => {
  const stored = async ({ id }: Patient) => {
    const { Item } = await sealed.table.stored.send(
      new GetCommand({ TableName: sealed.table.name, Key: patientKey(id) }),
    );
    return Item ?? null;
  };
  const find = (table: Table, word: string) =>
    findByTerm(table, projectId, { kind: 'patient', term: nameTerm(word) }, 10);

  test("is built from sealed images, under terms that only the project's key can derive", async () => {
    const { patient } = await store(sealed.table);
    const image = await stored(patient);
    await changeSearchTerms(sealed.table, null, await openImage(image, sealed.table.projectKey));
    const word = canary.toLowerCase();
    expect((await find(sealed.table, word)).ids).toEqual([patient.id]);
    const plainHash = createHash('sha256').update(nameTerm(word)).digest('base64url');
    expect(await raw()).not.toContain(plainHash);
    await changeSearchTerms(sealed.table, await openImage(image, sealed.table.projectKey), null);
    expect((await find(sealed.table, word)).ids).toEqual([]);
  });
});

test('a stream image without its key is ignored', async () => {
  const { patient } = await store(sealed.table);
  const Key = patientKey(patient.id);
  const { Item = {} } = await sealed.table.stored.send(new GetCommand({ TableName: sealed.table.name, Key }));
  const dataKey = await getDataKey(sealed.table, projectId);
  const key = sealed.keys.find(dataKey?.kms_key_arn.split('/').at(-1) ?? '');
  if (key === undefined) throw new Error('no key');
  expect(await openImage(Item, sealed.anew().projectKey)).toMatchObject({ first_name: canary });
  sealed.keys.put({ ...key, isPendingDeletion: true });
  expect(await openImage(Item, sealed.anew().projectKey)).toBeNull();
  await deleteItem(sealed.table, dataKeyKey(projectId));
  expect(await openImage(Item, sealed.anew().projectKey)).toBeNull();
});

test('rows of an import are sealed', async () => {
  const one = { id: uuidv7(), project_id: projectId, expires_at_seconds: 1 } as never;
  const row = { number: 2, cells: [canary], problems: [], patient: null, task: null, outcome: null };
  await putImportPart(sealed.table, one, 0, [row]);
  expect(await getImportPart(sealed.table, one, 0)).toEqual([row]);
});
