import type { TaskType } from '#shared/domain/task-type.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { dayText } from '../layout/day.tsx';
import { relationshipNames } from '../layout/insurance-words.ts';
import { type FieldRows, type FieldSection, type TaskField, taskSections } from './new-task-fields.ts';

/** A new task as its form shows it: text as typed. */
export interface NewTaskForm {
  readonly task_type: TaskType;
  readonly patient_id: string;
  readonly task: string;
  /** E.164 number of a saved destination, in place of a typed number; or empty. */
  readonly destination: string;
  readonly phone_number: string;
  /** Text of the fields of `taskSections`, by name, without empty fields. */
  readonly data: Readonly<Record<string, string>>;
  /** JSON object with what `task_data` has beyond the fields; or empty. */
  readonly further: string;
  /** A name to save the questions under. */
  readonly template_name: string;
}

export const yes = 'yes';
export const no = 'no';

/** The field in which buttons that only help to fill in the form name their purpose. */
export const intentField = 'intent';
export const intents = {
  find: 'find',
  moreEntries: 'more-entries',
  useTemplate: 'use-template',
  saveTemplate: 'save-template',
  enter: 'enter',
} as const;
/** The field for choosing a template. */
export const templateField = 'template';

/** Name of the field for what a list entry has beyond its fields. */
const furtherOfEntry = 'further';

export function emptyTaskForm(taskType: TaskType): NewTaskForm {
  return {
    task_type: taskType,
    patient_id: '',
    task: '',
    destination: '',
    phone_number: '',
    data: {},
    further: '',
    template_name: '',
  };
}

/** The name and ID of a field. @param position of the entry, for a field of a list */
export function fieldName(
  path: string,
  { path: list }: { path: string } = { path: '' },
  position = 0,
): string {
  return ['task_data', ...(list === '' ? [] : [list, position]), path].join('.');
}

/** The name of the field for what a list entry has beyond its other fields. */
export function furtherName(rows: FieldRows, position: number): string {
  return fieldName(furtherOfEntry, rows, position);
}

/** How many entries of a list are filled, from the first. */
export function entryCount({ data }: NewTaskForm, rows: FieldRows): number {
  return positionsOf(Object.keys(data), rows).length;
}

const questions = taskSections.CUSTOM_TASK.find((section) => section.kind === 'rows');

/** Whether a section is the list of questions, which templates are made of. */
export function isQuestions(section: FieldSection): section is FieldRows {
  return section === questions;
}

/** The typed questions, without empty ones. */
export function questionsOf(form: NewTaskForm): string[] {
  if (questions === undefined) return [];
  return Array.from(
    { length: entryCount(form, questions) },
    (_, position) => form.data[fieldName('question', questions, position)] ?? '',
  ).filter((question) => question !== '');
}

/** The form with further questions after its own, without duplicates. */
export function withQuestions(form: NewTaskForm, added: readonly string[]): NewTaskForm {
  if (questions === undefined) return form;
  const known = questionsOf(form);
  const first = entryCount(form, questions);
  const further = added
    .filter((question) => !known.includes(question))
    .map((question, index) => [fieldName('question', questions, first + index), question] as const);
  return { ...form, data: { ...form.data, ...Object.fromEntries(further) } };
}

function positionsOf(names: Iterable<string>, { path }: FieldRows): readonly number[] {
  const positions = new Set<number>();
  for (const name of names) {
    const position = name.startsWith(`task_data.${path}.`) ? Number(name.split('.')[2]) : Number.NaN;
    if (Number.isSafeInteger(position)) positions.add(position);
  }
  return [...positions].sort((one, other) => one - other);
}

/** Drops empty entries and moves later ones up. */
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
    destination: text('destination'),
    phone_number: text('phone_number'),
    data,
    further: text('further'),
    template_name: text('template_name'),
  };
}

/** The typed values by name, trimmed, without empty ones. Browsers send a line break as two characters. */
function typedTexts(form: FormData): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of form) {
    const text = typeof value === 'string' ? value.trim().replaceAll('\r\n', '\n') : '';
    if (text !== '') texts.set(name, text);
  }
  return texts;
}

/** A form's fields as people read them: label and value. */
export function filledFields(
  taskType: TaskType,
  data: NewTaskForm['data'],
): readonly (readonly [label: string, text: string])[] {
  return fieldPlaces({ ...emptyTaskForm(taskType), data }).flatMap(([name, { field, section, position }]) => {
    const text = data[name];
    if (text === undefined) return [];
    return [[filledLabel(taskType, { field, section, position }), readText(field, text)]];
  });
}

/** A field's label with its section, unless included: `Case number`, `Bill: Amount`, `Question 2`. */
function filledLabel(taskType: TaskType, { field, section, position }: FieldPlace): string {
  if (section.kind === 'rows') {
    const entry = `${section.entry} ${position + 1}`;
    return field.path === section.entry.toLowerCase() ? entry : `${entry}: ${field.label}`;
  }
  const isClear = section === taskSections[taskType][0] || field.label.startsWith(section.title);
  return isClear ? field.label : `${section.title}: ${field.label}`;
}

/** The display text of a field. */
function readText({ kind, choices = [] }: TaskField, text: string): string {
  if (kind === 'phone-number') return phoneNumberText(text);
  if (kind === 'relationship') return new Map(Object.entries(relationshipNames)).get(text) ?? text;
  if (kind === 'date' && CalendarDate.safeParse(text).success) return dayText(text);
  return choices.find(({ value }) => value === text)?.label ?? text;
}

interface FieldPlace {
  readonly field: TaskField;
  readonly section: FieldSection;
  readonly position: number;
}

/** Every field of the form by its name, in order. */
export function fieldPlaces(form: NewTaskForm): readonly (readonly [string, FieldPlace])[] {
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
