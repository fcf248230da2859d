import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Role } from '#shared/domain/person.ts';
import { alertKey, getAlert } from '#shared/table/alert.ts';
import {
  type DashboardPages,
  type EmbeddedDashboard,
  openDashboardPages,
  startEmbeddedDashboard,
} from '../../../support/dashboard-pages.ts';
import { memberOf, storeProjectOf } from '../../../support/project-members.ts';

let dashboard: EmbeddedDashboard;
let pages: DashboardPages;
let projectId: string;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  pages = openDashboardPages({ ...dashboard.services, sendsMail: true });
});
afterAll(() => dashboard?.stop());
beforeEach(async () => {
  ({ id: projectId } = await storeProjectOf(dashboard.table, ['owner', 'staff', 'auditor']));
});

const ask = (role: Role, form?: Record<string, string>, cookie?: string) =>
  pages.ask(memberOf(role), pages.links.alerts(projectId), form, cookie);
const stored = (role: Role) =>
  getAlert(dashboard.table, alertKey({ project_id: projectId, email: memberOf(role).email }));

test('each member chooses their own alerts, off by default', async () => {
  const first = await ask('staff');
  expect(first.statusCode).toBe(200);
  expect(first.body).toMatch(/value="off"[^>]*checked/);
  expect(await stored('staff')).toBeNull();
  const saved = await ask('staff', { frequency: 'daily' }, 'vat_time_zone=America/Chicago');
  expect(saved.headers?.location).toBe(`${pages.links.alerts(projectId)}?done=alerts-saved`);
  expect(await stored('staff')).toMatchObject({ frequency: 'daily', time_zone: 'America/Chicago' });
  expect((await ask('staff')).body).toMatch(/value="daily"[^>]*checked/);
  expect((await ask('owner')).body).toMatch(/value="off"[^>]*checked/);
  expect(await stored('owner')).toBeNull();
});

test('an invalid choice is refused in the form', async () => {
  const refused = await ask('staff', { frequency: 'always' });
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain('Choose how often you want to get email');
  expect(await stored('staff')).toBeNull();
});

test('people without access to tasks get no alerts, and without email there are no links to them', async () => {
  expect((await ask('auditor')).statusCode).toBe(403);
  expect((await ask('auditor', { frequency: 'hourly' })).statusCode).toBe(403);
  const general = (role: Role, of = pages) => of.ask(memberOf(role), of.links.general(projectId));
  expect((await general('staff')).body).toContain(pages.links.alerts(projectId));
  expect((await general('auditor')).body).not.toContain(pages.links.alerts(projectId));
  const withoutMail = openDashboardPages(dashboard.services);
  expect((await general('staff', withoutMail)).body).not.toContain(pages.links.alerts(projectId));
  expect((await withoutMail.ask(memberOf('staff'), pages.links.alerts(projectId))).statusCode).toBe(404);
});
