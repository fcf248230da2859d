import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import { carryOutExport } from '#shared/patient-exports/carry-out-export.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putPatient } from '#shared/table/patient.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type DashboardPages, openDashboardPages } from '../../../support/dashboard-pages.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../../support/embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { projectServices } from '../../../support/project-services.ts';
import { sampleProject, sampleTime } from '../../../support/sample-tasks.ts';

let embedded: EmbeddedTable;
let queues: EmbeddedQueues;
let table: Table;
let pages: DashboardPages;
let project: Project;
let patient: Patient;
beforeAll(async () => {
  [embedded, queues] = await Promise.all([startEmbeddedTable(), startEmbeddedQueues()]);
  ({ table } = embedded);
  queues.createBucket('exports');
  pages = openDashboardPages({
    ...projectServices(table),
    queue: { url: queues.createQueue('deliveries'), client: queues.sqs },
    callQueue: { url: queues.createQueue('calls'), client: queues.sqs },
    erasureQueue: { url: queues.createQueue('erasures'), client: queues.sqs },
  });
});
afterAll(async () => {
  await embedded.stop();
  await queues.stop();
});
beforeEach(async () => {
  project = sampleProject();
  patient = {
    id: uuidv7(),
    project_id: project.id,
    first_name: 'Maya',
    last_name: 'Rivera',
    phone_number: '+12025550142',
    date_of_birth: '1984-07-12',
    created_at: sampleTime,
    updated_at: sampleTime,
  };
  const member = { project_id: project.id, created_at: sampleTime, updated_at: sampleTime };
  await putPatient(table, patient);
  await writeTransaction(table, [
    putProject(table, project),
    ...(['owner', 'staff'] as const).map((role) =>
      addMemberItem(table, { ...member, email: emailOf(role), role }),
    ),
  ]);
});

const emailOf = (role: Role) => `${role}@clinic.example.com`;
const ask = (address: string, form?: Record<string, string>, role: Role = 'owner') =>
  pages.ask({ subject: role, email: emailOf(role), name: null }, address, form);
const pageOf = () => pages.links.patient(project.id, patient.id, '/export');
const recordings = () => bucketRecordingStore('exports', queues.s3);

test('52: the page of an export says what it holds and how far it is, and names nobody', async () => {
  const page = pageOf();
  expect((await ask(pages.links.patient(project.id, patient.id))).body).toContain(`href="${page}"`);
  const before = await ask(page);
  expect(before.body).toContain('Make the export');
  expect(before.body).toContain('access.json');
  expect(before.body).not.toContain(patient.last_name);
  const ordered = await ask(page, {});
  expect([ordered.statusCode, ordered.headers?.location]).toEqual([303, page]);
  expect(queues.messages('erasures').map(({ body }) => body)).toEqual([
    { kind: 'export', patient_id: patient.id },
  ]);
  const pending = await ask(page);
  expect(pending.body).toContain('In progress');
  expect(pending.body).toContain(`data-live="${page}/version"`);
  expect(pending.body).not.toContain(`href="${page}/file"`);
  const version = (await ask(`${page}/version`)).body;
  await carryOutExport({ table, recordings: recordings(), now: () => new Date() }, patient.id);
  expect((await ask(`${page}/version`)).body).not.toBe(version);
  const ready = await ask(page);
  expect(ready.body).toContain('The export is ready.');
  expect(ready.body).toContain(`href="${page}/file"`);
  const link = await ask(`${page}/file`);
  expect(link.statusCode).toBe(302);
  expect(link.headers?.location).toContain(`/exports/${project.id}/${patient.id}.zip?`);
});

test('52: an export is nothing for those who may not erase either', async () => {
  const page = pageOf();
  const shown = await ask(pages.links.patient(project.id, patient.id), undefined, 'staff');
  expect(shown.body).not.toContain(`href="${page}"`);
  for (const address of [page, `${page}/version`, `${page}/file`]) {
    expect((await ask(address, undefined, 'staff')).statusCode).toBe(403);
  }
  expect((await ask(page, {}, 'staff')).statusCode).toBe(403);
});
