import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Task } from '#shared/domain/task.ts';
import { putPatientItem } from '#shared/table/patient.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import { operations } from '../../../infra/routes.ts';
import {
  type ApiClient,
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  createTaskIn,
  newApiClient,
  patientBody,
  send,
} from '../../support/api-under-test.ts';
import { sampleTask, sampleTime } from '../../support/sample-tasks.ts';

const listRoutes = Object.values(operations).filter(
  ({ path, query = [] }) => /^\/v1\/[^{]*$/.test(path) && query.some(({ name }) => name === 'cursor'),
);

/** `GET /v1/task` and `GET /v1/patient`. */
export function listSuite(api: () => ApiUnderTest): void {
  const get = (path: string, { apiKey }: ApiClient): Promise<ApiReply> =>
    send(api().baseUrl, { method: 'GET', path, apiKey });

  const store = async (items: TransactionItem[]): Promise<void> => {
    for (let start = 0; start < items.length; start += 25) {
      await writeTransaction(api().table, items.slice(start, start + 25));
    }
  };
  /** Finished tasks, so that nothing dials them, created a millisecond apart; newest first. */
  const storeTasks = async (
    { projectId }: ApiClient,
    count: number,
    change: (index: number) => Partial<Task> = () => ({}),
  ): Promise<Task[]> => {
    const tasks = Array.from({ length: count }, (_, index) =>
      sampleTask(
        { id: projectId },
        {
          id: uuidv7(Date.parse(sampleTime) + index),
          status: 'COMPLETED',
          next_attempt_at: null,
          next_attempt_reason: null,
          ...change(index),
        },
      ),
    );
    await store(tasks.map((task) => createTaskItem(api().table, task)));
    return tasks.reverse();
  };
  const storePatients = async ({ projectId }: ApiClient, count: number): Promise<string[]> => {
    const patients = Array.from({ length: count }, (_, index): Patient => {
      const id = uuidv7(Date.parse(sampleTime) + index);
      return {
        project_id: projectId,
        first_name: 'Ada',
        last_name: 'Example',
        phone_number: '+12025550142',
        date_of_birth: '1980-02-29',
        id,
        created_at: sampleTime,
        updated_at: sampleTime,
      };
    });
    await store(patients.map((patient) => putPatientItem(api().table, patient)));
    return patients.map(({ id }) => id).reverse();
  };

  /** Reads all pages, by the links in the headers or the cursors in the bodies. */
  const readPages = async (
    path: string,
    client: ApiClient,
    by: 'link' | 'cursor',
    between: () => Promise<void> = () => Promise.resolve(),
  ): Promise<ApiReply[]> => {
    const pages: ApiReply[] = [];
    for (let next: string | null = path; next !== null; ) {
      const page = await get(next, client);
      expect(page.status).toBe(200);
      pages.push(page);
      const link = linkedPath(page);
      const { next_cursor: cursor } = page.json;
      expect(link === null).toBe(cursor === null);
      if (cursor === null) next = null;
      else next = by === 'link' ? link : withCursor(path, cursor);
      await between();
    }
    return pages;
  };
  const linkedPath = (page: ApiReply): string | null =>
    /^<https?:\/\/.*(\/v1\/.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
  const withCursor = (path: string, cursor: string): string =>
    `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
  const idsOn = (pages: readonly ApiReply[]): string[] =>
    pages.flatMap(({ json }) => (json.tasks ?? json.patients).map(({ id }: { id: string }) => id));
  const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

  describe('the list of tasks', () => {
    test('shows each task as it is read, without its calls and with what it waits for', async () => {
      const client = await newApiClient(api().table);
      const waits = {
        next_attempt_at: '2999-01-01T08:00:00.000Z',
        next_attempt_reason: 'The line was busy. Attempt 2 of 3 scheduled.',
        waiting_for_line_since: sampleTime,
      };
      const [task] = await storeTasks(client, 1, () => ({
        status: 'IN_PROGRESS',
        task_data: { additional_context: 'canary' },
        ...waits,
      }));
      const { status, json, text, headers } = await get('/v1/task', client);
      expect(status).toBe(200);
      const { calls: _, has_more_calls: __, ...read } = (await get(`/v1/task/${task?.id}`, client)).json;
      expect(json).toEqual({ tasks: [{ ...read, ...waits }], next_cursor: null });
      expect(text).not.toContain('canary');
      expect([headers.get('cache-control'), headers.get('link')]).toEqual(['no-store', null]);
    });

    test('holds what was created a moment ago, newest first', async () => {
      const client = await newApiClient(api().table);
      const patientId = await createPatientIn(api(), client);
      const ids = [
        await createTaskIn(api(), client, patientId),
        await createTaskIn(api(), client, patientId),
      ];
      for (const path of ['/v1/task', `/v1/task?patient_id=${patientId.toUpperCase()}`]) {
        expect(idsOn([await get(path, client)])).toEqual([...ids].reverse());
      }
      expect(idsOn([await get('/v1/patient', client)])).toEqual([patientId]);
    });

    test.each(['link', 'cursor'] as const)('is read in pages of 50 by %s', async (by) => {
      const client = await newApiClient(api().table);
      const tasks = await storeTasks(client, 220);
      const pages = await readPages('/v1/task', client, by);
      expect(pages.map(({ json }) => json.tasks.length)).toEqual([50, 50, 50, 50, 20]);
      expect(idsOn(pages)).toEqual(idsOf(tasks));
    });

    test('is complete and without repetition while tasks are being created', async () => {
      const client = await newApiClient(api().table);
      const tasks = await storeTasks(client, 210);
      const patientId = await createPatientIn(api(), client);
      const pages = await readPages('/v1/task?limit=30', client, 'link', async () => {
        await Promise.all(Array.from({ length: 5 }, () => createTaskIn(api(), client, patientId)));
      });
      expect(idsOn(pages)).toEqual(idsOf(tasks));
      expect(idsOn([await get('/v1/task?limit=100', client)])).toHaveLength(100);
    });

    test('is filtered by status, by type and by patient on every page', async () => {
      const client = await newApiClient(api().table);
      const patientId = uuidv7();
      const tasks = await storeTasks(client, 90, (index) => ({
        status: index % 3 === 0 ? 'FAILED' : 'COMPLETED',
        task_type: index % 5 === 0 ? 'VERIFY_INSURANCE' : 'CUSTOM_TASK',
        ...(index % 2 === 0 ? { patient_id: patientId } : {}),
      }));
      for (const [query, keep] of [
        ['status=FAILED', ({ status }: Task) => status === 'FAILED'],
        [`patient_id=${patientId}`, ({ patient_id }: Task) => patient_id === patientId],
        [
          `status=FAILED&patient_id=${patientId}`,
          ({ status, patient_id }: Task) => status === 'FAILED' && patient_id === patientId,
        ],
        ['task_type=VERIFY_INSURANCE', ({ task_type }: Task) => task_type === 'VERIFY_INSURANCE'],
        [
          `task_type=CUSTOM_TASK&status=FAILED&patient_id=${patientId}`,
          ({ task_type, status, patient_id }: Task) =>
            task_type === 'CUSTOM_TASK' && status === 'FAILED' && patient_id === patientId,
        ],
        ['status=CANCELLED', () => false],
        [`patient_id=${uuidv7()}`, () => false],
      ] as const) {
        for (const by of ['link', 'cursor'] as const) {
          const pages = await readPages(`/v1/task?limit=7&${query}`, client, by);
          expect(idsOn(pages)).toEqual(idsOf(tasks.filter(keep)));
        }
      }
    });

    test("never shows another project's tasks, nor tells whether their patient exists", async () => {
      const [client, stranger] = [await newApiClient(api().table), await newApiClient(api().table)];
      const patientId = await createPatientIn(api(), client);
      await createTaskIn(api(), client, patientId);
      const foreign = await get(`/v1/task?patient_id=${patientId}`, stranger);
      const unknown = await get(`/v1/task?patient_id=${uuidv7()}`, stranger);
      expect([foreign.status, foreign.text]).toEqual([200, unknown.text]);
      for (const path of ['/v1/task', '/v1/patient']) {
        expect(idsOn([await get(path, stranger)])).toEqual([]);
      }
    });

    test('stays in answers below 6 MB, however large the tasks are', async () => {
      const client = await newApiClient(api().table);
      // Quotation marks take four bytes each once Lambda has wrapped the response.
      const tasks = await storeTasks(client, 25, () => ({ task: `"`.repeat(120_000) }));
      const pages = await readPages('/v1/task?limit=100', client, 'link');
      for (const { text } of pages) {
        expect(Buffer.byteLength(JSON.stringify({ body: text }))).toBeLessThan(6_000_000);
      }
      expect(pages.length).toBeGreaterThan(2);
      expect(idsOn(pages)).toEqual(idsOf(tasks));
    });

    test.each([
      ['status=', /^status must be one of PENDING, IN_PROGRESS, COMPLETED, FAILED, CANCELLED$/],
      ['status=pending', /^status must be one of/],
      ['status=toString', /^status must be one of/],
      ['task_type=', /^task_type must be one of SCHEDULE_APPOINTMENT, VERIFY_INSURANCE,/],
      ['status=PENDING&status=FAILED', /^status must be given once$/],
      ['patient_id=', /^Invalid patient ID format$/],
      ['patient_id=1', /^Invalid patient ID format$/],
      [`patient_id=${uuidv7()}&patient_id=${uuidv7()}`, /^patient_id must be given once$/],
    ])('is not read with %s', async (query, detail) => {
      const reply = await get(`/v1/task?${query}`, api().mine);
      expect([reply.status, reply.json]).toEqual([400, { detail: expect.stringMatching(detail) }]);
    });

    test('begins anew with an empty cursor, and knows both words for a reimbursement', async () => {
      const [first, again, words] = await Promise.all(
        ['limit=1', 'limit=1&cursor=', 'task_type=INSURANCE_REIMBURSEMENT'].map((query) =>
          get(`/v1/task?${query}`, api().mine),
        ),
      );
      expect([again?.status, again?.json]).toEqual([200, first?.json]);
      expect(words?.status).toBe(200);
      expect(words?.json.tasks.every(({ task_type }: Task) => task_type === 'REIMBURSEMENT')).toBe(true);
    });

    test('is not read with a cursor of another filter or another project', async () => {
      const [client, stranger] = [await newApiClient(api().table), await newApiClient(api().table)];
      const patientId = uuidv7();
      await storeTasks(client, 3, () => ({ patient_id: patientId }));
      await storeTasks(stranger, 3);
      await storePatients(client, 3);
      const filters = ['', 'status=COMPLETED', `patient_id=${patientId}`];
      for (const filter of filters) {
        const { json } = await get(`/v1/task?limit=1&${filter}`, client);
        expect(json.next_cursor).toEqual(expect.any(String));
        expect((await get(`/v1/task?cursor=${json.next_cursor}&${filter}`, client)).status).toBe(200);
        const others = filters.filter((other) => other !== filter);
        const wrong = [
          ...others.map((other) => get(`/v1/task?cursor=${json.next_cursor}&${other}`, client)),
          get(`/v1/patient?cursor=${json.next_cursor}`, client),
          get(`/v1/task?cursor=${json.next_cursor}&${filter}`, stranger),
        ];
        for (const reply of await Promise.all(wrong)) {
          expect([reply.status, reply.json]).toEqual([
            400,
            { detail: 'cursor does not belong to this list' },
          ]);
        }
      }
    });
  });

  describe('the list of patients', () => {
    test('shows each patient as it is read', async () => {
      const client = await newApiClient(api().table);
      const given = { ...patientBody(client.projectId), email: 'ada@example.com' };
      const created = await send(api().baseUrl, {
        method: 'POST',
        path: '/v1/patient',
        apiKey: client.apiKey,
        body: given,
      });
      const { json, headers } = await get('/v1/patient', client);
      const read = await get(`/v1/patient/${created.json.id}`, client);
      expect(json).toEqual({ patients: [read.json], next_cursor: null });
      expect(headers.get('cache-control')).toBe('no-store');
    });

    test.each(['link', 'cursor'] as const)(
      'is read whole by %s while patients are being registered',
      async (by) => {
        const client = await newApiClient(api().table);
        const ids = await storePatients(client, 205);
        const pages = await readPages('/v1/patient?limit=40', client, by, async () => {
          await createPatientIn(api(), client);
        });
        expect(pages.map(({ json }) => json.patients.length)).toEqual([40, 40, 40, 40, 40, 5]);
        expect(idsOn(pages)).toEqual(ids);
      },
    );
  });

  describe.each(listRoutes)('$method $path', ({ path }) => {
    test.each(['0', '101', '-1', '1.5', 'all', '', '1e1', '9'.repeat(400)])(
      'refuses a limit of %s',
      async (limit) => {
        const reply = await get(`${path}?limit=${limit}`, api().mine);
        expect([reply.status, reply.json]).toEqual([
          400,
          { detail: 'limit must be a whole number from 1 to 100' },
        ]);
      },
    );

    test.each([
      ['nonsense', 'x'],
      ['padding', `${Buffer.alloc(32).toString('base64url')}=`],
      ['zeros', Buffer.alloc(32).toString('base64url')],
      ['a very long text', 'A'.repeat(5000)],
    ])('refuses a cursor that is %s', async (_, cursor) => {
      const reply = await get(`${path}?cursor=${encodeURIComponent(cursor)}`, api().mine);
      expect([reply.status, reply.json]).toEqual([400, { detail: 'cursor does not belong to this list' }]);
    });

    test('takes no notice of parameters that it does not have', async () => {
      expect((await get(`${path}?unknown=1&include_result=perhaps`, api().mine)).status).toBe(200);
    });
  });
}
