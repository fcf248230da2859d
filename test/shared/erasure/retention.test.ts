import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { carryOutRetention } from '#shared/erasure/carry-out-retention.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { type ExternalName, findExternalId, putExternalIdItem } from '#shared/table/external-id.ts';
import { getPatient } from '#shared/table/patient.ts';
import { putProject, replaceProjectItem } from '#shared/table/project.ts';
import { retentionItems } from '#shared/table/retention.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { listBatchOutcomes } from '#shared/table/task-batch.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { acceptBatch } from '#shared/tasks/batch/accept-batch.ts';
import { workOnBatch } from '#shared/tasks/batch/work-on-batch.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { dyingTable } from '../../support/dying.ts';
import { sampleProject, sampleTask } from '../../support/sample-tasks.ts';
import { storePatient } from '../../support/stored-patients.ts';

const fixture = await callFixtureForThisFile();

const daySeconds = 24 * 60 * 60;

async function newProject(changes: Partial<Project>): Promise<Project> {
  const project = sampleProject(changes);
  await writeTransaction(fixture.table, [
    putProject(fixture.table, project),
    ...retentionItems(fixture.table, project, fixture.now),
  ]);
  return project;
}

async function newTask(project: Project, changes: Partial<Task> = {}): Promise<Task> {
  const at = fixture.now.toISOString();
  const task = sampleTask(project, {
    id: uuidv7(fixture.now.getTime()),
    status: 'COMPLETED',
    next_attempt_at: null,
    next_attempt_reason: null,
    created_at: at,
    updated_at: at,
    ...changes,
  });
  await writeTransaction(fixture.table, [createTaskItem(fixture.table, task)]);
  return task;
}

const nameOf = (patient: Patient): ExternalName => ({
  projectId: patient.project_id,
  kind: 'PATIENT',
  externalId: `chart-${patient.id}`,
});

async function newPatient(project: Project): Promise<Patient> {
  const id = uuidv7(fixture.now.getTime());
  const at = fixture.now.toISOString();
  const patient: Patient = {
    id,
    project_id: project.id,
    first_name: 'Ada',
    last_name: 'Example',
    phone_number: '+12025550142',
    date_of_birth: '1980-02-29',
    external_id: `chart-${id}`,
    created_at: at,
    updated_at: at,
  };
  await storePatient(fixture.table, patient);
  await writeTransaction(fixture.table, [putExternalIdItem(fixture.table, nameOf(patient), id)]);
  return patient;
}

const isThere = async ({ id }: Task): Promise<boolean> => (await getTask(fixture.table, id)) !== null;

async function erased({ id }: Project): Promise<unknown[]> {
  const { items } = await listAuditEntries(fixture.table, id, { limit: 50, before: null });
  return items.map(({ action, target, after }) => [action, target.id, after?.requested_by]);
}

describe('tasks', () => {
  test('are erased the set number of days after they end, unlike unfinished ones', async () => {
    const project = await newProject({ task_retention_days: 30 });
    const old = await newTask(project);
    const open = await newTask(project, { status: 'PENDING', next_attempt_at: '2999-01-01T00:00:00.000Z' });
    fixture.pass(20 * daySeconds);
    const younger = await newTask(project);
    const endedLate = await newTask(project, { id: uuidv7(Date.parse(old.created_at)) });
    fixture.pass(9 * daySeconds);
    await carryOutRetention(fixture.services, project.id);
    expect(await isThere(old)).toBe(true);
    fixture.pass(2 * daySeconds);
    expect(await fixture.isDue(project.id)).toBe(true);
    await carryOutRetention(fixture.services, project.id);
    expect(await Promise.all([old, open, younger, endedLate].map(isThere))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(await erased(project)).toEqual([['task.erased', old.id, 'retention']]);
    expect(await fixture.isDue(project.id)).toBe(false);
  });

  test('stay forever unless the project says otherwise, and under a legal hold', async () => {
    const kept = await newProject({});
    const held = await newProject({ task_retention_days: 1, legal_hold: true });
    const tasks = [await newTask(kept), await newTask(held)];
    fixture.pass(400 * daySeconds);
    for (const { id } of [kept, held]) await carryOutRetention(fixture.services, id);
    expect(await Promise.all(tasks.map(isThere))).toEqual([true, true]);
    expect([await fixture.isDue(kept.id), await erased(held)]).toEqual([false, []]);
  });
});

test('a retention that is set while a run finds none is carried out', async () => {
  const { table } = fixture;
  const project = await newProject({ task_retention_days: 30 });
  const none = { ...project, task_retention_days: null, updated_at: new Date(Date.now() + 1).toISOString() };
  await writeTransaction(table, [replaceProjectItem(table, project, none)]);
  const change = async (): Promise<void> => {
    const next = { ...none, task_retention_days: 60, updated_at: new Date(Date.now() + 2).toISOString() };
    await writeTransaction(table, [
      replaceProjectItem(table, none, next),
      ...retentionItems(table, next, fixture.now),
    ]);
  };
  let requests = 0;
  const slow = dyingTable(table, async (work) => {
    requests += 1;
    const result = await work();
    // The run has read the project.
    if (requests === 1) await change();
    return result;
  });
  await carryOutRetention({ ...fixture.services, table: slow }, project.id);
  expect(await fixture.isDue(project.id)).toBe(true);
});

test('the longest retention, which reaches back before any ID was made, erases nothing', async () => {
  const project = await newProject({
    task_retention_days: 36_500,
    patient_retention_days: 36_500,
    audit_retention_days: 36_500,
  });
  const task = await newTask(project);
  await carryOutRetention(fixture.services, project.id);
  expect([await isThere(task), await erased(project)]).toEqual([true, []]);
});

describe('patients', () => {
  test('without tasks are erased the set number of days after their last task was created', async () => {
    const project = await newProject({ task_retention_days: 10, patient_retention_days: 30 });
    const [unused, used, needed] = [
      await newPatient(project),
      await newPatient(project),
      await newPatient(project),
    ];
    fixture.pass(5 * daySeconds);
    const order = {
      project_id: project.id,
      task_type: 'CUSTOM_TASK',
      task: 'Ask for the opening hours.',
      phone_number: '+12025550103',
    } as const;
    const taskFor = ({ id }: Patient): Promise<Task> =>
      createTask(fixture.table, {
        projectId: project.id,
        newTask: { ...order, patient_id: id },
        now: fixture.now,
      });
    await taskFor(needed);
    const usedFor = await taskFor(used);
    await newTask(project, { ...usedFor, id: uuidv7(fixture.now.getTime()), status: 'COMPLETED' });
    fixture.pass(26 * daySeconds);
    const are = async (): Promise<boolean[]> =>
      Promise.all(
        [unused, used, needed].map(async ({ id }) => (await getPatient(fixture.table, id)) !== null),
      );
    await carryOutRetention(fixture.services, project.id);
    expect(await are()).toEqual([false, true, true]);
    expect(await findExternalId(fixture.table, nameOf(unused))).toBeNull();
    expect(await findExternalId(fixture.table, nameOf(used))).toBe(used.id);
    fixture.pass(60 * daySeconds);
    await carryOutRetention(fixture.services, project.id);
    // Both have an unfinished task.
    expect(await are()).toEqual([false, true, true]);
  });

  test('are kept while an accepted batch has a task to create for them', async () => {
    const project = await newProject({ patient_retention_days: 30 });
    const patient = await newPatient(project);
    const newTask: NewTask = {
      project_id: project.id,
      patient_id: patient.id,
      task_type: 'CUSTOM_TASK',
      task: 'Ask for the opening hours.',
      phone_number: '+12025550103',
    };
    fixture.pass(31 * daySeconds);
    const { id } = await acceptBatch(fixture.table, {
      asker: {
        projectId: project.id,
        apiKeyId: uuidv7(),
        origin: { requestId: uuidv7(), sourceIp: '198.51.100.7', reason: null },
      },
      asked: [{ newTask, key: null }],
      hasSandboxPhone: true,
      isRepeatable: false,
      now: fixture.services.now,
    });
    await carryOutRetention(fixture.services, project.id);
    await workOnBatch(fixture.services, project.id, id);
    expect(await listBatchOutcomes(fixture.table, id)).toMatchObject([{ status: 'CREATED' }]);
  });
});
