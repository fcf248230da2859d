import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Patient } from '#shared/domain/patient.ts';
import type { Person } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putPatient } from '#shared/table/patient.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type DashboardPages, openDashboardPages } from '../../../support/dashboard-pages.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../../support/embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { projectServices } from '../../../support/project-services.ts';
import { sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';

let embedded: EmbeddedTable;
let queues: EmbeddedQueues;
let table: Table;
let open: (changes?: { hasSandboxPhone: boolean }) => DashboardPages;
beforeAll(async () => {
  [embedded, queues] = await Promise.all([startEmbeddedTable(), startEmbeddedQueues()]);
  ({ table } = embedded);
  const urls = { queue: queues.createQueue('deliveries'), callQueue: queues.createQueue('calls') };
  open = (changes) =>
    openDashboardPages({
      ...projectServices(table),
      queue: { url: urls.queue, client: queues.sqs },
      callQueue: { url: urls.callQueue, client: queues.sqs },
      ...changes,
    });
});
afterAll(async () => {
  await embedded.stop();
  await queues.stop();
});

const owner: Person = { subject: 'owner', email: 'owner@clinic.example.com', name: null };
let project: Project;
let task: Task;
beforeEach(async () => {
  project = sampleProject();
  const patient: Patient = {
    id: randomUUID(),
    project_id: project.id,
    first_name: 'Maya',
    last_name: 'Rivera',
    phone_number: '+12025550142',
    date_of_birth: '1984-07-12',
    created_at: sampleTime,
    updated_at: sampleTime,
  };
  task = sampleTask(project, { patient_id: patient.id, status: 'FAILED' });
  const member = { project_id: project.id, created_at: sampleTime, updated_at: sampleTime };
  await putPatient(table, patient);
  await writeTransaction(table, [
    putProject(table, project),
    addMemberItem(table, { ...member, email: owner.email, role: 'owner' }),
    createTaskItem(table, task),
  ]);
});

/** Presses "Call again now" on the page of the task. */
async function callAgain(pages: DashboardPages, key: string = randomUUID()) {
  const address = pages.links.task(project.id, task.id, '/call-again');
  const { statusCode, headers } = await pages.ask(owner, address, { form_key: key });
  return { statusCode, newTaskId: /tasks\/([0-9a-f-]+)/.exec(String(headers?.location))?.[1] ?? '' };
}

describe('calling again', () => {
  test('makes one task of the same instructions, however often it is pressed', async () => {
    const [pages, key] = [open(), randomUUID()];
    const [first, second] = [await callAgain(pages, key), await callAgain(pages, key)];
    expect([first.statusCode, second.newTaskId]).toEqual([303, first.newTaskId]);
    const { patient_id, phone_number, task: goal } = task;
    expect(await getTask(table, first.newTaskId)).toMatchObject({
      patient_id,
      phone_number,
      task: goal,
      status: 'PENDING',
    });
  });

  test('is refused where nobody could be called', async () => {
    const { statusCode, newTaskId } = await callAgain(open({ hasSandboxPhone: false }));
    expect([statusCode, newTaskId]).toEqual([403, '']);
  });
});
