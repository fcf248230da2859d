import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { projectTaskBodies } from '#shared/admin/tasks.ts';
import { newTaskErrors, toNewTaskBody } from '#shared/dashboard/forms/new-task-body.ts';
import { type FieldRows, taskSections } from '#shared/dashboard/forms/new-task-fields.ts';
import { emptyTaskForm, type NewTaskForm, readNewTaskForm } from '#shared/dashboard/forms/new-task-form.ts';
import { toNewTaskForm } from '#shared/dashboard/forms/repeated-task-form.ts';
import { newTaskSchemas } from '#shared/domain/new-task.ts';
import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { CalendarDate, PhoneNumber } from '#shared/domain/values.ts';

const patient_id = '0199f3c0-0000-7000-8000-000000000001';
const order = { patient_id, task: 'Ask for the opening hours.', phone_number: '+12025550103' };

/** As a browser sends it: line breaks as two characters. */
function sent({ data, ...form }: NewTaskForm): FormData {
  const sentForm = new FormData();
  for (const [name, value] of Object.entries({ ...form, ...data })) {
    sentForm.append(name, value.replaceAll('\n', '\r\n'));
  }
  return sentForm;
}

function bodyOf(form: NewTaskForm): unknown {
  const { body, errors } = toNewTaskBody(readNewTaskForm(sent(form), form.task_type), 'US');
  expect(errors).toEqual({});
  return projectTaskBodies[form.task_type].parse(body);
}

function errorsOf(form: NewTaskForm): Readonly<Record<string, string>> {
  const read = readNewTaskForm(sent(form), form.task_type);
  const { body, errors } = toNewTaskBody(read, 'US');
  const { error } = projectTaskBodies[form.task_type].safeParse(body);
  return { ...(error === undefined ? {} : newTaskErrors(read, error)), ...errors };
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((sample) => sample === sample.trim() && sample.isWellFormed() && !sample.includes('\r'));
const furtherValue = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text), fc.record({ inner: text }));
const furtherMembers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.dictionary(fc.stringMatching(/^further_[a-z]{1,4}$/), furtherValue, { maxKeys: 2 }),
);

/** Anything that a schema accepts, generated from the schema itself, so that no member is forgotten. */
function accepted(schema: z.core.$ZodType, name = ''): fc.Arbitrary<unknown> {
  if (schema === PhoneNumber) return fc.stringMatching(/^\+[1-9][0-9]{1,14}$/);
  if (schema === CalendarDate) return fc.constantFrom('2026-02-28', '2024-02-29', '1984-07-12');
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return accepted(schema._zod.def.innerType, name);
  }
  if (schema instanceof z.ZodMiniArray) {
    const entry = accepted(schema._zod.def.element, name);
    return fc.array(entry, { minLength: 1, maxLength: 3 }).map((list) => list.map(positioned));
  }
  if (schema instanceof z.ZodMiniObject) {
    const shape: Record<string, z.core.$ZodType> = schema._zod.def.shape;
    const members = Object.entries(shape).map(([one, inner]) => [one, accepted(inner, one)] as const);
    const needed = Object.entries(shape).flatMap(([one, inner]) =>
      inner._zod.optin === undefined ? [one] : [],
    );
    const known = fc.record(Object.fromEntries(members), { requiredKeys: needed });
    return fc
      .tuple(known, furtherMembers)
      .map(([fields, further]) => ({ ...fields, ...further }))
      .filter((object) => Object.keys(object).length > 0);
  }
  switch (name) {
    case 'country_code':
      return fc.constantFrom('US', 'ca');
    case 'relationship_to_subscriber':
      return fc.constantFrom('SELF', 'SPOUSE', 'DEPENDENT');
    case 'cpt_codes':
      return fc.constantFrom('97110', 'J0585', '0042T', '97140-59');
    case 'npi':
      return fc.constantFrom('1234567893', '1245319599');
    case 'amount':
      return fc.constantFrom('$240.00', '1,240', '240.00 USD');
    case 'index':
      return fc.nat();
    case 'has_referral':
    case 'is_rescheduling':
      return fc.boolean();
    default:
      return text;
  }
}

function positioned(entry: unknown, position: number): unknown {
  return typeof entry === 'object' && entry !== null && 'index' in entry
    ? { ...entry, index: position }
    : entry;
}

function membersOf(schema: z.core.$ZodType, path: readonly string[] = []): string[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return membersOf(schema._zod.def.innerType, path);
  }
  if (schema instanceof z.ZodMiniArray && schema._zod.def.element instanceof z.ZodMiniObject) {
    return membersOf(schema._zod.def.element, [...path, '[]']);
  }
  if (!(schema instanceof z.ZodMiniObject)) return [path.join('.')];
  const shape: Record<string, z.core.$ZodType> = schema._zod.def.shape;
  return Object.entries(shape).flatMap(([name, inner]) => membersOf(inner, [...path, name]));
}

describe.each(taskTypes)('the form of a task of the type %s', (task_type: TaskType) => {
  const taskData = newTaskSchemas[task_type].shape.task_data;

  test('has a field for every member of its data', () => {
    const fields = taskSections[task_type].flatMap((section) => {
      if (section.kind === 'fields') return section.fields.map(({ path }) => path);
      const { positionMember = [], path, fields } = section satisfies FieldRows;
      return [...fields.map((field) => field.path), ...[positionMember].flat()].map(
        (member) => `${path}.[].${member}`,
      );
    });
    expect(fields.toSorted()).toEqual(membersOf(taskData).toSorted());
  });

  test('recreates the same task if unchanged, whatever else its data contains', () => {
    fc.assert(
      fc.property(accepted(taskData), text, (task_data, task) => {
        const body = projectTaskBodies[task_type].parse({ ...order, task_type, task, task_data });
        const repeated = { ...order, task_type, task, task_data: body.task_data ?? null };
        expect(bodyOf(toNewTaskForm(repeated))).toEqual(body);
      }),
    );
  });

  test('creates a task without data if its fields are empty', () => {
    expect(bodyOf({ ...emptyTaskForm(task_type), ...order })).toEqual({ ...order, task_type });
  });

  test('reports missing values', () => {
    expect(Object.keys(errorsOf(emptyTaskForm(task_type)))).toEqual(['patient_id', 'task', 'phone_number']);
  });
});

describe('the form of a new task', () => {
  const custom: NewTaskForm = { ...emptyTaskForm('CUSTOM_TASK'), ...order };
  const reimbursement: NewTaskForm = { ...emptyTaskForm('REIMBURSEMENT'), ...order };

  test('omits empty questions, and renumbers the others', () => {
    const data = {
      'task_data.questions_to_ask.1.question': 'When do you open?',
      'task_data.questions_to_ask.4.question': 'Do you take new patients?',
      'task_data.questions_to_ask.4.answer': 'Yes',
      'task_data.questions_to_ask.10.question': 'Is there parking?',
    };
    expect(bodyOf({ ...custom, data })).toMatchObject({
      task_data: {
        questions_to_ask: [
          { index: 0, question: 'When do you open?' },
          { index: 1, question: 'Do you take new patients?', answer: 'Yes' },
          { index: 2, question: 'Is there parking?' },
        ],
      },
    });
  });

  test("shows an earlier task's questions in their order", () => {
    const questions_to_ask = [
      { index: 7, question: 'Second?' },
      { index: 3, question: 'First?' },
    ];
    const form = toNewTaskForm({ ...order, task_type: 'CUSTOM_TASK', task_data: { questions_to_ask } });
    expect(form.data).toEqual({
      'task_data.questions_to_ask.0.question': 'First?',
      'task_data.questions_to_ask.1.question': 'Second?',
    });
    expect(form.further).toBe('');
  });

  test('treats an unspecified relationship as none', () => {
    const insurance = { relationship_to_subscriber: 'RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED' };
    const form = toNewTaskForm({ ...order, task_type: 'VERIFY_INSURANCE', task_data: { insurance } });
    expect(form).toMatchObject({ data: {}, further: '' });
  });

  test('keeps data without a field as further data', () => {
    const task_data = { service: { cpt_codes: ['97110, left'] }, medical_context: 'Asthma' };
    const form = toNewTaskForm({ ...order, task_type: 'VERIFY_INSURANCE', task_data });
    expect(JSON.parse(form.further)).toEqual(task_data);
    expect(bodyOf(form)).toMatchObject({ task_data });
  });

  test.each([
    ['task_data.provider.npi', '12', 'Provider: enter a 10-digit NPI'],
    ['task_data.provider.npi', '1234567890', 'Provider: enter a 10-digit NPI'],
    ['task_data.service.cpt_codes', '97110, banana', 'The service: enter 5-character CPT'],
  ])('refuses at %s an invalid provider number: %s', (name, typed, problem) => {
    const errors = errorsOf({ ...emptyTaskForm('VERIFY_INSURANCE'), ...order, data: { [name]: typed } });
    expect(Object.keys(errors)).toEqual([name]);
    expect(errors[name]).toContain(problem);
  });

  test('refuses an invalid amount', () => {
    expect(errorsOf({ ...reimbursement, data: { 'task_data.bill.amount': 'lots' } })).toEqual({
      'task_data.bill.amount': 'Bill: enter an amount, such as $240.00',
    });
  });

  test('accepts codes with commas or on separate lines', () => {
    const data = { 'task_data.service.cpt_codes': '97110, 97140,\n97530' };
    expect(bodyOf({ ...emptyTaskForm('VERIFY_INSURANCE'), ...order, data })).toMatchObject({
      task_data: { service: { cpt_codes: ['97110', '97140', '97530'] } },
    });
  });

  test('accepts phone numbers in usual formats', () => {
    const data = { 'task_data.bill.phone_number': '+1 202-555-0102' };
    expect(bodyOf({ ...reimbursement, phone_number: '+1 (202) 555-0100', data })).toMatchObject({
      phone_number: '+12025550100',
      task_data: { bill: { phone_number: '+12025550102' } },
    });
  });

  test.each([
    ['phone_number', { ...custom, phone_number: '555-0100' }],
    [
      'task_data.questions_to_ask.0.question',
      { ...custom, data: { 'task_data.questions_to_ask.3.answer': 'Eight' } },
    ],
    [
      'task_data.case_info.created_at',
      { ...reimbursement, data: { 'task_data.case_info.created_at': '2026-02-30' } },
    ],
    ['task_data.bill.phone_number', { ...reimbursement, data: { 'task_data.bill.phone_number': '0' } }],
    [
      'task_data.primary_insurance.relationship_to_subscriber',
      { ...reimbursement, data: { 'task_data.primary_insurance.relationship_to_subscriber': 'TWIN' } },
    ],
    [
      'task_data.has_referral',
      { ...emptyTaskForm('SCHEDULE_APPOINTMENT'), ...order, data: { 'task_data.has_referral': 'perhaps' } },
    ],
    ['further', { ...custom, further: 'no JSON' }],
    ['further', { ...custom, further: '["a list"]' }],
    ['further', { ...custom, further: '{"questions_to_ask": [{"question": 1}]}' }],
    [
      'further',
      {
        ...custom,
        data: { 'task_data.additional_context': 'One thing' },
        further: '{"additional_context": "Another"}',
      },
    ],
  ])('reports at %s what is wrong there', (field, form) => {
    expect(Object.keys(errorsOf(form))).toEqual([field]);
  });

  test('requires a complete address once it has a part', () => {
    const data = {
      'task_data.provider.address.city': 'Springfield',
      'task_data.provider.address.country_code': 'USA',
    };
    expect(errorsOf({ ...reimbursement, data })).toEqual({
      'task_data.provider.address.street_name': 'Provider: enter “Street”: an address needs all its parts',
      'task_data.provider.address.state':
        'Provider: enter “State or province”: an address needs all its parts',
      'task_data.provider.address.postal_code':
        'Provider: enter “Postal code”: an address needs all its parts',
      'task_data.provider.address.country_code': 'Provider: enter the country as two letters, such as US',
    });
  });

  test('is parsed and refused in linear time, with any number of entries', () => {
    const entries = Array.from(
      { length: 20_000 },
      (_, at) => [`task_data.questions_to_ask.${at}.answer`, 'Eight'] as const,
    );
    const errorFields = (count: number): string[] =>
      Object.keys(errorsOf({ ...custom, data: Object.fromEntries(entries.slice(0, count)) }));
    expect(errorFields(100)).toHaveLength(100);
    // No task has as many questions.
    expect(errorFields(20_000)).toEqual(['task_data.questions_to_ask.0.question']);
  });

  test('does not let further data change prototypes', () => {
    expect(
      bodyOf({ ...custom, further: '{"__proto__": {"a": 1}, "constructor": 2, "note": "kept"}' }),
    ).toEqual({ ...order, task_type: 'CUSTOM_TASK', task_data: { note: 'kept' } });
  });
});
