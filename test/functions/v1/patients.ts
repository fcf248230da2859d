import { describe, expect, test } from 'vitest';
import { type ApiReply, type ApiUnderTest, patientBody, send } from '../../support/api-under-test.ts';

/** `POST /v1/patient` and `GET /v1/patient/{patient_id}`. */
export function patientSuite(api: () => ApiUnderTest): void {
  const post = (members: Record<string, unknown>): Promise<ApiReply> =>
    send(api().baseUrl, {
      method: 'POST',
      path: '/v1/patient',
      apiKey: api().mine.apiKey,
      body: { ...patientBody(api().mine.projectId), ...members },
    });
  const get = (id: string): Promise<ApiReply> =>
    send(api().baseUrl, { method: 'GET', path: `/v1/patient/${id}`, apiKey: api().mine.apiKey });

  const address = {
    street_name: '1 Example Street',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country_code: 'US',
  };

  describe('a patient', () => {
    test('is read as it was given, with every field of the resource', async () => {
      const given = {
        email: 'ada@example.com',
        address,
        primary_care_provider: { name: 'Dr. Example', practice: 'Example Practice' },
        insurance: {
          medical: [
            {
              company_name: 'Example Health',
              member_id: 'M-1',
              group_number: 'G-1',
              plan_name: 'Gold',
              phone_number: '+12025550101',
              relationship_to_subscriber: 'SPOUSE',
              primary_subscriber: { first_name: 'Grace', last_name: 'Example' },
            },
          ],
          dental: [],
        },
      };
      const created = await post(given);
      expect(created.status).toBe(201);
      expect(Object.keys(created.json)).toEqual(['id']);
      const read = await get(created.json.id);
      expect(read.status).toBe(200);
      expect(read.json).toEqual({
        ...patientBody(api().mine.projectId),
        ...given,
        id: created.json.id,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: read.json.created_at,
      });
      expect(read.headers.get('cache-control')).toBe('no-store');
      expect(read.headers.get('content-type')).toMatch(/^application\/json/);
    });

    test('is asked for its headers alone by HEAD', async () => {
      const { id } = (await post({})).json;
      const head = async (path: string) => {
        const { status, headers, text } = await send(api().baseUrl, {
          method: 'HEAD',
          path,
          apiKey: api().mine.apiKey,
        });
        return [status, headers.get('content-type'), text];
      };
      expect(await head(`/v1/patient/${id}`)).toEqual([200, 'application/json', '']);
      expect(await head('/v1/patient/none')).toEqual([400, 'application/json', '']);
    });

    test('has null for what was not given, or given as null', async () => {
      const optional = { email: null, address: null, primary_care_provider: null, insurance: null };
      for (const members of [{}, optional]) {
        const { json } = await get((await post(members)).json.id);
        expect(json).toMatchObject(optional);
      }
    });

    test('may have nulls for optional members anywhere inside', async () => {
      const reply = await post({
        primary_care_provider: { name: 'Dr. Example', practice: null },
        insurance: {
          medical: [{ member_id: 'M-1', phone_number: null, primary_subscriber: null }],
          vision: null,
        },
      });
      const { primary_care_provider, insurance } = (await get(reply.json.id)).json;
      expect({ primary_care_provider, insurance }).toEqual({
        primary_care_provider: { name: 'Dr. Example', practice: null },
        insurance: {
          medical: [{ member_id: 'M-1', phone_number: null, primary_subscriber: null }],
          vision: null,
        },
      });
    });

    test('keeps no member that the interface does not have', async () => {
      const reply = await post({ nickname: 'A', insurance: { medical: [{ card: 'x' }], pet: [] } });
      const { text } = await get(reply.json.id);
      expect(text).not.toMatch(/nickname|card|pet/);
    });

    test('keeps letters of every script', async () => {
      const names = { first_name: 'Zoë 王 👩🏽‍⚕️ नेत्र‍ी می‌خواهم', last_name: 'O\'"\\' };
      const { json } = await get((await post(names)).json.id);
      expect(json).toMatchObject(names);
    });

    test('has its name in the composed form, however it was typed', async () => {
      const { json } = await get((await post({ first_name: 'Zoe\u0308' })).json.id);
      expect(json.first_name).toBe('Zo\u00eb');
    });

    test.each([' \t ', '\u0000', 'A\u202eB', 'A\u2066B', 'A\u200bB', 'A\ufeffB', 'A\u2028B', '\ud800'])(
      'has no name with %j in it',
      async (foreign) => {
        const reply = await post({ first_name: foreign });
        expect(reply.status).toBe(400);
        expect(reply.headers.get('x-error-fields')).toBe('first_name');
        expect(reply.headers.get('x-error-code')).toBe('invalid_request');
      },
    );

    test('may have empty text for what was not given', async () => {
      const reply = await post({ email: '', insurance: { medical: [{ phone_number: '', plan_name: '' }] } });
      expect((await get(reply.json.id)).json).toMatchObject({
        email: null,
        insurance: { medical: [{ plan_name: '' }] },
      });
    });

    test('is refused with every wrong member where the client prefers that', async () => {
      const wrong = { first_name: '', email: 'ada', insurance: { dental: [{ phone_number: 'x' }] } };
      const body = { ...patientBody(api().mine.projectId), ...wrong };
      const reply = await send(api().baseUrl, {
        method: 'POST',
        path: '/v1/patient',
        apiKey: api().mine.apiKey,
        headers: { Prefer: 'errors=all' },
        body,
      });
      expect(reply.headers.get('preference-applied')).toBe('errors=all');
      expect(reply.json).toEqual({
        detail: 'Missing required fields',
        errors: [
          { path: 'first_name', code: 'missing', message: 'first_name is required' },
          { path: 'email', code: 'invalid', message: 'email must be an email address' },
          {
            path: 'insurance.dental[0].phone_number',
            code: 'invalid',
            message: 'insurance.dental[0].phone_number must match ^\\+[1-9]\\d{1,14}$',
          },
        ],
      });
    });

    test('never changes what objects are made of', async () => {
      const body = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${JSON.stringify(
        patientBody(api().mine.projectId),
      ).slice(1)}`;
      const reply = await send(api().baseUrl, {
        method: 'POST',
        path: '/v1/patient',
        apiKey: api().mine.apiKey,
        body,
      });
      expect(reply.status).toBe(201);
      expect(Object.keys(Object.prototype)).not.toContain('polluted');
    });

    test.each([
      ['first_name', { first_name: '' }],
      ['first_name', { first_name: null }],
      ['phone_number', { phone_number: '' }],
      ['date_of_birth', { date_of_birth: undefined }],
      ['first_name,last_name', { first_name: '', last_name: null, email: 5 }],
      ['address.city', { address: { ...address, city: undefined } }],
      [
        'address.street_name,address.city,address.state,address.postal_code,address.country_code',
        { address: {} },
      ],
    ])('is refused when %s is missing', async (fields, members) => {
      const reply = await post(members);
      expect([reply.status, reply.json]).toEqual([400, { detail: 'Missing required fields' }]);
      expect(reply.headers.get('x-error-fields')).toBe(fields);
    });

    test.each([
      [{ project_id: 'P1' }, 'project_id must be a UUID'],
      [{ first_name: 5 }, 'first_name must be a string'],
      [{ first_name: 'Ada '.repeat(51) }, 'first_name must have at most 200 characters'],
      [{ first_name: ['Ada'] }, 'first_name must be a string'],
      [{ last_name: {} }, 'last_name must be a string'],
      [{ phone_number: '2025550142' }, 'phone_number must match ^\\+[1-9]\\d{1,14}$'],
      [{ phone_number: '+1202555014\n2' }, 'phone_number must match ^\\+[1-9]\\d{1,14}$'],
      [{ phone_number: '+12025550142\n' }, 'phone_number must match ^\\+[1-9]\\d{1,14}$'],
      [{ phone_number: 12025550142 }, 'phone_number must be a string'],
      [{ date_of_birth: '1981-02-29' }, 'date_of_birth must be a calendar date in the form YYYY-MM-DD'],
      [{ date_of_birth: '02/29/1980' }, 'date_of_birth must be a calendar date in the form YYYY-MM-DD'],
      [
        { date_of_birth: '1980-02-29T00:00:00Z' },
        'date_of_birth must be a calendar date in the form YYYY-MM-DD',
      ],
      [{ email: 'ada' }, 'email must be an email address'],
      [{ date_of_birth: '1899-12-31' }, 'date_of_birth must be a date from 1900-01-01 to today'],
      [{ date_of_birth: '9999-12-31' }, 'date_of_birth must be a date from 1900-01-01 to today'],
      [{ date_of_birth: '0000-01-01' }, 'date_of_birth must be a date from 1900-01-01 to today'],
      [{ address: 'somewhere' }, 'address must be an object'],
      [{ address: [address] }, 'address must be an object'],
      [
        { address: { ...address, country_code: 'USA' } },
        'address.country_code must be a two-letter country code',
      ],
      [{ insurance: [] }, 'insurance must be an object'],
      [{ insurance: { medical: {} } }, 'insurance.medical must be an array'],
      [{ insurance: { medical: ['x'] } }, 'insurance.medical[0] must be an object'],
      [{ insurance: { medical: [null] } }, 'insurance.medical[0] must be an object'],
      [
        { insurance: { dental: [{}, { phone_number: 'x' }] } },
        'insurance.dental[1].phone_number must match ^\\+[1-9]\\d{1,14}$',
      ],
      [
        { insurance: { vision: [{ relationship_to_subscriber: 'self' }] } },
        'insurance.vision[0].relationship_to_subscriber must be one of ' +
          'RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED, SELF, SPOUSE, DEPENDENT',
      ],
    ])('is refused with a sentence: %j', async (members, detail) => {
      const reply = await post(members);
      expect([reply.status, reply.json]).toEqual([400, { detail }]);
      expect(reply.headers.get('x-error-code')).toBe('invalid_request');
      expect(reply.headers.get('x-error-fields')).toBe(detail.split(' ')[0]);
    });
  });
}
