import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { getPatient } from '#shared/table/patient.ts';
import {
  type ApiClient,
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  createTaskIn,
  newApiClient,
  send,
} from '../../support/api-under-test.ts';

/** What the audit log records about clients: what they saw and changed, with which key, from where and why. */
export function accessSuite(api: () => ApiUnderTest): void {
  const get = (client: ApiClient, path: string, headers: Record<string, string> = {}): Promise<ApiReply> =>
    send(api().baseUrl, { method: 'GET', path, apiKey: client.apiKey, headers });
  /** Entries about keys, oldest first. */
  const entriesOf = async ({ projectId }: ApiClient): Promise<AuditEntry[]> => {
    const { items } = await listAuditEntries(api().table, projectId, { limit: 100, before: null });
    return items.filter(({ actor }) => actor.kind === 'api-key').toReversed();
  };

  describe('the audit log of a client', () => {
    test('tells every patient and task that a key has created, cancelled, read and listed', async () => {
      const client = await newApiClient(api().table);
      const patientId = await createPatientIn(api(), client);
      const taskId = await createTaskIn(api(), client, patientId);
      const paths = [
        `/v1/patient/${patientId}`,
        '/v1/patient',
        `/v1/task/${taskId}`,
        `/v1/task/${taskId}?include_transcript=true`,
        '/v1/task',
      ];
      for (const path of paths) expect((await get(client, path)).status, path).toBe(200);
      const cancel = { method: 'POST', path: `/v1/task/${taskId}/cancel`, apiKey: client.apiKey };
      expect([200, 409]).toContain((await send(api().baseUrl, cancel)).status);
      const task = { target: { type: 'task', id: taskId }, patient_ids: [patientId] };
      const patient = { target: { type: 'patient', id: patientId }, patient_ids: [patientId] };
      const project = { target: { type: 'project', id: client.projectId }, patient_ids: [patientId] };
      expect((await entriesOf(client)).slice(0, 7)).toMatchObject([
        { action: 'patient.created', ...patient },
        { action: 'task.created', ...task },
        { action: 'patient.viewed', ...patient },
        { action: 'patients.listed', ...project },
        { action: 'task.viewed', ...task },
        { action: 'transcript.viewed', ...task },
        { action: 'tasks.listed', ...project },
      ]);
    });

    test('names what a change of a patient concerned and no values, and takes one of nothing for a look', async () => {
      const client = await newApiClient(api().table);
      const patientId = await createPatientIn(api(), client);
      const patch = async (body: Record<string, unknown>): Promise<void> => {
        const path = `/v1/patient/${patientId}`;
        const { status } = await send(api().baseUrl, { method: 'PATCH', path, apiKey: client.apiKey, body });
        expect(status).toBe(200);
      };
      await patch({ last_name: 'Exemplar', external_id: 'chart-4711' });
      await patch({ last_name: 'Exemplar' });
      const patient = { target: { type: 'patient', id: patientId }, patient_ids: [patientId] };
      const entries = (await entriesOf(client)).slice(1);
      expect(entries).toMatchObject([
        { action: 'patient.changed', ...patient, after: { fields: ['last_name', 'external_id'] } },
        { action: 'patient.viewed', ...patient },
      ]);
      expect(JSON.stringify(entries)).not.toMatch(/Exemplar|chart-4711/);
      const kept = await getPatient(api().table, patientId);
      const by = `API key ${entries[0]?.actor.kind === 'api-key' ? entries[0].actor.id : ''}`;
      expect(kept?.changes).toMatchObject([{ by, fields: ['last_name', 'external_id'] }]);
    });

    test('says by which request, from where and why', async () => {
      const client = await newApiClient(api().table);
      const patientId = await createPatientIn(api(), client);
      const reply = await get(client, `/v1/patient/${patientId}`, { 'X-Access-Reason': 'Ticket 4711' });
      const entry = (await entriesOf(client)).at(-1);
      expect(entry).toMatchObject({
        reason: 'Ticket 4711',
        request_id: reply.headers.get('x-request-id'),
        source_ip: expect.stringMatching(/^[\d.:a-f]+$/),
      });
    });

    test('tells which key had a patient and a task erased, and keeps whose they were', async () => {
      const client = await newApiClient(api().table);
      const patientId = await createPatientIn(api(), client);
      const taskId = await createTaskIn(api(), client, patientId);
      for (const path of [`/v1/task/${taskId}`, `/v1/patient/${patientId}`]) {
        for (let times = 0; times < 2; times += 1) {
          const reply = await send(api().baseUrl, {
            method: 'DELETE',
            path,
            apiKey: client.apiKey,
            headers: { 'X-Access-Reason': 'Their wish' },
          });
          expect(reply.status, path).toBe(202);
        }
      }
      const ordered = { action: 'erasure.ordered', reason: 'Their wish', patient_ids: [patientId] };
      expect((await entriesOf(client)).slice(2)).toMatchObject([
        { ...ordered, target: { type: 'task', id: taskId } },
        { ...ordered, target: { type: 'patient', id: patientId } },
      ]);
      const { items } = await listAuditEntries(api().table, client.projectId, { limit: 100, before: null });
      expect(items.find(({ action }) => action === 'patient.erased')).toMatchObject({
        actor: { kind: 'service' },
        after: { requested_by: 'client' },
        patient_ids: [patientId],
      });
    });

    test('refuses a reason that cannot be kept', async () => {
      const { mine } = api();
      const reply = await get(mine, '/v1/patient', { 'X-Access-Reason': 'x'.repeat(201) });
      expect([reply.status, reply.json.detail]).toEqual([
        400,
        'X-Access-Reason must be 1 to 200 printable ASCII characters',
      ]);
      expect(reply.headers.get('x-error-fields')).toBe('X-Access-Reason');
    });

    test('tells one visit once, however often the same is looked at', async () => {
      const client = await newApiClient(api().table);
      const patientId = await createPatientIn(api(), client);
      for (let looks = 0; looks < 4; looks += 1) await get(client, `/v1/patient/${patientId}`);
      const views = (await entriesOf(client)).filter(({ action }) => action === 'patient.viewed');
      expect(views).toHaveLength(1);
    });

    test('tells nothing of what was not found or is another project’s', async () => {
      const [client, stranger] = [await newApiClient(api().table), await newApiClient(api().table)];
      const patientId = await createPatientIn(api(), client);
      expect((await get(stranger, `/v1/patient/${patientId}`)).status).toBe(404);
      expect(await entriesOf(stranger)).toEqual([]);
    });
  });
}
