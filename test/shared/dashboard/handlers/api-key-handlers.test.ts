import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '#shared/domain/person.ts';
import { listProjectApiKeys } from '#shared/table/api-key.ts';
import type { Table } from '#shared/table/client.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
let projectId: string;
const owner: Person = { subject: 'owner', email: 'owner@clinic.example.com', name: null };
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
  const form = { form_key: randomUUID(), name: 'Harbor Street Clinic', carrier: 'sandbox' };
  const created = await pages.ask(owner, pages.links.newProject, form);
  projectId = /projects\/([0-9a-f-]+)/.exec(String(created.headers?.location))?.[1] ?? '';
});
afterAll(() => dashboard.stop());

const keys = async () => (await listProjectApiKeys(table, projectId, { limit: 10, before: null })).items;

describe('the form of a new key', () => {
  test('limits it to the selected permissions and the given addresses, one per line', async () => {
    const { statusCode } = await pages.ask(owner, pages.links.apiKeys(projectId), {
      name: 'Reporting',
      lifetime_days: '',
      scopes: ['tasks:read', 'recordings:read'],
      allowed_addresses: '198.51.100.0/24\r\n192.0.2.7\r\n',
    });
    expect(statusCode).toBe(303);
    const { body } = await pages.ask(owner, pages.links.apiKeys(projectId));
    expect(body).toContain('may only: read tasks and transcripts, fetch recordings');
    expect((await keys())[0]).toMatchObject({
      name: 'Reporting',
      scopes: ['tasks:read', 'recordings:read'],
      allowed_addresses: ['198.51.100.0/24', '192.0.2.7'],
    });
  });

  test('creates an unlimited key if nothing is selected or given', async () => {
    await pages.ask(owner, pages.links.apiKeys(projectId), { name: 'All', allowed_addresses: ' ' });
    expect((await keys())[0]).toMatchObject({ name: 'All', scopes: null, allowed_addresses: null });
  });

  test('keeps typed values if an address is invalid', async () => {
    const before = await keys();
    const { statusCode, body } = await pages.ask(owner, pages.links.apiKeys(projectId), {
      name: 'Wrong',
      scopes: 'tasks:read',
      allowed_addresses: 'office',
    });
    expect(statusCode).toBe(400);
    expect(body).toContain('Enter up to 20 IP addresses or ranges such as 198.51.100.0/24, one per line');
    expect(body).toContain('>office</textarea>');
    expect(await keys()).toEqual(before);
  });
});
