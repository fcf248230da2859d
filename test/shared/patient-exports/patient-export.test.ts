import { describe, expect, test } from 'vitest';
import { toEntry } from '#shared/audit/access-entry.ts';
import { exportOrdered } from '#shared/audit/actions.ts';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { PatientExport } from '#shared/domain/patient-export.ts';
import type { Task } from '#shared/domain/task.ts';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import { carryOutRetention } from '#shared/erasure/carry-out-retention.ts';
import type { ErasureServices } from '#shared/erasure/erasure-services.ts';
import { orderPatientErasure, orderTaskErasure } from '#shared/erasure/order-erasure.ts';
import { carryOutExport } from '#shared/patient-exports/carry-out-export.ts';
import { patientExportKey } from '#shared/patient-exports/export-store.ts';
import { orderPatientExport } from '#shared/patient-exports/order-export.ts';
import { putPatientAccess } from '#shared/table/audit-log.ts';
import { putTurn } from '#shared/table/conversation.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getPatientExport } from '#shared/table/patient-export.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { getTask } from '#shared/table/task.ts';
import { nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { storePatient } from '../../support/stored-patients.ts';
import { readStoredZip } from '../../support/stored-zip.ts';
import { wavFile } from '../../support/wav-file.ts';

const audio = wavFile({ channels: 2, seconds: 1 });
const said = 'My canary has a cough.';

const fixture = await callFixtureForThisFile();

interface Record {
  readonly patient: Patient;
  readonly task: Task;
  readonly call: Call;
}

/** A patient with a finished, recorded call, and an audit entry of a view. */
async function newRecord(): Promise<Record> {
  const { table } = fixture;
  const patientId = uuidv7(fixture.now.getTime());
  const task = await fixture.newTask({ patient_id: patientId, task: 'Ask about the canary.' });
  const at = fixture.now.toISOString();
  const patient: Patient = {
    id: patientId,
    project_id: task.project_id,
    first_name: 'Ada',
    last_name: 'Example',
    phone_number: '+12025550142',
    date_of_birth: '1980-02-29',
    changes: [{ at, by: 'staff@clinic.example.com', fields: ['last_name'] }],
    created_at: at,
    updated_at: at,
  };
  await storePatient(table, patient);
  const entry = toEntry(
    { actor: { kind: 'service' }, origin: null },
    task.project_id,
    exportOrdered(patientId),
    fixture.now,
  );
  await putPatientAccess(table, entry, patientId);
  const dialed = await fixture.dial(task);
  await putTurn(table, dialed.project_id, {
    call_id: dialed.id,
    index: 0,
    role: 'user',
    content: said,
    offset_ms: 0,
    created_at: at,
  });
  await fixture.progress(dialed, 'answered', 2);
  await fixture.progress(dialed, 'completed', 3, { talk_seconds: 2 });
  await fixture.recordingReady(dialed, fixture.addRecording(dialed, audio).sid);
  await fixture.lookUntilCompleted(dialed);
  fixture.pass(120);
  return { patient, task, call: await fixture.call(dialed) };
}

const order = ({ patient }: Pick<Record, 'patient'>): Promise<PatientExport> =>
  orderPatientExport(fixture.table, {
    projectId: patient.project_id,
    patientId: patient.id,
    now: fixture.now,
    alongside: nothingAlongside,
  });
const make = ({ patient }: Pick<Record, 'patient'>, services: ErasureServices = fixture.services) =>
  carryOutExport(services, patient.id);
const stateOf = ({ patient }: Pick<Record, 'patient'>) => getPatientExport(fixture.table, patient.id);

async function fileOf({ patient }: Pick<Record, 'patient'>): Promise<Map<string, Buffer> | null> {
  const stored = await fixture.services.recordings.open(patientExportKey(patient.project_id, patient.id));
  if (stored === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored) chunks.push(chunk);
  return readStoredZip(Buffer.concat(chunks));
}

const json = (files: Map<string, Buffer> | null, name: string) =>
  JSON.parse(files?.get(name)?.toString('utf8') ?? 'null');

/** Works like sweeper and queue until the receipt is done. */
async function workOff(id: string): Promise<void> {
  for (let rounds = 0; rounds < 50; rounds += 1) {
    await carryOutErasure(fixture.services, id);
    const erasure = await getErasure(fixture.table, id);
    if (erasure?.status === 'DONE') return;
    fixture.pass(Math.max((Date.parse(erasure?.due_at ?? '') - fixture.now.getTime()) / 1000, 0));
  }
  throw new Error('the erasure was never done');
}

const eraseOrder = ({ patient }: Record, id = patient.id) => ({
  projectId: patient.project_id,
  id,
  requestedBy: 'person' as const,
  now: fixture.now,
});

describe('52: an export', () => {
  test('contains all data about the patient and nothing about others', async () => {
    const record = await newRecord();
    const other = await newRecord();
    const { patient, task, call } = record;
    expect(await order(record)).toMatchObject({ status: 'PENDING', recordings_total: null });
    await make(record);
    const made = await stateOf(record);
    expect(made).toMatchObject({ status: 'DONE', recordings_done: 1, recordings_total: 1 });
    const files = await fileOf(record);
    expect([...(files?.keys() ?? [])]).toEqual([
      'patient.json',
      `tasks/${task.id}.json`,
      'access.json',
      `recordings/${call.id}.wav`,
      'contents.json',
    ]);
    expect(json(files, 'patient.json')).toMatchObject({
      id: patient.id,
      changes: [{ fields: ['last_name'] }],
    });
    expect(json(files, `tasks/${task.id}.json`)).toMatchObject({
      id: task.id,
      task: 'Ask about the canary.',
      calls: [{ id: call.id, recording: `recordings/${call.id}.wav`, transcripts: [{ content: said }] }],
    });
    expect(json(files, 'access.json')).toMatchObject([{ action: 'export.ordered' }]);
    expect(json(files, 'contents.json')).toEqual({
      tasks: 1,
      recordings: 1,
      recordings_deleted_meanwhile: [],
    });
    expect(files?.get(`recordings/${call.id}.wav`)?.equals(audio)).toBe(true);
    const everything = Buffer.concat([...(files?.values() ?? [])]).toString('latin1');
    expect(everything).not.toContain(other.patient.id);
    expect(everything).not.toContain(other.task.id);
  });

  test('is the same during creation, and replaces the previous one afterwards', async () => {
    const record = await newRecord();
    const ordered = await order(record);
    expect(await order(record)).toEqual(ordered);
    await make(record);
    const again = await order(record);
    expect(again.id).not.toBe(ordered.id);
    expect(again.status).toBe('PENDING');
    await expect(order({ patient: { ...record.patient, project_id: uuidv7() } })).rejects.toThrow(
      'Patient not found',
    );
  });

  test('is deleted a day later, and only then created anew', async () => {
    const record = await newRecord();
    await order(record);
    await make(record);
    fixture.pass(24 * 60 * 60 - 1);
    await make(record);
    expect(await fileOf(record)).not.toBeNull();
    fixture.pass(1);
    expect(await fixture.isDue(record.patient.id)).toBe(true);
    await expect(order(record)).rejects.toThrow('An earlier export is being deleted');
    await make(record);
    expect([await stateOf(record), await fileOf(record)]).toEqual([null, null]);
    expect(await order(record)).toMatchObject({ status: 'PENDING' });
  });

  test('names recordings deleted during its creation', async () => {
    const record = await newRecord();
    await order(record);
    await fixture.services.recordings.erase(record.call.recording.key ?? '');
    await make(record);
    expect(json(await fileOf(record), 'contents.json')).toEqual({
      tasks: 1,
      recordings: 0,
      recordings_deleted_meanwhile: [record.call.id],
    });
  });

  test('of a dead run is completed by a later one, or abandoned if none succeeds', async () => {
    const record = await newRecord();
    await order(record);
    const { recordings } = fixture.services;
    const dead = { ...recordings, put: () => Promise.reject(new Error('the bucket is away')) };
    await make(record, { ...fixture.services, recordings: dead });
    expect(await stateOf(record)).toMatchObject({ status: 'PENDING', runs: 1 });
    await make(record);
    expect(await stateOf(record)).toMatchObject({ status: 'PENDING', runs: 1 });
    fixture.pass(60);
    await make(record);
    expect(await stateOf(record)).toMatchObject({ status: 'DONE', runs: 2 });

    await order(record);
    for (let run = 0; run < 5; run += 1) {
      await make(record, { ...fixture.services, recordings: dead });
      fixture.pass(60);
    }
    expect(await stateOf(record)).toMatchObject({ status: 'FAILED', bytes: null });
  });

  test('keeps at most a few parts of a recording in memory', async () => {
    const record = await newRecord();
    await order(record);
    const pieces = 2000;
    let read = 0;
    let written = 0;
    let most = 0;
    async function* long(): AsyncGenerator<Uint8Array> {
      for (; read < pieces; read += 1) yield new Uint8Array(1024);
    }
    const recordings: ErasureServices['recordings'] = {
      ...fixture.services.recordings,
      open: async () => long(),
      put: async (_, body) => {
        for await (const chunk of body) {
          if (chunk.byteLength === 1024) written += 1;
          most = Math.max(most, read - written);
          // Storing is slower than reading.
          await new Promise(setImmediate);
        }
      },
    };
    await make(record, { ...fixture.services, recordings });
    expect(written).toBe(pieces);
    expect(most).toBeLessThan(8);
  });
});

describe('52: erasing leaves no export', () => {
  test('of the patient', async () => {
    const record = await newRecord();
    await order(record);
    await make(record);
    const erasure = await orderPatientErasure(fixture.table, eraseOrder(record));
    await expect(order(record)).rejects.toThrow('Patient not found');
    await workOff(erasure.id);
    expect([await stateOf(record), await fileOf(record)]).toEqual([null, null]);
  });

  test('that holds the task', async () => {
    const record = await newRecord();
    await order(record);
    await make(record);
    await workOff((await orderTaskErasure(fixture.table, eraseOrder(record, record.task.id))).id);
    expect([await stateOf(record), await fileOf(record)]).toEqual([null, null]);
    expect(await getPatient(fixture.table, record.patient.id)).not.toBeNull();
  });

  test('that was being created, for which it waits', async () => {
    const record = await newRecord();
    await order(record);
    const { recordings } = fixture.services;
    let erasureId = '';
    const slow: ErasureServices['recordings'] = {
      ...recordings,
      put: async (...file) => {
        erasureId = (await orderPatientErasure(fixture.table, eraseOrder(record))).id;
        await carryOutErasure(fixture.services, erasureId);
        await recordings.put(...file);
      },
    };
    await make(record, { ...fixture.services, recordings: slow });
    expect(await getErasure(fixture.table, erasureId)).toMatchObject({
      status: 'PENDING',
      waiting_for: 'An export of the patient is in progress.',
    });
    await workOff(erasureId);
    expect([await stateOf(record), await fileOf(record)]).toEqual([null, null]);
    expect(await getTask(fixture.table, record.task.id)).toBeNull();
  });

  test('that was requested between its steps', async () => {
    const record = await newRecord();
    const erasure = await orderTaskErasure(fixture.table, eraseOrder(record, record.task.id));
    const { recordings } = fixture.services;
    const interrupted: ErasureServices['recordings'] = {
      ...recordings,
      erase: async (key) => {
        await order(record);
        await make(record);
        await recordings.erase(key);
      },
    };
    await carryOutErasure({ ...fixture.services, recordings: interrupted }, erasure.id);
    expect(await getTask(fixture.table, record.task.id)).not.toBeNull();
    await workOff(erasure.id);
    expect([await stateOf(record), await fileOf(record)]).toEqual([null, null]);
  });

  test('of a patient past retention', async () => {
    const record = await newRecord();
    await workOff((await orderTaskErasure(fixture.table, eraseOrder(record, record.task.id))).id);
    await order(record);
    await make(record);
    const { table } = fixture;
    const project = await getProject(table, record.patient.project_id, { consistently: true });
    if (project === null) throw new Error('there is no project');
    await writeTransaction(table, [
      replaceProjectItem(table, project, { ...project, patient_retention_days: 1 }),
    ]);
    fixture.pass(2 * 24 * 60 * 60);
    await carryOutRetention(fixture.services, record.patient.project_id);
    expect([await stateOf(record), await fileOf(record)]).toEqual([null, null]);
    expect(await getPatient(fixture.table, record.patient.id)).toBeNull();
  });
});
