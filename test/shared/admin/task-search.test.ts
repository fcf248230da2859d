import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import { findInProject, findSamePatients, viewPatientNames } from '#shared/admin/task-search.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { patientKey, putPatientItem } from '#shared/table/patient.ts';
import { putProject } from '#shared/table/project.ts';
import { changeSearchTerms } from '#shared/table/search-term.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { sampleProject, sampleResult, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';
import { indexForSearch } from '../../support/search-index.ts';
import { deletePatientForTest, storePatient } from '../../support/stored-patients.ts';

let embedded: EmbeddedTable;
let table: Table;
let access: ProjectAccess;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
  ({ table } = embedded);
});
afterAll(() => embedded.stop());
beforeEach(async () => {
  access = await newProject();
});

/** A new project, accessed by a person who may view it. */
async function newProject(): Promise<ProjectAccess> {
  const project = sampleProject({ id: uuidv7() });
  const email = `viewer.${project.id}@clinic.example.com`;
  const member = { project_id: project.id, email, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [
    putProject(table, project),
    addMemberItem(table, { ...member, role: 'viewer' }),
  ]);
  const caller = { person: { subject: 'viewer', email, name: null }, requestId: 'request-1' };
  return authorizeProject(table, caller, project.id, 'tasks.read');
}

function patientNamed(name: string, of: ProjectAccess, registered: number): Patient {
  const [first_name = '', ...others] = name.split(' ');
  return {
    id: uuidv7(Date.parse(sampleTime) + registered),
    project_id: of.project.id,
    first_name,
    last_name: others.join(' '),
    phone_number: '+12025550142',
    date_of_birth: '1984-07-12',
    created_at: sampleTime,
    updated_at: sampleTime,
  };
}

async function newPatient(name: string, of: ProjectAccess = access, registered = 0): Promise<Patient> {
  const patient = patientNamed(name, of, registered);
  await storePatient(table, patient);
  return patient;
}

/** Registers this many patients one by one, numbered from 1. */
async function newPatients(count: number, nameOf: (number: number) => string): Promise<void> {
  for (let start = 1; start <= count; start += 50) {
    const numbers = Array.from({ length: 50 }, (_, index) => start + index);
    await writeTransaction(
      table,
      numbers.map((number) => putPatientItem(table, patientNamed(nameOf(number), access, number))),
    );
  }
}

/** Searches once the stream has indexed everything stored so far. */
async function find(text: string) {
  await indexForSearch(table, access.project.id);
  return findInProject(table, access, text);
}

function nameOf({ id, first_name, last_name, date_of_birth }: Patient) {
  return { id, first_name, last_name, date_of_birth };
}

/** The newest entry of the project's audit log. */
async function lastEntry() {
  return (await listAuditEntries(table, access.project.id, { limit: 1, before: null })).items[0];
}

describe('the search in a project', () => {
  test('finds a task or patient by ID in any notation', async () => {
    const patient = await newPatient('Maya Rivera');
    const task = sampleTask(access.project, { patient_id: patient.id });
    await writeTransaction(table, [createTaskItem(table, task)]);
    expect(await find(`  ${patient.id.toUpperCase()} `)).toEqual({
      kind: 'patient',
      id: patient.id,
    });
    expect(await find(task.id)).toEqual({ kind: 'task', id: task.id });
  });

  test('treats an ID of another project as unknown', async () => {
    const other = await newProject();
    const patient = await newPatient('Maya Rivera', other);
    const task = sampleTask(other.project, { patient_id: patient.id });
    await writeTransaction(table, [createTaskItem(table, task)]);
    for (const id of [patient.id, task.id, uuidv7()]) {
      expect(await find(id)).toBeNull();
    }
  });

  test.each([
    ['the beginning of a last name', 'riv'],
    ['a first name in other letters', 'MAYA'],
    ['both names in any order', 'rivera may'],
    ['more blanks than it takes', '  maya   rivera '],
  ])('finds a patient by %s', async (_, text) => {
    const patient = await newPatient('Maya Rivera');
    await newPatient('Oscar Lindgren');
    expect(await find(text)).toEqual({
      kind: 'several',
      tasks: [],
      patients: [nameOf(patient)],
      phoneNumber: null,
      isAll: true,
    });
  });

  test.each(['vera', 'maya lindgren', '', '   '])('finds nobody by “%s”', async (text) => {
    await newPatient('Maya Rivera');
    await newPatient('Oscar Lindgren');
    expect(await find(text)).toEqual({
      kind: 'several',
      tasks: [],
      patients: [],
      phoneNumber: null,
      isAll: true,
    });
  });

  test('finds nothing before anything is typed', async () => {
    await newPatient('Maya Rivera');
    await find('  ');
    expect(await lastEntry()).toBeUndefined();
  });

  test('finds each part of a compound name, and letters beyond ASCII', async () => {
    const patient = await newPatient('Zoë Ana de la Cruz');
    for (const text of ['cruz', 'ZOË', 'de la']) {
      expect(await find(text)).toMatchObject({ patients: [{ id: patient.id }] });
    }
  });

  test.each([
    ['O’Brien', "o'brien"],
    ["O'Brien", 'OBrien'],
    ['Müller', 'muller'],
    ['García-Núñez', 'nunez garcia'],
    ['Østergaard', 'ostergaard'],
    ['Strauß', 'strauss'],
  ])('finds %s by “%s”', async (lastName, text) => {
    const patient = await newPatient(`Maya ${lastName}`);
    await newPatient('Oscar Lindgren');
    expect(await find(text)).toMatchObject({ patients: [{ id: patient.id }] });
  });

  test.each(['+12025550177', '(202) 555-0177', '202-555-0177', '1 202 555 0177'])(
    'finds by a phone number, however it is written, whose it is and what calls it: %s',
    async (text) => {
      const patient = { ...(await newPatient('Maya Rivera')), phone_number: '+12025550177' };
      await storePatient(table, patient);
      await newPatient('Oscar Lindgren');
      const task = sampleTask(access.project, { phone_number: '+12025550177' });
      await writeTransaction(table, [
        createTaskItem(table, task),
        createTaskItem(table, sampleTask(access.project)),
      ]);
      expect(await find(text)).toMatchObject({
        patients: [{ id: patient.id }],
        tasks: [{ id: task.id }],
      });
      expect(await lastEntry()).toMatchObject({
        after: { patient_ids: [patient.id], task_ids: [task.id] },
      });
    },
  );

  test.each(['1990-01-31', '1/31/1990', '01/31/1990'])('finds by the date of birth: %s', async (text) => {
    const patient = { ...(await newPatient('Maya Rivera')), date_of_birth: '1990-01-31' };
    await storePatient(table, patient);
    await newPatient('Oscar Lindgren');
    expect(await find(text)).toMatchObject({ patients: [{ id: patient.id }] });
  });

  test.each(['RF95722', 'rf-95722', 'RF 95722'])(
    'finds a task by its confirmation number: %s',
    async (text) => {
      const task = sampleTask(access.project, { result: sampleResult({ reference_number: 'RF95722' }) });
      const other = sampleTask(access.project, { result: sampleResult({ reference_number: 'RF95723' }) });
      await writeTransaction(table, [createTaskItem(table, task), createTaskItem(table, other)]);
      const found = await find(text);
      expect(found).toMatchObject({ patients: [], tasks: [{ id: task.id }] });
    },
  );

  test('finds possible duplicates by name and date of birth in any notation', async () => {
    const patient = await newPatient('Zoë O’Brien');
    const same = { first_name: 'zoe', last_name: "O'BRIEN", date_of_birth: patient.date_of_birth };
    const { id } = access.project;
    await indexForSearch(table, id);
    expect(await findSamePatients(table, id, same)).toEqual([nameOf(patient)]);
    expect(await findSamePatients(table, id, { ...same, date_of_birth: '1984-07-13' })).toEqual([]);
    expect(await findSamePatients(table, id, { ...same, last_name: 'Brien' })).toEqual([]);
  });

  test('distinguishes patients of the same name by date of birth, newest first', async () => {
    const first = await newPatient('Maya Rivera', access, 1);
    const second = { ...(await newPatient('Maya Rivera', access, 2)), date_of_birth: '1990-01-31' };
    await storePatient(table, second);
    expect(await find('maya')).toMatchObject({
      patients: [nameOf(second), nameOf(first)],
    });
  });

  test('finds no patient of another project by name', async () => {
    await newPatient('Maya Rivera', await newProject());
    expect(await find('maya')).toMatchObject({ patients: [] });
  });

  test('finds a patient among any number of others, and says if there are more matches than it reads', async () => {
    const oldest = await newPatient('Maya Oldest', access, 0);
    await newPatients(150, (number) => `Maya Number${number}`);
    expect(await find('maya oldest')).toMatchObject({ patients: [nameOf(oldest)], isAll: true });
    const many = await find('maya');
    expect(many).toMatchObject({ isAll: false, patients: { length: 100 } });
    expect(many).toMatchObject({ patients: [{ last_name: 'Number150' }, ...Array(99).fill({})] });
  });

  test('finds a rare name among more of a frequent one than it reads', async () => {
    const rare = await newPatient('Maya Rivera', access, 0);
    await newPatients(501, () => 'Maya Lopez');
    expect(await find('maya rivera')).toMatchObject({ patients: [nameOf(rare)], isAll: true });
  });

  test.each([
    ['a word of its goal', 'arthroscopy'],
    ['a word that begins so', 'arthro'],
    ['words of goal and outcome in any order', 'denied KNEE'],
    ['a word with an accent', 'peña'],
    ['a number in it', '29881'],
  ])('finds a task by %s', async (_, text) => {
    const task = sampleTask(access.project, {
      task: 'Ask Dr. Pena about the knee arthroscopy (CPT 29881).',
      task_outcome: 'The claim was denied.',
    });
    const other = sampleTask(access.project, { task: 'Ask about the hip.', task_outcome: 'It was paid.' });
    await writeTransaction(table, [createTaskItem(table, task), createTaskItem(table, other)]);
    expect(await find(text)).toMatchObject({ patients: [], tasks: [{ id: task.id }], isAll: true });
  });

  test('finds no task by stop words, or by a word it does not contain', async () => {
    const task = sampleTask(access.project, { task: 'Ask about the knee.' });
    await writeTransaction(table, [createTaskItem(table, task)]);
    for (const text of ['the', 'knee elbow', 'kne']) expect(await find(text)).toMatchObject({ tasks: [] });
  });

  test('finds nothing by a former name or of an erased patient', async () => {
    const before = await newPatient('Maya Rivera');
    const after = { ...before, last_name: 'Lopez' };
    await indexForSearch(table, access.project.id);
    await storePatient(table, after);
    await changeSearchTerms(table, { type: 'patient', ...before }, { type: 'patient', ...after });
    expect(await find('rivera')).toMatchObject({ patients: [] });
    expect(await find('lopez')).toMatchObject({ patients: [nameOf(after)] });
    await deletePatientForTest(table, before.id);
    expect(await find('lopez')).toMatchObject({ patients: [] });
    await changeSearchTerms(table, { type: 'patient', ...after }, null);
    const left = (await scanTable(table)).filter(({ pk }) =>
      String(pk).includes(`TERM#${access.project.id}`),
    );
    expect(left).toEqual([]);
  });

  test('has no word, name or number in its index keys', async () => {
    await newPatient('Wilhelmina Okonkwo');
    await indexForSearch(table, access.project.id);
    const terms = (await scanTable(table)).filter(({ type }) => type === 'search-term');
    expect(terms.length).toBeGreaterThan(0);
    // Hashes contain short words by chance.
    expect(JSON.stringify(terms)).not.toMatch(/wilhel|okonkwo|5550142|1984-07/i);
  });

  test('finds a patient by the clinic’s own ID in any notation', async () => {
    const patient = { ...(await newPatient('Maya Rivera')), external_id: 'MRN-00 4417' };
    await storePatient(table, patient);
    await newPatient('Maya Lopez');
    expect(await find('mrn004417')).toMatchObject({ patients: [nameOf(patient)] });
  });

  test('finds patients stored before the index had names', async () => {
    const [older, newer] = [
      await newPatient('Maya Rivera', access, 1),
      await newPatient('Maya Lopez', access, 2),
    ];
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: patientKey(older.id),
        UpdateExpression: 'REMOVE listed',
      }),
    );
    expect(await find('maya')).toMatchObject({
      patients: [nameOf(newer), nameOf(older)],
    });
  });

  test('by name is audited with the patients found, without the typed words', async () => {
    const patient = await newPatient('Maya Rivera');
    await find('maya');
    const entry = await lastEntry();
    expect(entry).toMatchObject({
      action: 'patients.listed',
      actor: { email: access.caller.person.email },
      target: { type: 'project', id: access.project.id },
      after: { patient_ids: [patient.id] },
    });
    expect(JSON.stringify(entry)).not.toMatch(/maya/i);
  });
});

describe('the names of patients', () => {
  test('are those of the project, each once, and are audited as viewed', async () => {
    const patient = await newPatient('Maya Rivera');
    const stranger = await newPatient('Oscar Lindgren', await newProject());
    const names = await viewPatientNames(table, access, [patient.id, stranger.id, uuidv7(), patient.id]);
    expect([...names]).toEqual([[patient.id, nameOf(patient)]]);
    expect(await lastEntry()).toMatchObject({
      action: 'patients.listed',
      after: { patient_ids: [patient.id] },
    });
  });

  test('are not audited for unknown IDs', async () => {
    expect(await viewPatientNames(table, access, [uuidv7()])).toEqual(new Map());
    expect(await lastEntry()).toBeUndefined();
  });
});
