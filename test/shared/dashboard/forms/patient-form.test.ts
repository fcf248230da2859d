import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ProjectPatientBody } from '#shared/admin/patients.ts';
import { templateHeading } from '#shared/dashboard/forms/import-columns.ts';
import {
  insuranceKinds,
  patientErrors,
  patientField,
  readPatientForm,
  toPatientBody,
  toPatientForm,
} from '#shared/dashboard/forms/patient-form.ts';
import { dayText } from '#shared/dashboard/layout/day.tsx';
import { factsOf } from '#shared/dashboard/pages/patient-page.tsx';
import { PersonName } from '#shared/domain/names.ts';
import type { NewPatient } from '#shared/domain/patient.ts';
import type { MemberInsurance } from '#shared/domain/values.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { isJsonObject } from '#shared/http/clean-json.ts';
import { toPatientResource } from '#shared/patients/patient-resource.ts';

/** The fields of a body as a browser sends them; absent members as empty fields. */
function sent(body: unknown, extra: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of [...fieldsOf(body, []), ...Object.entries(extra)]) form.set(name, value);
  return form;
}

function fieldsOf(value: unknown, path: readonly PropertyKey[]): (readonly [string, string])[] {
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => [
      [patientField([...path, index, 'company_name']), ''] as const,
      ...fieldsOf(element, [...path, index]),
    ]);
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => fieldsOf(member, [...path, name]));
  }
  return typeof value === 'string' ? [[patientField(path), value]] : [];
}

const insurance: Required<MemberInsurance> = {
  company_name: 'Example Health Plan',
  member_id: 'EHP204518837',
  group_number: '70412',
  plan_name: 'Choice PPO',
  phone_number: '+12025550101',
  relationship_to_subscriber: 'SPOUSE',
  primary_subscriber: { first_name: 'Sam', last_name: 'Rivera' },
};

/** With every member: a new one without a field makes this file fail. */
const everything: Required<Omit<NewPatient, 'project_id'>> = {
  first_name: 'Maya',
  last_name: 'Rivera',
  phone_number: '+12025550142',
  date_of_birth: '1984-07-12',
  email: 'maya.rivera@example.com',
  address: {
    street_name: '18 Juniper Lane',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62704',
    country_code: 'US',
  },
  primary_care_provider: { name: 'Dr. Helen Okafor', practice: 'Riverside Family Clinic' },
  insurance: {
    medical: [insurance, { ...insurance, plan_name: 'Second PPO' }],
    dental: [{ company_name: 'Example Dental' }],
    vision: [{ primary_subscriber: { last_name: 'Rivera' } }],
  },
};

/** What only stored patients have. */
const storedWith = { project_id: 'p', id: 'i', created_at: '2026-03-02T15:00:00Z', updated_at: '' };

const { first_name, last_name, phone_number, date_of_birth } = everything;
const needed = { first_name, last_name, phone_number, date_of_birth };

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((sample) => sample === sample.trim() && sample.isWellFormed());
const phoneNumber = fc.stringMatching(/^\+[1-9][0-9]{1,14}$/);
const insurances = fc.array(
  fc
    .record(
      {
        company_name: text,
        member_id: text,
        group_number: text,
        plan_name: text,
        phone_number: phoneNumber,
        relationship_to_subscriber: fc.constantFrom('SELF', 'SPOUSE', 'DEPENDENT'),
        primary_subscriber: fc.oneof(
          fc.record({ first_name: text }),
          fc.record({ first_name: text, last_name: text }),
        ),
      },
      { requiredKeys: [] },
    )
    .filter((sample) => Object.keys(sample).length > 0),
  { minLength: 1, maxLength: 4 },
);
const personName = text
  .map((name) => name.normalize('NFC'))
  .filter((name) => PersonName.safeParse(name).success);
const patients = fc.record(
  {
    first_name: personName,
    last_name: personName,
    phone_number: phoneNumber,
    date_of_birth: fc
      .date({ min: new Date('1900-01-01'), max: new Date(), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    email: fc.constantFrom('maya.rivera@example.com', 'm@example.test'),
    address: fc.record({
      street_name: text,
      city: text,
      state: text,
      postal_code: text,
      country_code: fc.stringMatching(/^[A-Za-z]{2}$/),
    }),
    primary_care_provider: fc.oneof(fc.record({ name: text }), fc.record({ name: text, practice: text })),
    insurance: fc.oneof(
      fc.record({ medical: insurances }),
      fc.record({ medical: insurances, dental: insurances, vision: insurances }),
    ),
  },
  { requiredKeys: ['first_name', 'last_name', 'phone_number', 'date_of_birth'] },
);

describe('the form of a new patient', () => {
  test('contains every member of a patient', () => {
    expect(ProjectPatientBody.parse(toPatientBody(readPatientForm(sent(everything)), 'US'))).toEqual(
      everything,
    );
  });

  test.each([...sent({ ...everything, external_id: 'MRN-1' }).keys()])(
    'has a column of files for %s',
    (field) => {
      expect(templateHeading('patient', field)).not.toBeNull();
    },
  );

  test('has nothing that the page of the patient does not show', () => {
    const { first_name: _, last_name: __, insurance: ___, ...others } = everything;
    const written = {
      ...others,
      external_id: 'MRN-1',
      date_of_birth: dayText(date_of_birth),
      phone_number: phoneNumberText(phone_number),
    };
    const stored = { ...everything, external_id: 'MRN-1', ...storedWith };
    const shown = factsOf(toPatientResource(stored))
      .map(([, value]) => String(value))
      .join('\n')
      .replaceAll(/\s/g, ' ');
    for (const value of sent(written).values()) expect(shown).toContain(value);
  });

  test('contains exactly the typed values', () => {
    fc.assert(
      fc.property(patients, (patient) => {
        expect(ProjectPatientBody.parse(toPatientBody(readPatientForm(sent(patient)), 'US'))).toEqual(
          patient,
        );
      }),
    );
  });

  test('reproduces a patient if unchanged', () => {
    fc.assert(
      fc.property(patients, (patient) => {
        const body = ProjectPatientBody.parse(patient);
        const stored = toPatientResource({ ...body, ...storedWith });
        const form = readPatientForm(sent(toPatientForm(stored)));
        expect(ProjectPatientBody.parse(toPatientBody(form, 'US'))).toEqual(patient);
      }),
    );
  });

  test.each([
    ['1899-12-31', false],
    ['1900-01-01', true],
    ['1/31/1990', true],
    ['2026-11-22', true],
    ['2026-11-23', true],
    ['2026-11-24', false],
    ['2031-01-01', false],
  ])('accepts a date of birth between 1900 and today anywhere: %s', (date_of_birth, isTaken) => {
    vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const values = readPatientForm(sent({ ...needed, date_of_birth }));
    expect(problemsOf(values)).toEqual(
      isTaken ? {} : { date_of_birth: 'Enter a date of birth between 1900 and today' },
    );
  });

  test('omits empty and blank values and unselected choices', () => {
    const form = sent(needed, {
      email: '  ',
      'address-city': '',
      'primary_care_provider-name': ' ',
      'insurance-medical-0-company_name': '',
      'insurance-medical-0-relationship_to_subscriber': '',
    });
    expect(toPatientBody(readPatientForm(form), 'US')).toEqual(needed);
  });

  test('shows an insurance after an empty one where its problem is shown', () => {
    const values = readPatientForm(
      sent(
        {
          ...needed,
          insurance: { dental: [{}, { company_name: 'Example Dental', phone_number: '555 0101' }] },
        },
        { 'insurance-dental-0-member_id': ' ' },
      ),
    );
    expect(values.insurance.dental).toMatchObject([{ phone_number: '555 0101' }]);
    expect(problemsOf(values)).toEqual({
      'insurance-dental-0-phone_number':
        'Enter a phone number for dental insurance 1, such as (202) 555-0101, or leave it empty',
    });
  });

  test.each([
    '+12025550142',
    '+1 202 555 0142',
    '+1 (202) 555-0142',
    '+1.202.555.0142',
    '+1\u00a0202\u2011555\u20130142',
    '(202) 555-0142',
    '202-555-0142',
    '202.555.0142',
    '2025550142',
    '1 202 555 0142',
  ])('accepts a phone number in a usual format: %s', (typed) => {
    const values = readPatientForm(
      sent({ ...needed, phone_number: typed, insurance: { vision: [{ phone_number: typed }] } }),
    );
    expect(values.phone_number).toBe(typed);
    expect(toPatientBody(values, 'US')).toMatchObject({
      phone_number,
      insurance: { vision: [{ phone_number }] },
    });
  });

  test.each(['555-0142', '911', 'call the front desk', '202 555 0142 ext. 3', '++1202'])(
    'takes what is no whole number for none: %s',
    (typed) => {
      expect(problemsOf(readPatientForm(sent({ ...needed, phone_number: typed })))).toEqual({
        phone_number: 'Enter a phone number, such as (202) 555-0142',
      });
    },
  );

  test('is parsed in linear time, with any number of fields', () => {
    const form = new FormData();
    for (let index = 0; index < 20_000; index += 1) {
      form.append(patientField(['insurance', 'medical', index, 'company_name']), 'Example Health Plan');
    }
    expect(readPatientForm(form).insurance.medical).toHaveLength(20_000);
  });

  test('says at each field what is expected', () => {
    const problems = problemsOf(
      readPatientForm(
        sent({
          date_of_birth: '1984-02-30',
          email: 'maya',
          address: { city: 'Springfield', country_code: 'USA' },
          insurance: { medical: [{ relationship_to_subscriber: 'COUSIN' }] },
        }),
      ),
    );
    expect(Object.keys(problems)).toEqual([
      'first_name',
      'last_name',
      'phone_number',
      'date_of_birth',
      'email',
      'address-street_name',
      'address-state',
      'address-postal_code',
      'address-country_code',
      'insurance-medical-0-relationship_to_subscriber',
    ]);
    for (const sentence of Object.values(problems)) expect(sentence).toMatch(/^(?:Enter|An|Choose) /);
  });

  test('is as invalid without members as with empty ones', () => {
    const values = readPatientForm(new FormData());
    for (const kind of insuranceKinds) expect(values.insurance[kind]).toEqual([]);
    expect(Object.keys(problemsOf(values))).toEqual(Object.keys(needed));
  });
});

function problemsOf(values: ReturnType<typeof readPatientForm>): Readonly<Record<string, string>> {
  const parsed = ProjectPatientBody.safeParse(toPatientBody(values, 'US'));
  return parsed.success ? {} : patientErrors(parsed.error);
}
