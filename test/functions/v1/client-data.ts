import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import {
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  createTaskIn,
  laterTaskBody,
  newApiClient,
  patientBody,
  send,
} from '../../support/api-under-test.ts';
import { deletePatientForTest } from '../../support/stored-patients.ts';

/** What clients attach to patients and tasks, how they filter by it, and `PATCH /v1/patient/{patient_id}`. */
export function clientDataSuite(api: () => ApiUnderTest): void {
  const ask = (method: string, path: string, body?: unknown, client = api().mine): Promise<ApiReply> =>
    send(api().baseUrl, { method, path, apiKey: client.apiKey, body });
  const register = (members: Record<string, unknown>): Promise<ApiReply> =>
    ask('POST', '/v1/patient', { ...patientBody(api().mine.projectId), ...members });
  const order = (patientId: string, members: Record<string, unknown>): Promise<ApiReply> =>
    ask('POST', '/v1/task', { ...laterTaskBody(api().mine.projectId, patientId), ...members });
  const own = (): string => `chart-${uuidv7()}`;

  describe('what a client attaches', () => {
    test('to a patient is returned with them, and nothing is where nothing was', async () => {
      const given = { external_id: own(), metadata: { clinic: 'north', 'order.no': '7' } };
      const { id } = (await register(given)).json;
      expect((await ask('GET', `/v1/patient/${id}`)).json).toMatchObject(given);
      const bare = await ask('GET', `/v1/patient/${await createPatientIn(api(), api().mine)}`);
      expect(Object.keys(bare.json)).not.toContain('external_id');
    });

    test.each(['constructor', '__proto__'])(
      'is refused rather than lost when it is named %s',
      async (name) => {
        const reply = await register({ metadata: JSON.parse(`{"${name}":"x"}`) });
        expect([reply.status, reply.headers.get('x-error-fields')]).toEqual([400, 'metadata']);
      },
    );

    test('to a task is returned with it and in every list', async () => {
      const patientId = await createPatientIn(api(), api().mine);
      const given = {
        external_id: own(),
        metadata: { clinic: 'north' },
        call_after: '2998-12-31T23:00:00.000Z',
        call_before: '2999-01-01T00:00:00.000Z',
      };
      const { id } = (await order(patientId, { ...given, call_after: '2999-01-01T01:00:00+02:00' })).json;
      expect((await ask('GET', `/v1/task/${id}`)).json).toMatchObject(given);
      for (const query of [`patient_id=${patientId}`, `external_id=${given.external_id}`, 'limit=1']) {
        const { tasks } = (await ask('GET', `/v1/task?${query}`)).json;
        expect(tasks[0]).toMatchObject({ id, ...given, next_attempt_at: given.call_after });
      }
    });

    test.each([
      [{ external_id: 5 }, 'external_id'],
      [{ external_id: 'x'.repeat(256) }, 'external_id'],
      [{ external_id: ' x' }, 'external_id'],
      // Errors do not repeat a client's own keys.
      [{ metadata: { clinic: 7 } }, 'metadata'],
      [{ metadata: { clinic: 'x'.repeat(501) } }, 'metadata'],
      [{ metadata: { 'Ada Example': 'x' } }, 'metadata'],
      [{ metadata: { ['k'.repeat(41)]: 'x' } }, 'metadata'],
      [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [`k${key}`, ''])) }, 'metadata'],
      [{ metadata: ['north'] }, 'metadata'],
    ])('is refused when it is %j', async (members, field) => {
      const reply = await register(members);
      expect([reply.status, reply.headers.get('x-error-fields')]).toEqual([400, field]);
      expect(reply.json.detail).toMatch(new RegExp(`^${field} (must|has a (key|value) that must) `));
      expect(reply.json.detail).not.toMatch(/clinic|Ada|kkk/);
    });

    test.each([
      [{ call_after: 'tomorrow' }, 'call_after'],
      // The year 10000 in UTC, which sorts before this year.
      [{ call_after: '9999-12-31T23:59:59-01:00' }, 'call_after'],
      [{ call_before: '2020-01-01T00:00:00Z' }, 'call_before'],
      [{ call_after: '2999-01-02T00:00:00Z', call_before: '2999-01-01T00:00:00Z' }, 'call_before'],
    ])('to a task as %j is refused', async (members, field) => {
      const reply = await order(await createPatientIn(api(), api().mine), members);
      expect([reply.status, reply.headers.get('x-error-fields')]).toEqual([400, field]);
    });
  });

  describe('an external_id', () => {
    test('names one patient of a project, and whom is said to who gives it again', async () => {
      const external_id = own();
      const { id } = (await register({ external_id })).json;
      const again = await register({ external_id });
      expect([again.status, again.json]).toEqual([
        409,
        { detail: `external_id belongs to patient ${id} already` },
      ]);
      expect(again.headers.get('x-error-code')).toBe('external_id_taken');
      const other = await newApiClient(api().table);
      const elsewhere = { ...patientBody(other.projectId), external_id };
      expect((await ask('POST', '/v1/patient', elsewhere, other)).status).toBe(201);
      const task = await order(id, { external_id });
      expect(task.status).toBe(201);
      expect((await order(id, { external_id })).json.detail).toBe(
        `external_id belongs to task ${task.json.id} already`,
      );
    });

    test('is given once, however many ask for it at the same time', async () => {
      const external_id = own();
      const replies = await Promise.all(Array.from({ length: 6 }, () => register({ external_id })));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
    });

    test('of a patient who is gone may be given anew', async () => {
      const external_id = own();
      const { id } = (await register({ external_id })).json;
      await deletePatientForTest(api().table, id);
      expect((await register({ external_id })).status).toBe(201);
    });

    test('finds its patient and nobody else', async () => {
      const external_id = own();
      const { id } = (await register({ external_id })).json;
      const found = (await ask('GET', `/v1/patient?external_id=${external_id}`)).json;
      expect([found.patients.map((one: { id: string }) => one.id), found.next_cursor]).toEqual([[id], null]);
      expect((await ask('GET', `/v1/patient?external_id=${own()}`)).json.patients).toEqual([]);
      const other = await newApiClient(api().table);
      const path = `/v1/patient?external_id=${external_id}`;
      expect((await ask('GET', path, undefined, other)).json.patients).toEqual([]);
    });

    test('of a repeated request with an Idempotency-Key is no conflict', async () => {
      const body = { ...patientBody(api().mine.projectId), external_id: own() };
      const headers = { 'Idempotency-Key': own() };
      const request = { method: 'POST', path: '/v1/patient', apiKey: api().mine.apiKey, headers, body };
      const [first, second] = [await send(api().baseUrl, request), await send(api().baseUrl, request)];
      expect([second.status, second.json]).toEqual([201, first.json]);
    });
  });

  describe('a list', () => {
    test('shows what was made between two times', async () => {
      const client = await newApiClient(api().table);
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        ids.push(await createPatientIn(api(), client));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const { created_at } = (await ask('GET', `/v1/patient/${ids[1]}`, undefined, client)).json;
      const idsOf = async (query: string): Promise<string[]> =>
        (await ask('GET', `/v1/patient?${query}`, undefined, client)).json.patients.map(
          ({ id }: { id: string }) => id,
        );
      expect(await idsOf(`created_after=${created_at}`)).toEqual([ids[2], ids[1]]);
      expect(await idsOf(`created_before=${created_at}`)).toEqual([ids[0]]);
      expect(await idsOf(`created_after=${created_at}&limit=1`)).toEqual([ids[2]]);
      expect(await idsOf('created_after=2999-01-01')).toEqual([]);
      expect(await idsOf(`created_after=2999-01-01&created_before=${created_at}`)).toEqual([]);
      expect(await idsOf('updated_after=2020-01-01T00:00:00Z')).toEqual([...ids].reverse());
      expect(await idsOf('created_after=0001-01-01&created_before=9999-12-31')).toEqual([...ids].reverse());
      expect(await idsOf('created_before=0001-01-01')).toEqual([]);
    });

    test("shows what has a number, metadata, or answers to review, a patient's tasks too", async () => {
      const client = await newApiClient(api().table);
      const patientId = await createPatientIn(api(), client);
      const body = (members: object) => ({ ...laterTaskBody(client.projectId, patientId), ...members });
      const north = body({ metadata: { clinic: 'north' }, call_after: '2999-01-01T00:00:00Z' });
      const { id } = (await ask('POST', '/v1/task', north, client)).json;
      const elsewhere = await createTaskIn(api(), client, patientId);
      const idsOf = async (query: string): Promise<string[]> =>
        (await ask('GET', `/v1/task?${query}`, undefined, client)).json.tasks.map(
          (task: { id: string }) => task.id,
        );
      expect(await idsOf('metadata[clinic]=north')).toEqual([id]);
      expect(await idsOf(`metadata[clinic]=north&patient_id=${patientId}`)).toEqual([id]);
      expect(await idsOf('metadata[clinic]=south')).toEqual([]);
      expect(await idsOf('phone_number=%2B12025550113')).toEqual([elsewhere, id]);
      expect(await idsOf('phone_number=%2B12025550114')).toEqual([]);
      expect(await idsOf('needs_review=false')).toEqual([elsewhere, id]);
      expect(await idsOf('needs_review=true')).toEqual([]);
    });

    test('leads to its next page with the same filters', async () => {
      const client = await newApiClient(api().table);
      const metadata = { clinic: 'north & south' };
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const body = { ...patientBody(client.projectId), metadata };
        ids.unshift((await ask('POST', '/v1/patient', body, client)).json.id);
      }
      const query = new URLSearchParams({ 'metadata[clinic]': metadata.clinic, limit: '1' });
      let path: string | undefined = `/v1/patient?${query.toString()}`;
      const seen: string[] = [];
      while (path !== undefined) {
        const reply: ApiReply = await ask('GET', path, undefined, client);
        seen.push(...reply.json.patients.map(({ id }: { id: string }) => id));
        const next = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
        path = next === undefined ? undefined : next.slice(next.indexOf('/v1/'));
      }
      expect(seen).toEqual(ids);
    });

    test.each([
      [
        'created_after=yesterday',
        'created_after must be a date-time with its offset, such as 2026-11-20T15:00:00Z',
      ],
      ['phone_number=12025550113', 'phone_number must match ^\\+[1-9]\\d{1,14}$'],
      ['external_id=', 'external_id must have at least 1 character'],
      [`external_id=${'x'.repeat(256)}`, 'external_id must have at most 255 characters'],
      ['metadata=north', 'metadata must be filtered as in metadata[clinic]=north'],
      ['metadata[a b]=north', 'metadata must be filtered as in metadata[clinic]=north'],
    ])('is refused with %s', async (query, detail) => {
      const reply = await ask('GET', `/v1/patient?${query}`);
      expect([reply.status, reply.json]).toEqual([400, { detail }]);
      expect(reply.headers.get('x-error-fields')).toBe(/^\w+/.exec(query)?.[0]);
    });
  });

  describe('a change of a patient', () => {
    test('replaces what is given, clears what is null, and leaves the rest', async () => {
      const { id } = (await register({ email: 'ada@example.com', metadata: { clinic: 'north' } })).json;
      const before = (await ask('GET', `/v1/patient/${id}`)).json;
      const changes = { phone_number: '+12025550143', last_name: 'Exemplar', email: null };
      const reply = await ask('PATCH', `/v1/patient/${id}`, changes);
      expect([reply.status, reply.json]).toEqual([
        200,
        { ...before, ...changes, updated_at: reply.json.updated_at },
      ]);
      expect(reply.json.updated_at > before.updated_at).toBe(true);
      expect((await ask('GET', `/v1/patient/${id}`)).json).toEqual(reply.json);
    });

    test('may move an external_id, which is free again then', async () => {
      const [first, second] = [own(), own()];
      const { id } = (await register({ external_id: first })).json;
      const taken = (await register({ external_id: second })).json;
      const refused = await ask('PATCH', `/v1/patient/${id}`, { external_id: second });
      expect([refused.status, refused.json.detail]).toEqual([
        409,
        `external_id belongs to patient ${taken.id} already`,
      ]);
      const moved = await ask('PATCH', `/v1/patient/${id}`, { external_id: own() });
      expect(moved.status).toBe(200);
      expect((await register({ external_id: first })).status).toBe(201);
      await ask('PATCH', `/v1/patient/${id}`, { external_id: null });
      expect((await register({ external_id: moved.json.external_id })).status).toBe(201);
    });

    test('is not lost when two come at the same time', async () => {
      const { id } = (await register({})).json;
      const changes = [{ last_name: 'Exemplar' }, { phone_number: '+12025550143' }, { first_name: 'Adah' }];
      await Promise.all(changes.map((change) => ask('PATCH', `/v1/patient/${id}`, change)));
      expect((await ask('GET', `/v1/patient/${id}`)).json).toMatchObject(Object.assign({}, ...changes));
    });

    test.each([
      [{ first_name: null }, 400],
      [{ first_name: ' ' }, 400],
      [{ date_of_birth: '1899-01-01' }, 400],
      [{ project_id: uuidv7() }, 403],
    ])('as %j is refused', async (changes, status) => {
      const { id } = (await register({})).json;
      expect((await ask('PATCH', `/v1/patient/${id}`, changes)).status).toBe(status);
    });

    test('is refused when the patient would be too large to be stored', async () => {
      const text = randomBytes(185_000).toString('base64');
      const { id } = (await register({ primary_care_provider: { name: text } })).json;
      const large = {
        address: { street_name: text, city: 'A', state: 'B', postal_code: 'C', country_code: 'US' },
      };
      const reply = await ask('PATCH', `/v1/patient/${id}`, large);
      expect([reply.status, reply.json]).toEqual([
        413,
        { detail: 'The patient would be too large to be stored' },
      ]);
    });

    test("of somebody else's patient is answered like that of none", async () => {
      const other = await newApiClient(api().table);
      const foreign = await createPatientIn(api(), other);
      for (const id of [foreign, uuidv7()]) {
        const reply = await ask('PATCH', `/v1/patient/${id}`, { first_name: 'Adah' });
        expect([reply.status, reply.json]).toEqual([404, { detail: 'Patient not found' }]);
      }
    });
  });
}
