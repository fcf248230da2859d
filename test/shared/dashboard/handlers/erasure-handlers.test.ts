import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Patient } from '#shared/domain/patient.ts';
import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { getErasure, replaceErasureItem } from '#shared/table/erasure.ts';
import { getPatient } from '#shared/table/patient.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';
import { samplePatient, sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';
import { storePatient } from '../../../support/stored-patients.ts';
import { memberEmail, storeProject } from '../../../support/stored-projects.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
let project: Project;
let patient: Patient;
let task: Task;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());
beforeEach(() => begin());

async function begin(changes: Partial<Project> = {}): Promise<void> {
  project = sampleProject(changes);
  patient = samplePatient(project);
  task = sampleTask(project, { patient_id: patient.id, status: 'COMPLETED' });
  await storePatient(table, patient);
  await storeProject(table, project, ['owner', 'staff']);
  await writeTransaction(table, [createTaskItem(table, task)]);
}

const ask = (address: string, form?: Record<string, string>, role: Role = 'owner') =>
  pages.ask({ subject: role, email: memberEmail(role), name: null }, address, form);

describe.each(['patient', 'task'] as const)('erasing a %s', (what) => {
  const idOf = () => (what === 'patient' ? patient.id : task.id);
  const pageOf = () => pages.links[what](project.id, idOf());
  const eraseAddress = () => pages.links[what](project.id, idOf(), '/erase');

  test('leads to a receipt that shows the progress without names', async () => {
    expect((await ask(pageOf())).body).toContain(`action="${eraseAddress()}"`);
    const ordered = await ask(eraseAddress(), {});
    const receipt = pages.links.erasure(project.id, idOf());
    expect([ordered.statusCode, ordered.headers?.location]).toEqual([303, receipt]);
    const { body } = await ask(receipt);
    expect(body).toContain('In progress');
    expect(body).toContain(`data-live="${receipt}/version"`);
    expect(body).not.toMatch(/Maya|Rivera|555-01/);
    expect((await ask(`${receipt}/version`)).body.trim()).toBe('PENDING');
    const told = dashboard.queues.messages('erasures').map((message) => message.body);
    expect(told).toContainEqual({ kind: 'erasure', id: idOf() });
  });

  test('is shown as done once nothing follows', async () => {
    await ask(eraseAddress(), {});
    const erasure = await getErasure(table, idOf());
    if (erasure === null) throw new Error('no erasure');
    const done = { ...erasure, status: 'DONE', completed_at: sampleTime, due_at: null } as const;
    await writeTransaction(table, [replaceErasureItem(table, done)]);
    const { body } = await ask(pages.links.erasure(project.id, idOf()));
    expect(body).toContain('<h2>Erased</h2>');
    expect(body).toContain('data-news="The erasure is done."');
    expect(body).not.toContain('data-live=');
  });

  test('requires permission, and no legal hold', async () => {
    expect((await ask(pageOf(), undefined, 'staff')).body).not.toContain(eraseAddress());
    expect((await ask(eraseAddress(), {}, 'staff')).statusCode).toBe(403);
    await begin({ legal_hold: true });
    const held = await ask(eraseAddress(), {});
    expect([held.statusCode, /legal hold/i.test(held.body)]).toEqual([409, true]);
    expect(await getPatient(table, patient.id)).not.toBeNull();
    expect((await ask(pages.links.erasure(project.id, idOf()))).statusCode).toBe(404);
  });
});
