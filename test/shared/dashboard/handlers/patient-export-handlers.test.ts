import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Patient } from '#shared/domain/patient.ts';
import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import { carryOutExport } from '#shared/patient-exports/carry-out-export.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import type { Table } from '#shared/table/client.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';
import { samplePatient, sampleProject } from '../../../support/sample-tasks.ts';
import { storePatient } from '../../../support/stored-patients.ts';
import { memberEmail, storeProject } from '../../../support/stored-projects.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
let project: Project;
let patient: Patient;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
  dashboard.queues.createBucket('exports');
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  project = sampleProject();
  patient = samplePatient(project);
  await storePatient(table, patient);
  await storeProject(table, project, ['owner', 'staff']);
});

const ask = (address: string, form?: Record<string, string>, role: Role = 'owner') =>
  pages.ask({ subject: role, email: memberEmail(role), name: null }, address, form);
const pageOf = () => pages.links.patient(project.id, patient.id, '/export');
const recordings = () => bucketRecordingStore('exports', dashboard.table.projectKey, dashboard.queues.s3);

test('52: the export page shows contents and progress, and no names', async () => {
  const page = pageOf();
  expect((await ask(pages.links.patient(project.id, patient.id))).body).toContain(`href="${page}"`);
  const before = await ask(page);
  expect(before.body).toContain('Create export');
  expect(before.body).toContain('access.json');
  expect(before.body).not.toContain(patient.last_name);
  const ordered = await ask(page, {});
  expect([ordered.statusCode, ordered.headers?.location]).toEqual([303, page]);
  expect(dashboard.queues.messages('erasures').map(({ body }) => body)).toEqual([
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

test('52: an export requires permission to erase', async () => {
  const page = pageOf();
  const shown = await ask(pages.links.patient(project.id, patient.id), undefined, 'staff');
  expect(shown.body).not.toContain(`href="${page}"`);
  for (const address of [page, `${page}/version`, `${page}/file`]) {
    expect((await ask(address, undefined, 'staff')).statusCode).toBe(403);
  }
  expect((await ask(page, {}, 'staff')).statusCode).toBe(403);
});
