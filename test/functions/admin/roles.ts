import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { Role } from '#shared/domain/person.ts';
import { createPatientIn, createTaskIn, patientBody } from '../../support/api-under-test.ts';
import type { ManagementApi, StaffedProject } from '../../support/management-api.ts';

/** Roles that may do it; all others are refused. */
const allowed: readonly (readonly [method: string, path: string, body: unknown, roles: readonly Role[]])[] = [
  ['GET', '', undefined, Role.options],
  ['GET', '/usage', undefined, Role.options],
  ['PATCH', '', { name: 'Renamed' }, ['owner', 'manager']],
  ['GET', '/members', undefined, ['owner', 'manager', 'viewer', 'auditor']],
  ['PUT', '/members/new@clinic.example.com', { role: 'viewer' }, ['owner']],
  ['GET', '/api-keys', undefined, ['owner', 'manager', 'viewer', 'auditor']],
  ['POST', '/api-keys', { name: 'Key' }, ['owner']],
  ['GET', '/webhooks', undefined, ['owner', 'manager', 'viewer', 'auditor']],
  ['POST', '/webhooks', { url: 'http://127.0.0.1:9/hooks' }, ['owner', 'manager']],
  ['GET', '/webhooks/{webhook}/secret', undefined, ['owner']],
  ['GET', '/patients', undefined, ['owner', 'manager', 'staff', 'viewer']],
  ['GET', '/patients/{patient}', undefined, ['owner', 'manager', 'staff', 'viewer']],
  ['POST', '/patients', 'patient', ['owner', 'manager', 'staff']],
  ['PATCH', '/patients/{patient}', { first_name: 'Adah' }, ['owner', 'manager', 'staff']],
  ['GET', '/tasks', undefined, ['owner', 'manager', 'staff', 'viewer']],
  ['GET', '/opt-outs', undefined, ['owner', 'manager', 'staff', 'viewer']],
  ['POST', '/opt-outs', { phone_number: '+12025550157', reason: 'By letter' }, ['owner', 'manager']],
  ['GET', '/destinations', undefined, ['owner', 'manager', 'staff', 'viewer']],
  ['PUT', '/destinations/%2B18885550142', { name: 'Payer', kind: 'payer' }, ['owner', 'manager']],
  ['GET', '/audit-log', undefined, ['owner', 'manager', 'viewer', 'auditor']],
  ['GET', '/patients/{patient}/access-log', undefined, ['owner', 'manager', 'auditor']],
  ['POST', '/patients/{patient}/export', undefined, ['owner', 'manager']],
  ['GET', '/patients/{patient}/export', undefined, ['owner', 'manager']],
  // Last, because the others need what is erased; erasing again returns the same receipt.
  ['DELETE', '/tasks/{task}', undefined, ['owner', 'manager']],
  ['DELETE', '/patients/{patient}', undefined, ['owner', 'manager']],
  ['GET', '/erasures/{patient}', undefined, ['owner', 'manager', 'staff', 'viewer']],
];

/** One project with a member in each role. */
export function roleSuite(api: () => ManagementApi): void {
  describe('a role', () => {
    let project: StaffedProject;
    let tokens: Map<Role, string>;
    let patient: string;
    let task: string;
    let webhook: string;
    const ask = (token: string, method: string, path: string, body?: unknown) =>
      api().ask(method, `/admin/projects/${project.projectId}${path}`, token, body);
    beforeAll(async () => {
      project = await api().newProject();
      patient = await createPatientIn(api(), project);
      task = await createTaskIn(api(), project, patient);
      const endpoint = { url: 'http://127.0.0.1:9/first' };
      webhook = (await ask(project.owner, 'POST', '/webhooks', endpoint)).json.id;
      tokens = new Map();
      for (const role of Role.options) {
        const email = `${role}.${uuidv7()}@clinic.example.com`;
        expect((await ask(project.owner, 'PUT', `/members/${email}`, { role })).status).toBe(200);
        tokens.set(role, await api().tokenOf(email));
      }
    });

    test.each(allowed)('%s %s is for those whose role allows it', async (method, path, given, roles) => {
      const body = given === 'patient' ? patientBody(project.projectId) : given;
      const address = path
        .replace('{patient}', patient)
        .replace('{task}', task)
        .replace('{webhook}', webhook);
      for (const [role, token] of tokens) {
        const reply = await ask(token, method, address, body);
        const expected = roles.includes(role) ? expect.stringMatching(/^20[012]$/) : '403';
        expect(String(reply.status), role).toEqual(expected);
        if (reply.status === 403) expect(reply.json.detail).toMatch(/^Only .* of the project may do this$/);
      }
    });
  });
}
