import { describe, expect, test } from 'vitest';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { addOptOutItem } from '#shared/table/opt-out.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type ApiReply, patientBody } from '../../support/api-under-test.ts';
import type { ManagementApi, StaffedProject } from '../../support/management-api.ts';
import { sampleTime } from '../../support/sample-tasks.ts';

/** A project's do-not-call list, and erasure by people. */
export function optOutSuite(api: () => ManagementApi): void {
  const ask = (
    project: StaffedProject,
    method: string,
    path: string,
    body?: unknown,
    token = project.owner,
  ): Promise<ApiReply> => api().ask(method, `/admin/projects/${project.projectId}${path}`, token, body);
  const actionsIn = async ({ projectId }: StaffedProject): Promise<string[]> => {
    const { items } = await listAuditEntries(api().table, projectId, { limit: 50, before: null });
    const byPeople = items.filter(({ actor }) => actor.kind === 'person');
    expect(JSON.stringify(byPeople)).not.toContain('+12025550');
    return byPeople.map(({ action }) => action);
  };
  const statusesIn = async (project: StaffedProject): Promise<unknown[]> => {
    const { json } = await ask(project, 'GET', '/opt-outs', undefined, project.viewer);
    return json.opt_outs.map((one: Record<string, unknown>) => [one.phone_number, one.status, one.source]);
  };

  describe('the do-not-call list', () => {
    test('is added to, imported into, lifted from with a reason, and says who and when', async () => {
      const project = await api().newProject();
      const added = await ask(project, 'POST', '/opt-outs', {
        phone_number: '+12025550161',
        reason: 'By letter.',
      });
      expect([added.status, added.json]).toEqual([200, { added: 1, already: 0 }]);
      const csv = 'number\n+12025550160\n+12025550161\n';
      const imported = await ask(project, 'POST', '/opt-outs/import', { csv, reason: 'Old system.' });
      expect(imported.json).toEqual({ added: 1, already: 1 });
      const lifted = await ask(project, 'POST', '/opt-outs/%2B12025550161/lift', { reason: 'Called back.' });
      expect([lifted.status, lifted.json.status, lifted.json.decision]).toEqual([
        200,
        'lifted',
        {
          at: expect.any(String),
          by: `owner.${project.projectId}@clinic.example.com`,
          reason: 'Called back.',
        },
      ]);
      const again = await ask(project, 'POST', '/opt-outs/%2B12025550161/lift', { reason: 'Again.' });
      expect([again.status, again.json]).toEqual([404, { detail: 'Opt-out not found' }]);
      expect(await statusesIn(project)).toEqual([
        ['+12025550160', 'active', 'import'],
        ['+12025550161', 'lifted', 'person'],
      ]);
      expect((await actionsIn(project)).sort()).toEqual(['opt-out.added', 'opt-out.added', 'opt-out.lifted']);
    });

    test('has what was said on a shared line confirmed by a person', async () => {
      const project = await api().newProject();
      const said = {
        project_id: project.projectId,
        phone_number: '+18005550160',
        call_id: project.projectId,
        task_id: project.projectId,
        status: 'review',
        created_at: sampleTime,
      } as const;
      await writeTransaction(api().table, [addOptOutItem(api().table, said)]);
      const confirm = (): Promise<ApiReply> =>
        ask(project, 'POST', '/opt-outs/%2B18005550160/confirm', { reason: 'The payer says so.' });
      expect((await confirm()).json.status).toBe('active');
      expect((await confirm()).status).toBe(404);
    });

    test.each([
      ['/opt-outs', { phone_number: '202-555-0160', reason: 'x' }, 400],
      ['/opt-outs', { phone_number: '+12025550160' }, 400],
      ['/opt-outs/import', { csv: '+12025550160\nnobody\n', reason: 'x' }, 400],
      ['/opt-outs/no-number/lift', { reason: 'x' }, 400],
      ['/opt-outs/%2B12025550160/lift', { reason: '' }, 400],
    ])('refuses POST %s of %j, and changes nothing', async (path, body, status) => {
      const project = await api().newProject();
      expect((await ask(project, 'POST', path, body)).status).toBe(status);
      expect(await statusesIn(project)).toEqual([]);
    });

    test('is changed by owners only', async () => {
      const project = await api().newProject();
      const body = { phone_number: '+12025550160', reason: 'x' };
      expect((await ask(project, 'POST', '/opt-outs', body, project.viewer)).status).toBe(403);
    });
  });

  describe('erasing by people', () => {
    test('is for owners, gives a receipt that viewers may read, and is in the audit log', async () => {
      const project = await api().newProject();
      const { project_id: _, ...body } = patientBody(project.projectId);
      const { json } = await ask(project, 'POST', '/patients', body);
      const path = `/patients/${json.id}`;
      expect((await ask(project, 'DELETE', path, undefined, project.viewer)).status).toBe(403);
      const erased = await ask(project, 'DELETE', path);
      expect([erased.status, erased.json.target]).toEqual([202, 'patient']);
      const receipt = await ask(project, 'GET', `/erasures/${json.id}`, undefined, project.viewer);
      expect([receipt.status, receipt.json]).toEqual([200, erased.json]);
      expect((await ask(project, 'GET', path)).status).toBe(404);
      expect(await actionsIn(project)).toContain('erasure.ordered');
    });
  });
}
