import { afterAll, beforeAll, expect, test } from 'vitest';
import { toEntry } from '#shared/audit/access-entry.ts';
import { callClaimed } from '#shared/audit/actions.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { writeAuditEntry } from '#shared/table/audit-log.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';
import { memberOf, storeProjectOf } from '../../../support/project-members.ts';

let dashboard: EmbeddedDashboard;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
});
afterAll(() => dashboard.stop());

test("people's changes are on the first page, however many calls followed", async () => {
  const { table, pages } = dashboard;
  const { id } = await storeProjectOf(table, ['owner']);
  const begin = Date.now() - 60_000;
  const write = (minute: number, action: Parameters<typeof toEntry>[2]) =>
    writeAuditEntry(
      table,
      toEntry({ actor: { kind: 'service' }, origin: null }, id, action, new Date(begin + minute)),
    );
  await write(0, { action: 'project.changed', target: { type: 'project', id }, after: { name: 'New' } });
  for (let call = 1; call <= 250; call += 1) {
    const ids = { id: uuidv7(), patient_id: uuidv7(), task_id: uuidv7() };
    await write(call, callClaimed(ids));
  }
  const show = async (kind: string) =>
    (await pages.ask(memberOf('owner'), `${pages.links.auditLog(id)}?kind=${kind}`)).body;
  const changes = await show('changes');
  expect(changes).toContain('Changed the settings');
  expect(changes).not.toContain('Started a call');
  const calls = await show('service');
  expect(calls).toContain('Started a call');
  expect(calls).not.toContain('Changed the settings');
});
