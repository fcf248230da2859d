import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '#shared/domain/person.ts';
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

const owner: Person = { subject: 'owner', email: 'owner@clinic.example.com', name: null };

describe('the search for a patient', () => {
  test('leads whoever comes back to its address to where they can search again', async () => {
    const form = { form_key: randomUUID(), name: 'Harbor Street Clinic', carrier: 'sandbox' };
    const created = await pages.ask(owner, pages.links.newProject, form);
    const projectId = /projects\/([0-9a-f-]+)/.exec(String(created.headers?.location))?.[1] ?? '';
    const { statusCode, headers } = await pages.ask(owner, pages.links.find(projectId));
    expect([statusCode, headers?.location]).toEqual([303, pages.links.patients(projectId)]);
    const elsewhere = await pages.ask(owner, pages.links.find(randomUUID()));
    expect(elsewhere.statusCode).toBe(404);
  });
});
