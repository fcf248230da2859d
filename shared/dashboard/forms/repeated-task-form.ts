import type { Task } from '#shared/domain/task.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { isJsonObject } from '#shared/http/clean-json.ts';
import { separator } from './field-checks.ts';
import { type FieldRows, type TaskField, taskSections } from './new-task-fields.ts';
import { emptyTaskForm, fieldName, furtherName, type NewTaskForm, no, yes } from './new-task-form.ts';

type RepeatedTask = Pick<Task, 'task_type' | 'patient_id' | 'task' | 'phone_number' | 'task_data'>;

/**
 * A form prefilled with an earlier task. Parts of its `task_data` without a field are kept as further data. List
 * entries are ordered by position, which is renumbered.
 */
export function toNewTaskForm({ task_data, ...task }: RepeatedTask): NewTaskForm {
  const data: Record<string, string> = {};
  const left = structuredClone(task_data ?? {});
  for (const section of taskSections[task.task_type]) {
    if (section.kind === 'fields') takeFields(left, section.fields, (path) => fieldName(path), data);
    else takeRows(left, section, data);
  }
  return {
    ...emptyTaskForm(task.task_type),
    patient_id: task.patient_id,
    task: task.task,
    phone_number: phoneNumberText(task.phone_number),
    data,
    further: furtherText(left),
  };
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

/** Moves a value out of `left`, with otherwise empty parents; null if it has no text form. */
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

/** An absent value. */
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
  return typeof value === 'string' && value.trim() !== '' && !separator.test(value);
}
