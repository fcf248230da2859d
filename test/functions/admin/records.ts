import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { hashApiKey } from '#shared/api-keys/key-format.ts';
import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { carryOutExport } from '#shared/patient-exports/carry-out-export.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { putTurnItem } from '#shared/table/conversation.ts';
import { getIdempotencyRecord } from '#shared/table/idempotency.ts';
import { createTaskItem, deleteTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type ApiReply, patientBody, send, taskBody } from '../../support/api-under-test.ts';
import { capturedLog } from '../../support/captured-log.ts';
import type { ManagementApi, StaffedProject } from '../../support/management-api.ts';
import { sampleCall, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { storedCallItems } from '../../support/stored-calls.ts';
import { readStoredZip } from '../../support/stored-zip.ts';

/** Values that occur nowhere else, so that finding one anywhere means that it leaked. */
const canaries = {
  first_name: 'Zephyrine',
  last_name: 'Quackenbush',
  date_of_birth: '1971-11-29',
  phone_number: '+12025550188',
  email: 'zq.canary@example.com',
};
const spoken = 'My canary has a cough.';
const wanted = 'Ask about the tonsillectomy of the canary.';

/** Patients, tasks and recordings, and who viewed them. */
export function recordSuite(api: () => ManagementApi): void {
  const ask = (
    project: StaffedProject,
    method: string,
    path: string,
    body?: unknown,
    token = project.owner,
  ): Promise<ApiReply> => api().ask(method, `/admin/projects/${project.projectId}${path}`, token, body);
  /** What people did in the project, which a command created. */
  const entriesOf = async ({ projectId }: StaffedProject): Promise<AuditEntry[]> => {
    const { items } = await listAuditEntries(api().table, projectId, { limit: 100, before: null });
    return items.filter(({ actor }) => actor.kind === 'person');
  };

  /** A task with a recorded call and its transcript. */
  const storeTask = async ({ projectId }: StaffedProject): Promise<{ task: Task; call: Call }> => {
    const { table, recordings } = api();
    const ended = { status: 'COMPLETED', next_attempt_at: null, next_attempt_reason: null } as const;
    const task = sampleTask({ id: projectId }, { ...ended, task: wanted });
    const blank = sampleCall(task, { status: 'SUCCESS', completed_at: sampleTime });
    const key = `recordings/${blank.id}.wav`;
    const call: Call = { ...blank, recording: { ...blank.recording, status: 'stored', key } };
    await recordings.client.send(
      new PutObjectCommand({ Bucket: recordings.bucket, Key: key, Body: 'sound' }),
    );
    await writeTransaction(table, [
      createTaskItem(table, task),
      ...storedCallItems(table, call),
      putTurnItem(table, projectId, {
        call_id: call.id,
        index: 0,
        role: 'user',
        content: spoken,
        offset_ms: 0,
        created_at: sampleTime,
      }),
    ]);
    return { task, call };
  };

  describe('patients', () => {
    test('are registered, read and listed as by clients, and every look at them is written down', async () => {
      const project = await api().newProject();
      const { project_id: _, ...body } = patientBody(project.projectId);
      const created = await ask(project, 'POST', '/patients', body);
      expect(created.status).toBe(201);
      const { id } = created.json;
      const read = await ask(project, 'GET', `/patients/${id}`, undefined, project.viewer);
      const byClient = await send(api().baseUrl, {
        method: 'GET',
        path: `/v1/patient/${id}`,
        apiKey: project.apiKey,
      });
      expect(read.json).toEqual(byClient.json);
      const listed = await ask(project, 'GET', '/patients', undefined, project.viewer);
      expect(listed.json).toEqual({ patients: [read.json], next_cursor: null });
      const viewer = { kind: 'person', email: `viewer.${project.projectId}@clinic.example.com` };
      const owner = { kind: 'person', email: `owner.${project.projectId}@clinic.example.com` };
      expect(await entriesOf(project)).toMatchObject([
        {
          action: 'patients.listed',
          actor: viewer,
          target: { type: 'project', id: project.projectId },
          after: { patient_ids: [id] },
        },
        { action: 'patient.viewed', actor: viewer, target: { type: 'patient', id } },
        { action: 'patient.created', actor: owner, target: { type: 'patient', id } },
      ]);
    });

    test('are listed in pages that lead on within the management API', async () => {
      const project = await api().newProject();
      for (let count = 0; count < 2; count += 1) {
        await ask(project, 'POST', '/patients', patientBody(project.projectId));
      }
      const page = await ask(project, 'GET', '/patients?limit=1');
      expect(page.json.patients).toHaveLength(1);
      expect(page.headers.get('link')).toContain(
        `/admin/projects/${project.projectId}/patients?limit=1&cursor=${page.json.next_cursor}`,
      );
    });

    test('of a body that names another project are refused', async () => {
      const { mine, other } = api();
      const reply = await ask(mine, 'POST', '/patients', patientBody(other.projectId));
      expect([reply.status, reply.json.detail]).toEqual([400, 'project_id must match the path']);
    });

    test('are changed as by clients, and who changed which members is written down', async () => {
      const project = await api().newProject();
      const { json } = await ask(project, 'POST', '/patients', patientBody(project.projectId));
      const changed = await ask(project, 'PATCH', `/patients/${json.id}`, {
        first_name: 'Adah',
        email: null,
      });
      expect(changed.status).toBe(200);
      expect(changed.json).toMatchObject({ id: json.id, first_name: 'Adah', email: null });
      expect((await ask(project, 'GET', `/patients/${json.id}`)).json).toEqual(changed.json);
      expect((await ask(project, 'PATCH', `/patients/${json.id}`, { first_name: 'Adah' })).json).toEqual(
        changed.json,
      );
      expect((await entriesOf(project)).slice(0, 2)).toMatchObject([
        { action: 'patient.viewed', target: { id: json.id } },
        { action: 'patient.changed', target: { id: json.id }, after: { fields: ['first_name'] } },
      ]);
      const foreign = { project_id: api().other.projectId, first_name: 'Eve' };
      const refused = await ask(project, 'PATCH', `/patients/${json.id}`, foreign);
      expect([refused.status, refused.json.detail]).toEqual([400, 'project_id must match the path']);
    });

    test('are registered once however often the request comes, and written down once', async () => {
      const project = await api().newProject();
      const register = (): Promise<ApiReply> =>
        send(api().baseUrl, {
          method: 'POST',
          path: `/admin/projects/${project.projectId}/patients`,
          apiKey: project.owner,
          headers: { 'Idempotency-Key': 'one' },
          body: patientBody(project.projectId),
        });
      const [first, second] = [await register(), await register()];
      expect([second.status, second.json]).toEqual([201, first.json]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await entriesOf(project)).toHaveLength(1);
      const kept = { projectId: project.projectId, keyHash: hashApiKey('one') };
      const record = await getIdempotencyRecord(api().table, kept, new Date());
      expect(JSON.parse(record?.answer ?? '')).toEqual({ id: first.json.id });
    });
  });

  describe('tasks', () => {
    test('are created and cancelled by owners, and both is written down with it', async () => {
      const project = await api().newProject();
      const patient = await ask(project, 'POST', '/patients', patientBody(project.projectId));
      const { project_id: _, ...body } = taskBody(project.projectId, patient.json.id);
      const created = await ask(project, 'POST', '/tasks', body);
      expect(created.status).toBe(201);
      const { id } = created.json;
      const cancelled = await ask(project, 'POST', `/tasks/${id}/cancel`);
      expect([cancelled.status, cancelled.json.status]).toEqual([200, 'CANCELLED']);
      expect((await ask(project, 'POST', `/tasks/${id}/cancel`)).status).toBe(409);
      expect((await entriesOf(project)).slice(0, 2)).toMatchObject([
        { action: 'task.cancelled', target: { type: 'task', id } },
        { action: 'task.created', target: { type: 'task', id } },
      ]);
    });

    test('are not shown to a repeated cancellation once they are erased', async () => {
      const project = await api().newProject();
      const task = sampleTask({ id: project.projectId }, { next_attempt_at: '2999-01-01T00:00:00.000Z' });
      await writeTransaction(api().table, [createTaskItem(api().table, task)]);
      const cancel = (): Promise<ApiReply> =>
        send(api().baseUrl, {
          method: 'POST',
          path: `/admin/projects/${project.projectId}/tasks/${task.id}/cancel`,
          apiKey: project.owner,
          headers: { 'Idempotency-Key': 'one' },
        });
      const [first, second] = [await cancel(), await cancel()];
      expect([second.status, second.json]).toEqual([200, first.json]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      await writeTransaction(api().table, [deleteTaskItem(api().table, task.id)]);
      expect((await cancel()).status).toBe(404);
    });

    test.each([
      [{ task_type: 'SING' }, /^task_type must be one of/],
      [{ phone_number: '911' }, /^phone_number must match/],
      [{ phone_number: '+1911' }, /^phone_number /],
      [{ patient_id: null }, /^Missing required fields$/],
      [{ project_id: uuidv7() }, /^project_id must match the path$/],
    ])('are refused with %j', async (change, detail) => {
      const { mine } = api();
      const reply = await ask(mine, 'POST', '/tasks', { ...taskBody(mine.projectId, uuidv7()), ...change });
      expect([reply.status, reply.json.detail]).toEqual([400, expect.stringMatching(detail)]);
    });

    test('are listed by type, and read with addresses of the management API', async () => {
      const project = await api().newProject();
      const { task, call } = await storeTask(project);
      const address = `https://api.example.test/base/admin/projects/${project.projectId}`;
      const listed = await ask(project, 'GET', '/tasks?task_type=CUSTOM_TASK', undefined, project.viewer);
      expect(listed.json.tasks).toMatchObject([{ id: task.id }]);
      expect((await ask(project, 'GET', '/tasks?task_type=VERIFY_INSURANCE')).json.tasks).toEqual([]);
      const read = await ask(project, 'GET', `/tasks/${task.id}`, undefined, project.viewer);
      expect(read.json.calls).toMatchObject([
        { id: call.id, recording_url: `${address}/calls/${call.id}/recording` },
      ]);
    });

    test('tell who looked at them, read what was said, or listened', async () => {
      const project = await api().newProject();
      const { task, call } = await storeTask(project);
      await ask(project, 'GET', '/tasks');
      await ask(project, 'GET', `/tasks/${task.id}`);
      const read = await ask(project, 'GET', `/tasks/${task.id}?include_transcript=true`);
      expect(read.json.calls[0].transcripts).toEqual([{ role: 'user', content: spoken }]);
      const recording = await ask(project, 'GET', `/calls/${call.id}/recording`, undefined, project.viewer);
      expect(recording.status).toBe(302);
      const sound = await fetch(recording.headers.get('location') ?? '');
      expect(await sound.text()).toBe('sound');
      expect(await entriesOf(project)).toMatchObject([
        { action: 'recording.viewed', target: { type: 'call', id: call.id } },
        {
          action: 'transcript.viewed',
          target: { type: 'task', id: task.id },
          after: { call_ids: [call.id] },
        },
        { action: 'task.viewed', target: { type: 'task', id: task.id } },
        { action: 'tasks.listed', after: { task_ids: [task.id] } },
      ]);
    });

    test('are not written down as seen when there is nothing to see', async () => {
      const project = await api().newProject();
      for (const path of [`/tasks/${uuidv7()}`, `/patients/${uuidv7()}`, `/calls/${uuidv7()}/recording`]) {
        expect((await ask(project, 'GET', path)).status).toBe(404);
      }
      expect(await entriesOf(project)).toEqual([]);
    });

    test('and patients are for viewers to look at only', async () => {
      const { mine } = api();
      for (const [path, body] of [
        ['/patients', patientBody(mine.projectId)],
        ['/tasks', taskBody(mine.projectId, uuidv7())],
        [`/tasks/${uuidv7()}/cancel`, {}],
      ] as const) {
        const reply = await ask(mine, 'POST', path, body, mine.viewer);
        expect([reply.status, reply.json.detail]).toEqual([
          403,
          'Only an owner, a manager or staff of the project may do this',
        ]);
      }
    });
  });

  test('52: an export is ordered and looked after, and each link to it is written down', async () => {
    const project = await api().newProject();
    const { json } = await ask(project, 'POST', '/patients', patientBody(project.projectId));
    const path = `/patients/${json.id}/export`;
    expect((await ask(project, 'GET', path)).json.detail).toBe('Export not found');
    const ordered = await ask(project, 'POST', path);
    expect(ordered).toMatchObject({ status: 202, json: { status: 'PENDING', patient_id: json.id } });
    expect((await ask(project, 'GET', path)).json).toEqual(ordered.json);
    expect(await ask(project, 'GET', `${path}/file`)).toMatchObject({
      status: 409,
      json: { detail: 'The export is not ready' },
    });
    const { table, recordings } = api();
    const store = bucketRecordingStore(recordings.bucket, table.projectKey, recordings.client);
    await carryOutExport({ table, recordings: store, now: () => new Date() }, json.id);
    for (let times = 0; times < 2; times += 1) {
      const link = await ask(project, 'GET', `${path}/file`);
      expect(link.status).toBe(302);
      const location = link.headers.get('location') ?? '';
      expect(new URL(location).searchParams.get('response-content-disposition')).toBe(
        `attachment; filename="patient-export-${ordered.json.id}.zip"`,
      );
      const file = await fetch(location);
      expect([...readStoredZip(Buffer.from(await file.arrayBuffer())).keys()]).toContain('patient.json');
    }
    const target = { type: 'patient', id: json.id };
    expect(await entriesOf(project)).toMatchObject([
      { action: 'patient.exported', target, patient_ids: [json.id] },
      { action: 'patient.exported', target },
      { action: 'export.ordered', target, patient_ids: [json.id] },
      { action: 'patient.created' },
    ]);
    await ask(project, 'DELETE', `/patients/${json.id}`);
    expect((await ask(project, 'GET', `${path}/file`)).status).toBe(404);
  });

  test('neither the audit log nor a line of the log holds anything of a patient', async () => {
    const project = await api().newProject();
    const written = await capturedLog(async () => {
      const { json } = await ask(project, 'POST', '/patients', {
        ...patientBody(project.projectId),
        ...canaries,
      });
      await ask(project, 'GET', `/patients/${json.id}`);
      await ask(project, 'GET', '/patients');
      await ask(project, 'POST', '/tasks', { ...taskBody(project.projectId, json.id), task: wanted });
      const { task, call } = await storeTask(project);
      await ask(project, 'GET', '/tasks');
      await ask(project, 'GET', `/tasks/${task.id}?include_transcript=true&include_result=true`);
      await ask(project, 'GET', `/calls/${call.id}/recording`);
      await ask(project, 'GET', `/patients/${encodeURIComponent(canaries.last_name)}`);
      await ask(project, 'GET', `/tasks?status=${encodeURIComponent(canaries.last_name)}`);
      await ask(project, 'POST', '/patients', { ...canaries, date_of_birth: canaries.last_name });
    });
    const entries = await entriesOf(project);
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'patient.created',
      'patient.viewed',
      'patients.listed',
      'recording.viewed',
      'task.created',
      'tasks.listed',
      'transcript.viewed',
    ]);
    expect(written).toContain('"event":"request"');
    for (const canary of [...Object.values(canaries), spoken, wanted, project.owner, 'X-Amz-Signature']) {
      expect(JSON.stringify(entries)).not.toContain(canary);
      expect(written).not.toContain(canary);
    }
  });
}
