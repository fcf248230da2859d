import { describe, expect, test } from 'vitest';
import type { Patient } from '#shared/domain/patient.ts';
import type { Task } from '#shared/domain/task.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { mergePatients } from '#shared/patients/merge-patients.ts';
import { findExternalId, patientName } from '#shared/table/external-id.ts';
import { getPatient, usePatientItem } from '#shared/table/patient.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem, getTask, replaceFollowUpItem } from '#shared/table/task.ts';
import { listTaskSummaries } from '#shared/table/task-list.ts';
import { nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleProject, sampleTask } from '../../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

const project = sampleProject();

function add(changes: Partial<Patient> = {}): Promise<Patient> {
  return createPatient(embedded.table, {
    projectId: project.id,
    newPatient: {
      project_id: project.id,
      first_name: 'Maya',
      last_name: 'Rivera',
      phone_number: '+12025550142',
      date_of_birth: '1984-07-12',
      ...changes,
    },
    alongside: nothingAlongside,
  });
}

async function addTask(patient: Patient, changes: Partial<Task> = {}): Promise<Task> {
  const task = sampleTask(project, { patient_id: patient.id, status: 'COMPLETED', ...changes });
  await writeTransaction(embedded.table, [createTaskItem(embedded.table, task)]);
  return task;
}

const merge = (kept: Patient, duplicate: Patient, projectId = project.id) =>
  mergePatients(embedded.table, projectId, {
    keptId: kept.id,
    duplicateId: duplicate.id,
    by: 'owner@clinic.example.com',
    alongside: nothingAlongside,
  });

const listed = async (patient: Patient): Promise<string[]> => {
  const filter = { status: null, taskType: null, patientId: patient.id };
  const page = { limit: 100, before: null, order: 'newest-first', until: null } as const;
  return (await listTaskSummaries(embedded.table, project.id, filter, page)).items.map(({ id }) => id);
};

describe('two patients who are one person', () => {
  test('become one, with both their tasks and data that only one has', async () => {
    const kept = await add({ email: 'maya@example.com' });
    const duplicate = await add({ email: 'other@example.com', external_id: 'MRN-7' });
    const task = await addTask(duplicate);
    expect((await merge(kept, duplicate)).taskIds).toEqual([task.id]);

    expect(await getPatient(embedded.table, duplicate.id)).toBeNull();
    const merged = await getPatient(embedded.table, kept.id);
    expect(merged).toMatchObject({ email: 'maya@example.com', external_id: 'MRN-7' });
    expect(merged?.changes?.at(-1)).toMatchObject({
      by: 'owner@clinic.example.com',
      fields: ['merged_with_a_duplicate', 'external_id'],
    });
    expect(await getTask(embedded.table, task.id)).toEqual({ ...task, patient_id: kept.id });
    expect([await listed(kept), await listed(duplicate)]).toEqual([[task.id], []]);
    const name = merged === null ? null : patientName(merged);
    expect(name === null ? null : await findExternalId(embedded.table, name)).toBe(kept.id);
  });

  test("free the duplicate's external ID if the kept one has another", async () => {
    const [kept, duplicate] = [await add({ external_id: 'MRN-8' }), await add({ external_id: 'MRN-9' })];
    await merge(kept, duplicate);
    expect((await getPatient(embedded.table, kept.id))?.external_id).toBe('MRN-8');
    expect(await add({ external_id: 'MRN-9' })).toMatchObject({ external_id: 'MRN-9' });
  });

  test('stay two while the duplicate may be called, or has a new task', async () => {
    const [kept, duplicate] = [await add(), await add()];
    await addTask(duplicate, { status: 'PENDING' });
    await expect(merge(kept, duplicate)).rejects.toThrow('The duplicate has 1 open task');
    const another = await add();
    await writeTransaction(embedded.table, [
      usePatientItem(embedded.table, another.id, project.id, new Date()),
    ]);
    await expect(merge(kept, another)).rejects.toThrow('try again in a minute');
    expect(await getPatient(embedded.table, another.id)).not.toBeNull();
  });

  test('stay two if identical, of another project, or with too many tasks for one merge', async () => {
    const [kept, duplicate] = [await add(), await add()];
    await expect(merge(kept, kept)).rejects.toThrow('two different patients');
    await expect(merge(kept, duplicate, sampleProject().id)).rejects.toThrow('Patient not found');
    for (let count = 0; count < 81; count += 1) await addTask(duplicate);
    await expect(merge(kept, duplicate)).rejects.toThrow('more than 80 tasks');
    expect(await listed(duplicate)).toHaveLength(81);
  });

  test('keep a task despite a follow-up read before', async () => {
    const [kept, duplicate] = [await add(), await add()];
    const task = await addTask(duplicate);
    await merge(kept, duplicate);
    const work = { version: 1, assignee: null, due: null, notes: [], done_at: null, done_by: null };
    const late = writeTransaction(embedded.table, [replaceFollowUpItem(embedded.table, task, work)]);
    await expect(late).rejects.toThrow('condition');
    expect((await getTask(embedded.table, task.id))?.patient_id).toBe(kept.id);
  });

  test('stay two under a legal hold', async () => {
    const [kept, duplicate] = [await add(), await add()];
    await writeTransaction(embedded.table, [putProject(embedded.table, { ...project, legal_hold: true })]);
    await expect(merge(kept, duplicate)).rejects.toThrow('legal hold');
    expect(await getPatient(embedded.table, duplicate.id)).not.toBeNull();
  });
});
