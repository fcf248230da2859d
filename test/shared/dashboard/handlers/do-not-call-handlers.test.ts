import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { addOptOutItem, listOptOuts } from '#shared/table/opt-out.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';
import { sampleProject, sampleTime } from '../../../support/sample-tasks.ts';
import { memberEmail, storeProject } from '../../../support/stored-projects.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
let project: Project;
let address: string;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  project = sampleProject();
  address = pages.links.doNotCall(project.id);
  await storeProject(table, project, ['owner', 'staff', 'auditor']);
});

const ask = (to: string, form?: Record<string, string>, role: Role = 'owner') =>
  pages.ask({ subject: role, email: memberEmail(role), name: null }, to, form);
const stored = async () =>
  (await listOptOuts(table, project.id)).map(({ phone_number, status }) => [phone_number, status]);

describe('the do-not-call list', () => {
  test('accepts a number in a usual format, shows who added it when and why, and lifts it with a reason', async () => {
    const added = await ask(address, { phone_number: '(202) 555-0143', reason: 'Asked by letter.' });
    expect(added.headers?.location).toBe(`${address}?done=opt-out-added`);
    const { body } = await ask(address);
    for (const text of ['+1 (202) 555-0143', 'Added by owner@clinic.example.com', 'Asked by letter.']) {
      expect(body).toContain(text);
    }
    const again = await ask(address, { phone_number: '202-555-0143', reason: 'Twice.' });
    expect(again.headers?.location).toBe(`${address}?done=opt-out-already`);

    const number = { phone_number: '+12025550143' };
    const silent = await ask(`${address}/lift`, { ...number, reason: '' });
    expect([silent.statusCode, silent.body.includes('Enter a reason')]).toEqual([400, true]);
    expect(await stored()).toEqual([['+12025550143', 'active']]);
    await ask(`${address}/lift`, { ...number, reason: 'They called back.' });
    expect(await stored()).toEqual([['+12025550143', 'lifted']]);
    const lifted = (await ask(address)).body;
    expect(lifted).toContain('Lifted by owner@clinic.example.com');
    expect(lifted).toContain('They called back.');
  });

  test('accepts a file of numbers completely, or refuses it with the line', async () => {
    const csv = 'Phone,Name\r\n"(202) 555-0143",A\r\n202.555.0144;B\r\n+12025550145\r\n';
    const wrong = await ask(`${address}/import`, { csv: `${csv}nonsense`, import_reason: 'Old system.' });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('Line 5 must begin with a number');
    expect(wrong.body).toContain('202.555.0144;B');
    expect(await stored()).toEqual([]);
    const taken = await ask(`${address}/import`, { csv, import_reason: 'Old system.' });
    expect(taken.headers?.location).toBe(`${address}?done=opt-outs-imported`);
    expect((await stored()).map(([number]) => number)).toEqual([
      '+12025550143',
      '+12025550144',
      '+12025550145',
    ]);
  });

  test('begins with opt-outs on shared lines, which a person confirms', async () => {
    const said = { project_id: project.id, call_id: null, task_id: null, created_at: sampleTime };
    await writeTransaction(table, [
      addOptOutItem(table, { ...said, phone_number: '+18005550120', status: 'review', source: 'call' }),
    ]);
    await ask(address, { phone_number: '202-555-0143', reason: 'By letter.' });
    const { body } = await ask(address);
    expect(body.indexOf('Needs review')).toBeLessThan(body.indexOf('555-0143'));
    await ask(`${address}/confirm`, { phone_number: '+18005550120', reason: 'The whole office.' });
    expect(await stored()).toContainEqual(['+18005550120', 'active']);
  });

  test('shows fifty at a time, in less than 100 KB', async () => {
    const csv = Array.from({ length: 120 }, (_, index) => `+1202555${1000 + index}`).join('\n');
    await ask(`${address}/import`, { csv, import_reason: 'Old system.' });
    const { body } = await ask(`${address}?page=3`);
    expect(body).toContain('20 of 120');
    expect(Buffer.byteLength((await ask(address)).body)).toBeLessThan(100 * 1024);
  });

  test('is visible to staff, changed by owners, and hidden from auditors', async () => {
    const { body } = await ask(address, undefined, 'staff');
    expect(body).not.toContain('Add a number');
    const refused = await ask(address, { phone_number: '202-555-0143', reason: 'x' }, 'staff');
    expect(refused.statusCode).toBe(403);
    expect((await ask(address, undefined, 'auditor')).statusCode).toBe(403);
    expect(await stored()).toEqual([]);
  });
});
