import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { getTask } from '#shared/table/task.ts';
import {
  type ApiClient,
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  createTaskIn,
  send,
  taskBody,
} from '../../support/api-under-test.ts';

/** `DELETE /v1/patient/{patient_id}`, `DELETE /v1/task/{task_id}` and the receipts of both. */
export function erasureSuite(api: () => ApiUnderTest): void {
  const ask = (method: string, path: string, client: ApiClient = api().mine): Promise<ApiReply> =>
    send(api().baseUrl, { method, path, apiKey: client.apiKey });

  describe('erasing', () => {
    test('a patient is answered with a receipt; the patient is gone at once, for new tasks too', async () => {
      const { mine, baseUrl } = api();
      const id = await createPatientIn(api(), mine);
      const reply = await ask('DELETE', `/v1/patient/${id}`);
      expect(reply.status).toBe(202);
      expect(reply.json).toEqual({
        id,
        project_id: mine.projectId,
        target: 'patient',
        status: 'PENDING',
        waiting_for: null,
        requested_at: expect.any(String),
        completed_at: null,
      });
      expect((await ask('GET', `/v1/patient/${id}`)).status).toBe(404);
      const body = taskBody(mine.projectId, id);
      const task = await send(baseUrl, { method: 'POST', path: '/v1/task', apiKey: mine.apiKey, body });
      expect([task.status, task.json.detail]).toEqual([404, 'Patient not found']);
      expect((await ask('GET', `/v1/erasure/${id}`)).json).toEqual(reply.json);
    });

    test('the same again is answered with the same receipt', async () => {
      const id = await createPatientIn(api(), api().mine);
      const replies = [
        await ask('DELETE', `/v1/patient/${id}`),
        await ask('DELETE', `/v1/patient/${id.toUpperCase()}`),
      ];
      expect(replies.map(({ status }) => status)).toEqual([202, 202]);
      expect(replies[1]?.json).toEqual(replies[0]?.json);
    });

    test('a task is answered with a receipt', async () => {
      const { mine, table } = api();
      const id = await createTaskIn(api(), mine, await createPatientIn(api(), mine));
      const reply = await ask('DELETE', `/v1/task/${id}`);
      expect([reply.status, reply.json.target, reply.json.id]).toEqual([202, 'task', id]);
      expect((await getTask(table, id))?.id).toBe(id);
    });

    test('what another project has does not exist, nor do its receipts', async () => {
      const { other } = api();
      const patient = await createPatientIn(api(), other);
      const task = await createTaskIn(api(), other, patient);
      for (const [path, detail] of [
        [`/v1/patient/${patient}`, 'Patient not found'],
        [`/v1/patient/${uuidv7()}`, 'Patient not found'],
        [`/v1/patient/${task}`, 'Patient not found'],
        [`/v1/task/${task}`, 'Task not found'],
        [`/v1/task/${uuidv7()}`, 'Task not found'],
      ] as const) {
        const reply = await ask('DELETE', path);
        expect([reply.status, reply.json]).toEqual([404, { detail }]);
      }
      expect((await ask('DELETE', `/v1/patient/${patient}`, other)).status).toBe(202);
      const receipt = await ask('GET', `/v1/erasure/${patient}`);
      expect([receipt.status, receipt.json]).toEqual([404, { detail: 'Erasure not found' }]);
      expect((await ask('DELETE', `/v1/patient/${patient}`)).status).toBe(404);
    });

    test.each([
      ['DELETE', '/v1/patient/no-id', 'Invalid patient ID format'],
      ['DELETE', '/v1/task/no-id', 'Invalid task ID format'],
      ['GET', '/v1/erasure/no-id', 'Invalid erasure ID format'],
    ])('%s %s is refused', async (method, path, detail) => {
      const reply = await ask(method, path);
      expect([reply.status, reply.json]).toEqual([400, { detail }]);
    });
  });
}
