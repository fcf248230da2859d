import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '#shared/domain/person.ts';
import { listMemberships } from '#shared/table/member.ts';
import { type DashboardPages, openDashboardPages } from '../../../support/dashboard-pages.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../../support/embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { projectServices } from '../../../support/project-services.ts';

let embedded: EmbeddedTable;
let queues: EmbeddedQueues;
let pages: DashboardPages;
beforeAll(async () => {
  [embedded, queues] = await Promise.all([startEmbeddedTable(), startEmbeddedQueues()]);
  pages = openDashboardPages({
    ...projectServices(embedded.table),
    queue: { url: queues.createQueue('deliveries'), client: queues.sqs },
    callQueue: { url: queues.createQueue('calls'), client: queues.sqs },
  });
});
afterAll(async () => {
  await embedded.stop();
  await queues.stop();
});

function newPerson(): Person {
  const subject = randomUUID();
  return { subject, email: `${subject}@clinic.example.com`, name: null };
}

async function projectsOf({ email }: Person): Promise<string[]> {
  return (await listMemberships(embedded.table, email)).map(({ project_id }) => project_id);
}

describe('the form of a new project', () => {
  const newForm = () => ({ form_key: randomUUID(), name: 'Harbor Street Clinic', carrier: 'sandbox' });
  const send = (person: Person, form: Readonly<Record<string, string>>) =>
    pages.ask(person, pages.links.newProject, form);

  test('creates one project, however often it is sent and even at the same time', async () => {
    const [person, form] = [newPerson(), newForm()];
    const answers = await Promise.all([send(person, form), send(person, form)]);
    answers.push(await send(person, form));
    const [projectId, ...others] = await projectsOf(person);
    expect(others).toEqual([]);
    for (const { headers } of answers) {
      expect(headers?.location).toBe(`${pages.links.project(String(projectId))}?done=project-created`);
    }
  });

  test('means one project of each person who sends it', async () => {
    const [one, other, form] = [newPerson(), newPerson(), newForm()];
    for (const person of [one, other]) expect((await send(person, form)).statusCode).toBe(303);
    expect(await projectsOf(one)).not.toEqual(await projectsOf(other));
  });

  test('asks first when it was changed after it was sent', async () => {
    const [person, form] = [newPerson(), newForm()];
    await send(person, form);
    const { statusCode, body } = await send(person, { ...form, name: 'Riverside Family Clinic' });
    expect(statusCode).toBe(400);
    expect(body).toContain('This form was sent before');
    expect(body).toContain('value="Riverside Family Clinic"');
    expect(await projectsOf(person)).toHaveLength(1);
  });
});
