import type { z } from 'zod/mini';
import type { ProjectTaskBody } from '#shared/admin/tasks.ts';
import { formatPath } from '#shared/domain/member-path.ts';
import type { Task } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import { toIsoDate } from '#shared/domain/written-date.ts';
import { phoneNumberText, toE164 } from '#shared/domain/written-phone-number.ts';
import { cleanObject, isJsonObject, isTooDeep } from '#shared/http/clean-json.ts';
import { dayText } from '../layout/day.tsx';
import { relationshipNames } from '../layout/insurance-words.ts';
import { between, codesIn, isWellFormed } from './field-checks.ts';
import { type FieldErrors, fieldErrors } from './form-values.ts';
import { type FieldRows, type FieldSection, type TaskField, taskSections } from './new-task-fields.ts';

/** A new task as its form shows it: text as it is typed. */
export interface NewTaskForm {
  readonly task_type: TaskType;
  readonly patient_id: string;
  readonly task: string;
  readonly phone_number: string;
  /** What is typed into the fields of `taskSections`, by name; fields without text are left out. */
  readonly data: Readonly<Record<string, string>>;
  /** JSON object of what `task_data` is to hold beyond the fields; or nothing. */
  readonly further: string;
}

export const yes = 'yes';
export const no = 'no';

/** The field by which the form's buttons that only help to fill it in say what they are for. */
export const intentField = 'intent';
export const intents = { find: 'find', moreEntries: 'more-entries', enter: 'enter' } as const;

/** Name of the field of what an entry of a list holds beyond its fields. */
const furtherOfEntry = 'further';

export function emptyTaskForm(taskType: TaskType): NewTaskForm {
  return { task_type: taskType, patient_id: '', task: '', phone_number: '', data: {}, further: '' };
}

/** The name of a field, which is its id as well. @param position of the entry, for a field of a list */
export function fieldName(
  path: string,
  { path: list }: { path: string } = { path: '' },
  position = 0,
): string {
  return ['task_data', ...(list === '' ? [] : [list, position]), path].join('.');
}

/** The name of the field of what an entry of a list holds beyond its other fields. */
export function furtherName(rows: FieldRows, position: number): string {
  return fieldName(furtherOfEntry, rows, position);
}

/** How many entries of a list something is typed into; they are the first ones. */
export function entryCount({ data }: NewTaskForm, rows: FieldRows): number {
  return positionsOf(Object.keys(data), rows).length;
}

function positionsOf(names: Iterable<string>, { path }: FieldRows): readonly number[] {
  const positions = new Set<number>();
  for (const name of names) {
    const position = name.startsWith(`task_data.${path}.`) ? Number(name.split('.')[2]) : Number.NaN;
    if (Number.isSafeInteger(position)) positions.add(position);
  }
  return [...positions].sort((one, other) => one - other);
}

/** Entries that nothing is typed into are left out, and those after them move up. */
export function readNewTaskForm(form: FormData, taskType: TaskType): NewTaskForm {
  const texts = typedTexts(form);
  const text = (name: string): string => texts.get(name) ?? '';
  const data: Record<string, string> = {};
  const read = (name: string, sentAs: string): void => {
    if (texts.has(sentAs)) data[name] = text(sentAs);
  };
  for (const section of taskSections[taskType]) {
    if (section.kind === 'fields') {
      for (const { path } of section.fields) read(fieldName(path), fieldName(path));
      continue;
    }
    for (const [position, sentPosition] of positionsOf(texts.keys(), section).entries()) {
      for (const path of [...section.fields.map((field) => field.path), furtherOfEntry]) {
        read(fieldName(path, section, position), fieldName(path, section, sentPosition));
      }
    }
  }
  return {
    task_type: taskType,
    patient_id: text('patient_id'),
    task: text('task'),
    phone_number: text('phone_number'),
    data,
    further: text('further'),
  };
}

/**
 * What was typed, by name, without blanks around it and without empty fields. Browsers send a line break as
 * two characters.
 */
function typedTexts(form: FormData): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of form) {
    const text = typeof value === 'string' ? value.trim().replaceAll('\r\n', '\n') : '';
    if (text !== '') texts.set(name, text);
  }
  return texts;
}

type RepeatedTask = Pick<Task, 'task_type' | 'patient_id' | 'task' | 'phone_number' | 'task_data'>;

/**
 * The form that asks for a task like an earlier one. Whatever of its `task_data` no field can show is kept as
 * further data. Entries of a list stand in the order of their positions, which are counted anew.
 */
export function toNewTaskForm({ task_data, ...task }: RepeatedTask): NewTaskForm {
  const data: Record<string, string> = {};
  const left = structuredClone(task_data ?? {});
  for (const section of taskSections[task.task_type]) {
    if (section.kind === 'fields') takeFields(left, section.fields, (path) => fieldName(path), data);
    else takeRows(left, section, data);
  }
  return {
    task_type: task.task_type,
    patient_id: task.patient_id,
    task: task.task,
    phone_number: phoneNumberText(task.phone_number),
    data,
    further: furtherText(left),
  };
}

/** What a form says, field by field, as people read it: the name of the field and what stands in it. */
export function filledFields(
  taskType: TaskType,
  data: NewTaskForm['data'],
): readonly (readonly [label: string, text: string])[] {
  return fieldPlaces({ ...emptyTaskForm(taskType), data }).flatMap(([name, { field, section, position }]) => {
    const text = data[name];
    if (text === undefined) return [];
    const label = section.kind === 'rows' ? `${section.entry} ${position + 1}: ${field.label}` : field.label;
    const isFirst = section.kind === 'rows' || section === taskSections[taskType][0];
    return [[isFirst ? label : `${section.title}: ${label}`, readText(field, text)]];
  });
}

/** The display text of a field. */
function readText({ kind, choices = [] }: TaskField, text: string): string {
  if (kind === 'phone-number') return phoneNumberText(text);
  if (kind === 'relationship') return new Map(Object.entries(relationshipNames)).get(text) ?? text;
  if (kind === 'date' && CalendarDate.safeParse(text).success) return dayText(text);
  return choices.find(({ value }) => value === text)?.label ?? text;
}

/** Moves what fields can show out of `left`. */
function takeFields(
  left: Record<string, unknown>,
  fields: readonly TaskField[],
  nameOf: (path: string) => string,
  data: Record<string, string>,
): void {
  for (const { path, kind } of fields) {
    const text = take(left, path.split('.'), kind);
    if (text !== null && text !== '') data[nameOf(path)] = text;
  }
}

/**
 * Moves a value out of `left`, with the objects around it that hold nothing else; null when no text can stand
 * for it.
 */
function take(
  left: Record<string, unknown>,
  [member = '', ...rest]: readonly string[],
  kind: TaskField['kind'],
): string | null {
  const value = left[member];
  if (rest.length > 0) {
    if (!isJsonObject(value)) return null;
    const text = take(value, rest, kind);
    if (Object.keys(value).length === 0) delete left[member];
    return text;
  }
  const text = toText(value, kind);
  if (text !== null) delete left[member];
  return text;
}

function takeRows(left: Record<string, unknown>, rows: FieldRows, data: Record<string, string>): void {
  const list = left[rows.path];
  if (!Array.isArray(list) || !list.every(isJsonObject)) return;
  delete left[rows.path];
  const entries = inOrder(list, rows).filter((entry) => Object.keys(entry).length > 0);
  for (const [position, entry] of entries.entries()) {
    takeFields(entry, rows.fields, (path) => fieldName(path, rows, position), data);
    const further = furtherText(entry);
    if (further !== '') data[furtherName(rows, position)] = further;
  }
}

function inOrder(
  entries: readonly Record<string, unknown>[],
  { positionMember }: FieldRows,
): Record<string, unknown>[] {
  if (positionMember === undefined) return [...entries];
  return entries
    .toSorted((one, other) => Number(one[positionMember]) - Number(other[positionMember]))
    .map(({ [positionMember]: _, ...others }) => others);
}

function furtherText(left: Record<string, unknown>): string {
  return Object.keys(left).length === 0 ? '' : JSON.stringify(left, null, 2);
}

/** As if nothing was said. */
const unspecified = 'RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED';

function toText(value: unknown, kind: TaskField['kind']): string | null {
  switch (kind) {
    case 'yes-no':
      return typeof value === 'boolean' ? (value ? yes : no) : null;
    case 'codes':
      return Array.isArray(value) && value.every(isOfList) ? value.join(', ') : null;
    case 'relationship':
      return value === unspecified ? '' : textOrNull(value);
    default:
      return textOrNull(value);
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isOfList(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !between.test(value);
}

/** What the form asks for, for the schema of the task's type to judge, and what no schema can judge. */
export interface AskedTask {
  readonly body: Partial<Record<keyof ProjectTaskBody, unknown>>;
  readonly errors: FieldErrors;
}

/** The body of `POST …/tasks` that the form stands for. @param country of numbers without one */
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
  const taskData = withFurther(fields, form.further, 'further', errors);
  return {
    body: {
      task_type: form.task_type,
      ...given('patient_id', form.patient_id),
      ...given('task', form.task),
      ...given('phone_number', toE164(form.phone_number, country)),
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
      // Anything else is none of the choices, which the schema refuses.
      return text === yes ? true : text === no ? false : text;
    case 'codes':
      return codesIn(text);
    case 'phone-number':
      return toE164(text, country);
    case 'date':
      return toIsoDate(text);
    default:
      return text;
  }
}

/** @param name of the field that `text`, a JSON object or nothing, was typed into */
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
    errors[name] = `Further data must not hold ${twice[0]} again, which has a field of its own`;
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

/** @param twice is given the paths of values that both hold; those of the fields are taken */
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

/** What a schema has refused, at the fields and in their order. */
export function newTaskErrors(form: NewTaskForm, error: z.core.$ZodError): FieldErrors {
  const problems = newTaskProblems(form);
  const errors = fieldErrors(error, (path) => fieldOf(problems, path), problems);
  const names = Object.keys(problems).filter((name) => name in errors);
  return Object.fromEntries(names.map((name) => [name, errors[name] ?? '']));
}

/** At which field a problem of the body is shown: at that of further data when the form has no field for it. */
function fieldOf(problems: FieldErrors, path: readonly PropertyKey[]): string {
  const name = path.map(String).join('.');
  return Object.hasOwn(problems, name) ? name : 'further';
}

/** What each field asks for, said where it was not given; in the order of the form. */
function newTaskProblems(form: NewTaskForm): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {
    patient_id: 'Choose a patient',
    task: 'Enter a goal',
    phone_number: 'Enter the number to call, such as (202) 555-0142',
  };
  for (const [name, { field, section, position }] of fieldPlaces(form)) {
    problems[name] = `${placeText(section, position)}: ${adviceFor(field)}`;
  }
  return { ...problems, further: 'Further data is not what a task of this type can hold' };
}

function adviceFor({
  kind,
  label,
  advice = `enter “${label}”: an address needs all of its parts`,
}: TaskField): string {
  switch (kind) {
    case 'date':
      return 'enter a date that exists, such as 07/12/2026';
    case 'phone-number':
      return 'enter a phone number, such as (202) 555-0142';
    case 'npi':
      return 'enter a 10-digit NPI; the one entered is mistyped, because its last digit does not match the others';
    case 'codes':
      return 'enter 5-character CPT or HCPCS codes, separated by commas, such as 97110, J0585';
    case 'amount':
      return 'enter an amount, such as $240.00';
    case 'yes-no':
    case 'choice':
    case 'relationship':
      return 'choose from the answers listed';
    case 'line':
    case 'text':
      return advice;
    default:
      return kind satisfies never;
  }
}

interface FieldPlace {
  readonly field: TaskField;
  readonly section: FieldSection;
  readonly position: number;
}

/** Every field of the form by its name, in order. */
function fieldPlaces(form: NewTaskForm): readonly (readonly [string, FieldPlace])[] {
  return taskSections[form.task_type].flatMap((section) => {
    const positions =
      section.kind === 'fields' ? [0] : Array.from({ length: entryCount(form, section) }, (_, at) => at);
    return positions.flatMap((position) =>
      section.fields.map((field) => {
        const name =
          section.kind === 'fields' ? fieldName(field.path) : fieldName(field.path, section, position);
        return [name, { field, section, position }] as const;
      }),
    );
  });
}
