import { describe, expect, test } from 'vitest';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { ApiReply } from '../../support/api-under-test.ts';
import { storeEntry } from '../../support/directory-entries.ts';
import type { ManagementApi, StaffedProject } from '../../support/management-api.ts';

const line = { name: 'Example Health', kind: 'payer', concurrent_calls: 3 };

/** The directory of a project. */
export function destinationSuite(api: () => ManagementApi): void {
  const ask = (
    project: StaffedProject,
    method: string,
    path: string,
    body?: unknown,
    token = project.owner,
  ): Promise<ApiReply> =>
    api().ask(method, `/admin/projects/${project.projectId}/destinations${path}`, token, body);

  describe('the directory of a project', () => {
    test('is added to, changed and removed from, beside the operator’s, and the audit log tells', async () => {
      const project = await api().newProject();
      await storeEntry(api().table, '+18885550161', { concurrent_calls: 20 });
      const saved = await ask(project, 'PUT', '/%2B18885550161', line);
      expect([saved.status, saved.json]).toEqual([
        200,
        expect.objectContaining({
          ...line,
          project_id: project.projectId,
          phone_number: '+18885550161',
          hours: null,
          updated_by: `owner.${project.projectId}@clinic.example.com`,
        }),
      ]);
      await ask(project, 'PUT', '/%2B18885550161', { ...line, concurrent_calls: 2 });
      const { json } = await ask(project, 'GET', '', undefined, project.viewer);
      expect(json.destinations).toMatchObject([{ concurrent_calls: 2 }]);
      expect(json.operator).toContainEqual(
        expect.objectContaining({ phone_number: '+18885550161', concurrent_calls: 20 }),
      );
      expect(JSON.stringify(json.operator)).not.toContain('kim');
      expect((await ask(project, 'DELETE', '/%2B18885550161')).status).toBe(204);
      const gone = await ask(project, 'DELETE', '/%2B18885550161');
      expect([gone.status, gone.json]).toEqual([404, { detail: 'Destination not found' }]);
      const { items } = await listAuditEntries(api().table, project.projectId, { limit: 50, before: null });
      const told = items.filter(({ action }) => action.startsWith('destination.'));
      expect(
        told.map(({ action, before, after }) => [action, before?.concurrent_calls, after?.concurrent_calls]),
      ).toEqual([
        ['destination.removed', 2, undefined],
        ['destination.saved', 3, 2],
        ['destination.saved', undefined, 3],
      ]);
    });

    test.each([
      ['/555', line],
      ['/%2B18885550162', { ...line, kind: 'bank' }],
      ['/%2B18885550162', { ...line, name: '' }],
      ['/%2B18885550162', { ...line, max_hold_minutes: 111 }],
      ['/%2B18885550162', { ...line, max_call_minutes: 111 }],
      ['/%2B18885550162', { ...line, last_phone_number: '+1888555016' }],
      [
        '/%2B18885550162',
        {
          ...line,
          hours: { time_zone: 'America/New_York', weekly: [{ days: [8], opens: '08:00', closes: '09:00' }] },
        },
      ],
    ])('refuses PUT %s of %j, and changes nothing', async (path, body) => {
      const project = await api().newProject();
      expect((await ask(project, 'PUT', path, body)).status).toBe(400);
      expect((await ask(project, 'GET', '')).json.destinations).toEqual([]);
    });
  });
}
