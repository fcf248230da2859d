import type { z } from 'zod/mini';
import type { ProjectTaskBody } from '#shared/admin/tasks.ts';
import { formatPath } from '#shared/domain/member-path.ts';
import { toIsoDate } from '#shared/domain/written-date.ts';
import { toE164 } from '#shared/domain/written-phone-number.ts';
import { cleanObject, isJsonObject, isTooDeep } from '#shared/http/clean-json.ts';
import { entriesOf, isWellFormed } from './field-checks.ts';
import { type FieldErrors, fieldErrors } from './form-values.ts';
import { type FieldRows, type FieldSection, type TaskField, taskSections } from './new-task-fields.ts';
import {
  entryCount,
  fieldName,
  fieldPlaces,
  furtherName,
  type NewTaskForm,
  no,
  yes,
} from './new-task-form.ts';

/** The form's request, for its task type's schema to validate, with the problems that no schema can find. */
export interface AskedTask {
  readonly body: Partial<Record<keyof ProjectTaskBody, unknown>>;
  readonly errors: FieldErrors;
}

/** The body of `POST …/tasks` from the form. @param country of numbers without one */
export function toNewTaskBody(form: NewTaskForm, country: string): AskedTask {
  const errors: Record<string, string> = {};
  const fields: Record<string, unknown> = {};
  for (const section of taskSections[form.task_type]) {
    if (section.kind === 'fields')
      putFields(fields, section.fields, country, (path) => form.data[fieldName(path)]);
    else putRows(fields, section, form, country, errors);
  }
  for (const [name, { field, section, position }] of fieldPlaces(form)) {
    const text = form.data[name] ?? '';
    if (text !== '' && !isWellFormed(text, field))
      errors[name] = `${placeText(section, position)}: ${adviceFor(field)}`;
  }
  const number = toE164(form.phone_number, country);
  if (form.phone_number !== '' && form.destination !== '' && number !== form.destination) {
    errors.phone_number = 'This is not the number of the destination you chose. Keep one of the two';
  }
  const taskData = withFurther(fields, form.further, 'further', errors);
  return {
    body: {
      task_type: form.task_type,
      ...given('patient_id', form.patient_id),
      ...given('task', form.task),
      ...given('phone_number', form.phone_number === '' ? form.destination : number),
      ...(Object.keys(taskData).length === 0 ? {} : { task_data: taskData }),
    },
    errors,
  };
}

function placeText(section: FieldSection, position: number): string {
  return section.kind === 'fields' ? section.title : `${section.entry} ${position + 1}`;
}

function given(name: string, text: string): Record<string, string> {
  return text === '' ? {} : { [name]: text };
}

function putFields(
  into: Record<string, unknown>,
  fields: readonly TaskField[],
  country: string,
  textAt: (path: string) => string | undefined,
): void {
  for (const { path, kind } of fields) {
    const text = textAt(path) ?? '';
    if (text !== '') put(into, path.split('.'), toValue(text, kind, country));
  }
}

function put(into: Record<string, unknown>, [member = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[member] = value;
    return;
  }
  const inner = isJsonObject(into[member]) ? into[member] : {};
  into[member] = inner;
  put(inner, rest, value);
}

function putRows(
  into: Record<string, unknown>,
  rows: FieldRows,
  form: NewTaskForm,
  country: string,
  errors: Record<string, string>,
): void {
  const count = entryCount(form, rows);
  if (count === 0) return;
  into[rows.path] = Array.from({ length: count }, (_, position) => {
    const entry: Record<string, unknown> =
      rows.positionMember === undefined ? {} : { [rows.positionMember]: position };
    putFields(entry, rows.fields, country, (path) => form.data[fieldName(path, rows, position)]);
    const name = furtherName(rows, position);
    return withFurther(entry, form.data[name] ?? '', name, errors);
  });
}

function toValue(text: string, kind: TaskField['kind'], country: string): unknown {
  switch (kind) {
    case 'yes-no':
      // The schema refuses anything else.
      return text === yes ? true : text === no ? false : text;
    case 'codes':
      return entriesOf(text);
    case 'phone-number':
      return toE164(text, country);
    case 'date':
      return toIsoDate(text, country);
    default:
      return text;
  }
}

/** @param name of the field that contains `text`, a JSON object or nothing */
function withFurther(
  fields: Record<string, unknown>,
  text: string,
  name: string,
  errors: Record<string, string>,
): Record<string, unknown> {
  if (text === '') return fields;
  const further = parseObject(text);
  if (further === null) {
    errors[name] = 'Further data must be a JSON object, such as {"medical_context": "…"}';
    return fields;
  }
  const twice: string[] = [];
  const merged = merge(fields, further, [], twice);
  if (twice[0] !== undefined) {
    errors[name] = `Further data must not repeat ${twice[0]}, which has its own field`;
  }
  return merged;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || isTooDeep(value)) return null;
    return cleanObject(value, { keepsNull: false });
  } catch {
    return null;
  }
}

/** @param twice receives the paths of values that both have; those of the fields win */
function merge(
  fields: Record<string, unknown>,
  further: Record<string, unknown>,
  path: readonly string[],
  twice: string[],
): Record<string, unknown> {
  const merged = { ...further, ...fields };
  for (const [member, value] of Object.entries(further)) {
    const field = fields[member];
    if (field === undefined) continue;
    if (isJsonObject(field) && isJsonObject(value)) {
      merged[member] = merge(field, value, [...path, member], twice);
    } else twice.push(formatPath([...path, member]));
  }
  return merged;
}

/** The schema's problems, at the fields and in their order. */
export function newTaskErrors(form: NewTaskForm, error: z.core.$ZodError): FieldErrors {
  const problems = { ...newTaskProblems(form), ...tooLongLists(form, error) };
  const errors = fieldErrors(error, (path) => fieldOf(problems, firstOfList(form, path)), problems);
  const names = Object.keys(problems).filter((name) => name in errors);
  return Object.fromEntries(names.map((name) => [name, errors[name] ?? '']));
}

/** The field that shows a problem of the body: further data if the form has no field for it. */
function fieldOf(problems: FieldErrors, path: readonly PropertyKey[]): string {
  const name = path.map(String).join('.');
  return Object.hasOwn(problems, name) ? name : 'further';
}

/** The typed list that a problem is about as a whole; none for a list in further data. */
function listAt(form: NewTaskForm, path: readonly PropertyKey[]): FieldRows | undefined {
  return taskSections[form.task_type]
    .filter((section) => section.kind === 'rows')
    .find((rows) => path.join('.') === `task_data.${rows.path}` && entryCount(form, rows) > 0);
}

/** The first field shows a problem of a whole list. */
function firstOfList(form: NewTaskForm, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const rows = listAt(form, path);
  return rows === undefined ? path : [...path, 0, rows.fields[0]?.path ?? ''];
}

/** What to do about lists with too many entries, by the field that shows it. */
function tooLongLists(form: NewTaskForm, error: z.core.$ZodError): FieldErrors {
  return Object.fromEntries(
    error.issues.flatMap((issue) => {
      const rows = listAt(form, issue.path);
      if (issue.code !== 'too_big' || rows === undefined) return [];
      const excess = entryCount(form, rows) - Number(issue.maximum);
      const sentence = `${rows.title}: keep up to ${issue.maximum}; remove ${excess}`;
      return [[firstOfList(form, issue.path).join('.'), sentence]];
    }),
  );
}

/** What each field requires, in our words, in the form's order. */
function newTaskProblems(form: NewTaskForm): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {
    patient_id: 'Choose a patient',
    task: 'Enter a goal',
    phone_number: 'Enter the number to call, such as (202) 555-0142',
  };
  for (const [name, { field, section, position }] of fieldPlaces(form)) {
    problems[name] = `${placeText(section, position)}: ${adviceFor(field)}`;
  }
  return { ...problems, further: 'Further data does not fit a task of this type' };
}

function adviceFor({
  kind,
  label,
  advice = `enter “${label}”: an address needs all its parts`,
}: TaskField): string {
  switch (kind) {
    case 'date':
      return 'enter a date, such as Jul 12, 2026 or 2026-07-12';
    case 'phone-number':
      return 'enter a phone number, such as (202) 555-0142';
    case 'npi':
      return 'enter a 10-digit NPI, and check it for typos';
    case 'codes':
      return 'enter 5-character CPT or HCPCS codes, separated by commas, such as 97110, J0585';
    case 'amount':
      return 'enter an amount, such as $240.00';
    case 'yes-no':
    case 'choice':
    case 'relationship':
      return 'choose one of the listed answers';
    case 'line':
    case 'text':
      return advice;
    default:
      return kind satisfies never;
  }
}
