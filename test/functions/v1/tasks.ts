import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { getTask } from '#shared/table/task.ts';
import {
  type ApiReply,
  type ApiUnderTest,
  createPatientIn,
  distinguishable,
  laterTaskBody,
  newApiClient,
  send,
  taskBody,
} from '../../support/api-under-test.ts';
import { projectServices } from '../../support/project-services.ts';

/** `POST /v1/task`, and what `GET /v1/task/{task_id}` returns of it. */
export function taskSuite(api: () => ApiUnderTest): void {
  describe('a task', () => {
    let patientId: string;
    beforeAll(async () => {
      patientId = await createPatientIn(api(), api().mine);
    });

    const post = (members: Record<string, unknown>): Promise<ApiReply> =>
      send(api().baseUrl, {
        method: 'POST',
        path: '/v1/task',
        apiKey: api().mine.apiKey,
        body: { ...laterTaskBody(api().mine.projectId, patientId), ...members },
      });
    const postText = (taskData: string): Promise<ApiReply> =>
      send(api().baseUrl, {
        method: 'POST',
        path: '/v1/task',
        apiKey: api().mine.apiKey,
        body: JSON.stringify({ ...laterTaskBody(api().mine.projectId, patientId), task_data: '@' }).replace(
          '"@"',
          () => taskData,
        ),
      });
    const get = (id: string): Promise<ApiReply> =>
      send(api().baseUrl, { method: 'GET', path: `/v1/task/${id}`, apiKey: api().mine.apiKey });

    test('is answered with its identifier and read with every field of the resource', async () => {
      const created = await post({ call_after: undefined });
      expect(created.status).toBe(201);
      expect(Object.keys(created.json)).toEqual(['id']);
      const read = await get(created.json.id);
      expect(read.status).toBe(200);
      expect(Object.keys(read.json)).toEqual([
        'id',
        'project_id',
        'patient_id',
        'status',
        'task_type',
        'task',
        'task_outcome',
        'created_at',
        'updated_at',
        'calls',
        'has_more_calls',
      ]);
      expect(read.json).toMatchObject({
        id: created.json.id,
        project_id: api().mine.projectId,
        patient_id: patientId,
        task_type: 'CUSTOM_TASK',
        task: 'Ask for the opening hours of the practice.',
        created_at: expect.stringMatching(/Z$/),
      });
    });

    test('is not created when the client only asks what would happen', async () => {
      const client = await newApiClient(api().table);
      const own = { project_id: client.projectId, patient_id: await createPatientIn(api(), client) };
      const ask = (members: Record<string, unknown>): Promise<ApiReply> =>
        send(api().baseUrl, {
          method: 'POST',
          path: '/v1/task?dry_run=true',
          apiKey: client.apiKey,
          body: { ...taskBody(own.project_id, own.patient_id), ...members },
        });
      const { status, json } = await ask({});
      expect([status, json.call.will_be_made, json.estimate.cost_usd]).toEqual([200, true, 0]);
      const refused = await ask({ phone_number: '+911' });
      expect([refused.status, refused.headers.get('x-error-fields')]).toEqual([400, 'phone_number']);
      expect((await ask({ patient_id: patientId })).json).toEqual({ detail: 'Patient not found' });
      const list = { method: 'GET', path: '/v1/task', apiKey: client.apiKey };
      expect((await send(api().baseUrl, list)).json.tasks).toEqual([]);
    });

    test('keeps what nobody expected in task_data, for the agent', async () => {
      const { json } = await post({
        task_type: 'SCHEDULE_APPOINTMENT',
        task_data: {
          medical_context: { allergies: ['latex'], weight_kg: 71.5, smoker: false, note: null },
          referral: { name: 'Dr. Example', fax: '+12025550190' },
        },
      });
      const stored = await getTask(api().table, json.id);
      expect(stored?.task_data).toEqual({
        medical_context: { allergies: ['latex'], weight_kg: 71.5, smoker: false },
        referral: { name: 'Dr. Example', fax: '+12025550190' },
      });
    });

    test('may be given as INSURANCE_REIMBURSEMENT and is a REIMBURSEMENT', async () => {
      const { json } = await post({
        task_type: 'INSURANCE_REIMBURSEMENT',
        task_data: { bill: { amount: '120.00', address: { street: '1 Example Street', zip_code: '62701' } } },
      });
      expect((await get(json.id)).json.task_type).toBe('REIMBURSEMENT');
      const refused = await post({
        task_type: 'INSURANCE_REIMBURSEMENT',
        task_data: { bill: { amount: 120 } },
      });
      expect(refused.json.detail).toBe('task_data.bill.amount must be a string');
    });

    test('may have any optional member as null', async () => {
      const question = { index: 0, question: 'When do you open?', answer: null };
      for (const task_data of [
        null,
        {},
        { additional_context: null, questions_to_ask: null },
        { questions_to_ask: [question] },
      ]) {
        expect((await post({ task_data })).status).toBe(201);
      }
    });

    test('for a patient that the project does not have is answered 404, whoever has it', async () => {
      const foreign = await createPatientIn(api(), api().other);
      const unknown = await post({ patient_id: uuidv7() });
      expect([unknown.status, unknown.json]).toEqual([404, { detail: 'Patient not found' }]);
      expect(distinguishable(await post({ patient_id: foreign }))).toEqual(distinguishable(unknown));
    });

    test('of a type that is not enabled is answered 403', async () => {
      const { project, apiKey } = await createProject(projectServices(api().table), {
        name: 'Limited',
        carrier: 'sandbox',
        webhook: null,
        enabledTaskTypes: ['CUSTOM_TASK'],
      });
      const client = { projectId: project.id, apiKey };
      const body = taskBody(project.id, await createPatientIn(api(), client));
      const create = (members: object): Promise<ApiReply> =>
        send(api().baseUrl, { method: 'POST', path: '/v1/task', apiKey, body: { ...body, ...members } });
      const refused = await create({ task_type: 'VERIFY_INSURANCE' });
      expect([refused.status, refused.json]).toEqual([
        403,
        { detail: 'Task type VERIFY_INSURANCE is not enabled for this project' },
      ]);
      const spelled = await create({ task_type: 'INSURANCE_REIMBURSEMENT', patient_id: uuidv7() });
      expect(spelled.json).toEqual({ detail: 'Task type REIMBURSEMENT is not enabled for this project' });
      expect((await create({})).status).toBe(201);
    });

    test.each([
      ['task', { task: '' }],
      ['task_type', { task_type: null }],
      ['patient_id,phone_number', { patient_id: '', phone_number: undefined }],
      ['task_data.questions_to_ask[0].question', { task_data: { questions_to_ask: [{ index: 0 }] } }],
      [
        'task_data.questions_to_ask[1].index,task_data.questions_to_ask[1].question',
        { task_data: { questions_to_ask: [{ index: 0, question: 'When?' }, { question: '' }] } },
      ],
      [
        'task_data.provider.address.city',
        {
          task_type: 'VERIFY_INSURANCE',
          task_data: {
            provider: {
              address: {
                street_name: '1 Example Street',
                state: 'IL',
                postal_code: '62701',
                country_code: 'US',
              },
            },
          },
        },
      ],
    ])('is refused when %s is missing', async (fields, members) => {
      const reply = await post(members);
      expect([reply.status, reply.json]).toEqual([400, { detail: 'Missing required fields' }]);
      expect(reply.headers.get('x-error-fields')).toBe(fields);
    });

    test.each([
      [
        { task_type: 'custom_task' },
        'task_type must be one of SCHEDULE_APPOINTMENT, VERIFY_INSURANCE, REIMBURSEMENT, CUSTOM_TASK, ' +
          'INSURANCE_REIMBURSEMENT',
      ],
      [{ task_type: ['CUSTOM_TASK'] }, /^task_type must be one of/],
      [{ task_type: 'toString' }, /^task_type must be one of/],
      [{ task: 7 }, 'task must be a string'],
      [{ task: ' '.repeat(4001) }, 'task must have at most 4000 characters'],
      [{ task: ' \n ' }, 'task must not be blank'],
      [{ task: '\u0000' }, 'task must not be blank'],
      [{ phone_number: '911' }, 'phone_number must match ^\\+[1-9]\\d{1,14}$'],
      [{ phone_number: '+911' }, 'phone_number must not be an emergency number or another short number'],
      [{ phone_number: '+1112' }, 'phone_number must not be an emergency number or another short number'],
      [{ patient_id: '1' }, 'patient_id must be a UUID'],
      [{ task_data: 'x' }, 'task_data must be an object'],
      [{ task_data: [] }, 'task_data must be an object'],
      [{ task_data: { questions_to_ask: {} } }, 'task_data.questions_to_ask must be an array'],
      [{ task_data: { questions_to_ask: ['When?'] } }, 'task_data.questions_to_ask[0] must be an object'],
      [
        { task_data: { questions_to_ask: [{ index: -1, question: 'When?' }] } },
        'task_data.questions_to_ask[0].index must be at least 0',
      ],
      [
        { task_data: { questions_to_ask: [{ index: 0, question: ' ' }] } },
        'task_data.questions_to_ask[0].question must not be blank',
      ],
      [
        { task_data: { questions_to_ask: [{ index: 0, question: 'Why? '.repeat(201) }] } },
        'task_data.questions_to_ask[0].question must have at most 1000 characters',
      ],
      [
        { task_data: { questions_to_ask: Array(101).fill({ index: 0, question: 'When?' }) } },
        'task_data.questions_to_ask must have at most 100 entries',
      ],
      [
        { task_data: { questions_to_ask: [{ index: 1.5, question: 'When?' }] } },
        'task_data.questions_to_ask[0].index must be an integer',
      ],
      [
        { task_data: { questions_to_ask: [{ index: '1', question: 'When?' }] } },
        'task_data.questions_to_ask[0].index must be a number',
      ],
      [
        { task_type: 'SCHEDULE_APPOINTMENT', task_data: { has_referral: 'yes' } },
        'task_data.has_referral must be true or false',
      ],
      [
        { task_type: 'SCHEDULE_APPOINTMENT', task_data: { previous_visits: [{ date: '2026-13-01' }] } },
        'task_data.previous_visits[0].date must be a calendar date in the form YYYY-MM-DD',
      ],
      [
        { task_type: 'VERIFY_INSURANCE', task_data: { service: { cpt_codes: [99213] } } },
        'task_data.service.cpt_codes[0] must be a string',
      ],
      [
        { task_type: 'REIMBURSEMENT', task_data: { primary_insurance: { phone_number: '1' } } },
        'task_data.primary_insurance.phone_number must match ^\\+[1-9]\\d{1,14}$',
      ],
    ])('is refused with a sentence: %j', async (members, detail) => {
      const reply = await post(members);
      expect(reply.status).toBe(400);
      expect(reply.json.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail));
    });

    test.each([
      ['an infinite number', '{"a":1e400}', 400],
      ['a number beyond the table', '{"a":[0,1e200]}', 400],
      ['a number too near to zero', '{"a":1e-200}', 400],
      ['an integer that lost digits', '{"a":12345678901234567890123456789012345678901234567890}', 400],
      ['a fraction with many digits', '{"a":0.1234567890123456789012345678901234567890123}', 201],
      ['the greatest exact integer', '{"a":9007199254740991,"b":-0,"c":-1e-9}', 201],
      ['a member without a name', '{"":1}', 400],
      ['a member without a name inside', '{"a":[{"":1}]}', 400],
      ['a very long name', `{"${'n'.repeat(2000)}":1}`, 400],
      ['odd names', '{"a.b":1,"#n":2,":v":3,"$x":4," ":5,"pk":"x","prototype":{"x":1},"toString":"y"}', 201],
      ['a member that poses as a set', '{"a":[{"constructor":{"name":"Set"}}]}', 400],
      ['a prototype', '{"__proto__":{"x":1}}', 400],
      ['the greatest depth', `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, 201],
      ['one level more', `${'{"a":'.repeat(31)}1${'}'.repeat(31)}`, 400],
      ['great depth', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400],
      ['half of a surrogate pair', '{"a":"\\ud800"}', 400],
      ['half of a surrogate pair in a name', '{"a":[{"\\udc00":"b"}]}', 400],
      ['a whole surrogate pair', '{"a":"\\ud83d\\ude00"}', 201],
      ['empty values', '{"a":"","b":[],"c":{}}', 201],
      ['a long text', `{"a":"${'é'.repeat(120_000)}"}`, 201],
      ['very many numbers', `{"a":[${'0,'.repeat(120_000)}0]}`, 413],
      ['very many empty lists', `{"a":[${'[],'.repeat(20_000)}[]]}`, 201],
    ])(
      '47: with %s in task_data is taken, or refused without saying a name back',
      async (_, taskData, status) => {
        const reply = await postText(taskData);
        expect([reply.status, status === 201 || typeof reply.json.detail === 'string']).toEqual([
          status,
          true,
        ]);
        // Errors do not repeat names that the client chose.
        if (status === 400) expect(reply.json.detail).toMatch(/^(task_data|body)( has a value that)? must /);
        if (status === 201) expect((await get(reply.json.id)).status).toBe(200);
      },
    );

    test.each(['true', 'True', 'TRUE', '1', 'false', 'False', '0'])(
      'is read with flags like %s',
      async (flag) => {
        const { json } = await post({});
        const query = `include_transcript=${flag}&include_all_calls=${flag}&include_result=${flag}`;
        expect((await get(`${json.id}?${query}`)).status).toBe(200);
        expect((await get(`${json.id}?${query}&${query}&unknown=1`)).status).toBe(200);
      },
    );

    test.each(['include_transcript', 'include_all_calls', 'include_result'])(
      'refuses odd values of %s',
      async (name) => {
        const { json } = await post({});
        for (const query of [
          `${name}=yes`,
          `${name}=`,
          name,
          `${name}=null`,
          `${name}=2`,
          `${name}=true&${name}=false`,
          `${name}=true,false`,
          `${name}=constructor`,
        ]) {
          const reply = await get(`${json.id}?${query}`);
          expect([reply.status, reply.json]).toEqual([400, { detail: `${name} must be true or false` }]);
        }
      },
    );
  });
}
