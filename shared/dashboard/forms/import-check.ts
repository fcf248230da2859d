import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import type { CheckedFile } from '#shared/admin/imports.ts';
import { onDoNotCallList, readOptedOut } from '#shared/admin/opt-outs.ts';
import { type ProjectTaskBody, projectTaskBodies } from '#shared/admin/tasks.ts';
import { toInstant } from '#shared/calling-hours/written-time.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { type ImportCounts, type ImportRow, noCounts, type RowProblem } from '#shared/domain/import.ts';
import { findProjectNumberProblem } from '#shared/domain/number-rules.ts';
import type { Project } from '#shared/domain/project.ts';
import { RequestedTaskType, type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { readKnownPatients } from '#shared/imports/known-patients.ts';
import { importedKeys, rowKey } from '#shared/imports/row-keys.ts';
import type { Table } from '#shared/table/client.ts';
import { findExternalIds } from '#shared/table/external-id.ts';
import { getIdempotencyRecords } from '#shared/table/idempotency.ts';
import { checkNewTask } from '#shared/tasks/check-new-task.ts';
import { taskTypeNames } from '../layout/task-words.tsx';
import { type ColumnMeaning, cellValue, taskFields, templateHeading } from './import-columns.ts';
import { type ImportedFile, ignoredHeadings } from './import-file.ts';
import {
  type Checked,
  namedBy,
  openInsurances,
  type PatientCells,
  problemsOf,
  type RowPatients,
  rowPatients,
  wrong,
} from './import-patients.ts';
import { newTaskErrors, toNewTaskBody } from './new-task-body.ts';
import { readNewTaskForm } from './new-task-form.ts';

/** A parsed row, before it is compared with the others. */
interface ReadRow {
  readonly number: number;
  readonly cells: readonly string[];
  readonly patient: FormData;
  readonly patientId: string;
  readonly task: FormData;
  /** Columns without a field in the task form, as written. */
  readonly named: Readonly<Record<'external_id' | 'call_after' | 'call_before', string>>;
}

interface TaskRules {
  readonly project: Project;
  /** The numbers that may not be called. */
  readonly optedOut: ReadonlySet<string>;
}

/** Placeholder for a patient who does not exist yet when their task is checked. */
const anyPatient = '00000000-0000-7000-8000-000000000000';

/**
 * Checks every row of a file like the forms of a patient and a task, against the project's rules, its patients and
 * earlier imports. Creates nothing.
 */
export async function checkImport(
  table: Table,
  access: ProjectAccess,
  file: ImportedFile,
  fileName: string,
): Promise<CheckedFile> {
  const { project } = access;
  const read = file.rows.map((row) => readRow(file.columns, row));
  const known = await readKnownPatients(
    table,
    project.id,
    read.flatMap(({ patientId }) => (patientId === '' ? [] : [patientId])),
  );
  const patients = rowPatients(read.map(patientCells), known, project);
  const optedOut = await readOptedOut(table, access);
  const rows: ImportRow[] = [];
  for (const row of read) rows.push(await checkRow(row, file, { project, optedOut }, patients));
  const done = await findRepeated(table, project.id, rows, new Date());
  const named = await refuseTakenNames(table, project.id, rows, done, file);
  return {
    file_name: fileName,
    columns: [...file.headings],
    ignored_columns: ignoredHeadings(file),
    rows: named,
    expected: expectedOf(named, done),
  };
}

function readRow(columns: ImportedFile['columns'], { number, cells }: ImportedFile['rows'][number]): ReadRow {
  const forms = { patient: new FormData(), task: new FormData() };
  for (const [at, column] of columns.entries()) {
    const text = cells[at] ?? '';
    if (column !== null && text !== '') forms[column.of].set(column.field, cellValue(column, text));
  }
  const take = (form: FormData, field: string): string => {
    const text = form.get(field);
    form.delete(field);
    return typeof text === 'string' ? text : '';
  };
  openInsurances(forms.patient);
  const named = {
    external_id: take(forms.task, 'external_id'),
    call_after: take(forms.task, 'call_after'),
    call_before: take(forms.task, 'call_before'),
  };
  return { number, cells, ...forms, patientId: take(forms.patient, 'external_id'), named };
}

function patientCells({ patient, patientId }: ReadRow): PatientCells {
  return { form: patient, externalId: patientId };
}

async function checkRow(
  row: ReadRow,
  file: ImportedFile,
  rules: TaskRules,
  patientOf: RowPatients,
): Promise<ImportRow> {
  const tooLong: RowProblem[] =
    row.cells.length > file.headings.length
      ? [{ column: null, problem: 'The row has more cells than headings' }]
      : [];
  const patient = patientOf(patientCells(row));
  const hasTask = [...row.task].length > 0 || Object.values(row.named).some((text) => text !== '');
  const task = hasTask ? await checkTask(row, rules) : { problems: [], made: null };
  const headings = (of: ColumnMeaning['of'], problems: readonly RowProblem[]) =>
    problems.map(({ column, problem }) => ({ column: headingOf(file, of, column), problem }));
  const problems = [...tooLong, ...headings('patient', patient.problems), ...headings('task', task.problems)];
  const isGood = problems.length === 0;
  return {
    number: row.number,
    cells: [...row.cells],
    problems,
    named: namedBy(patientCells(row), rules.project.default_country),
    patient: isGood ? (patient.made?.patient ?? null) : null,
    task:
      isGood && task.made !== null
        ? { key: rowKey('task', [patient.made?.meaning, task.made]), body: task.made }
        : null,
    outcome: null,
  };
}

/** The heading of the field's column, existing or expected. */
function headingOf(
  { headings, columns }: ImportedFile,
  of: ColumnMeaning['of'],
  field: string | null,
): string | null {
  const at = columns.findIndex((column) => column?.of === of && column.field === field);
  return headings[at] ?? templateHeading(of, field);
}

async function checkTask(
  { task: form, named }: ReadRow,
  rules: TaskRules,
): Promise<Checked<Record<string, unknown>>> {
  const { project } = rules;
  const type = taskTypeOf(String(form.get('task_type') ?? ''));
  if (type === null) return wrong('task_type', `Enter a task type: ${typeNames(taskTypes)}`);
  if (!project.enabled_task_types.includes(type)) {
    return wrong('task_type', `This project allows only: ${typeNames(project.enabled_task_types)}`);
  }
  const fields = taskFields(type);
  const foreign = [...form.keys()].find((field) => !fields.has(field));
  if (foreign !== undefined)
    return wrong(foreign, `“${taskTypeNames[type]}” does not use this column; clear this cell`);
  const typed = readNewTaskForm(form, type);
  const asked = toNewTaskBody(typed, project.default_country);
  const times = callTimes(named, project);
  if ('problems' in times) return { ...times, made: null };
  const ownId = named.external_id === '' ? {} : { external_id: named.external_id };
  const body = projectTaskBodies[type].safeParse({
    ...asked.body,
    patient_id: anyPatient,
    ...ownId,
    ...times,
  });
  const errors = { ...(body.success ? {} : newTaskErrors(typed, body.error)), ...asked.errors };
  if (!body.success || Object.keys(errors).length > 0) return { problems: problemsOf(errors), made: null };
  const refusal = await refusalOf(body.data, rules);
  if (refusal !== null) return refusal;
  const { patient_id: _, ...made } = body.data;
  return { problems: [], made };
}

/** The window in which calls may begin, in UTC. */
function callTimes(
  named: ReadRow['named'],
  { time_zone, default_country }: Pick<Project, 'time_zone' | 'default_country'>,
): { call_after?: string; call_before?: string } | { problems: RowProblem[] } {
  const written = (['call_after', 'call_before'] as const).filter((column) => named[column] !== '');
  const times = written.map(
    (column) => [column, toInstant(named[column], { zone: time_zone, country: default_country })] as const,
  );
  const problems = times.flatMap(([column, time]) =>
    time === null ? [{ column, problem: timeAdvice }] : [],
  );
  return problems.length > 0 ? { problems } : Object.fromEntries(times);
}

const timeAdvice =
  'Enter a date and time, such as 2026-11-25 9:00 AM, which needs a time zone in the settings, ' +
  'or with its offset: 2026-11-25T09:00:00-05:00';

/** Why the service would refuse the task's number or window; null if it would not. */
async function refusalOf(
  body: ProjectTaskBody,
  { project, optedOut }: TaskRules,
): Promise<Checked<never> | null> {
  try {
    await checkNewTask(body);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.fields.some(({ path }) => path === 'call_before')
      ? wrong('call_before', 'Enter a future time after “Call after”')
      : wrong('phone_number', error.detail.replace(/^phone_number/, 'The number'));
  }
  const problem = optedOut.has(body.phone_number)
    ? onDoNotCallList
    : await findProjectNumberProblem(project, body.phone_number);
  return problem === null ? null : wrong('phone_number', `The number ${problem}`);
}

/** By its name in the API or on the pages. */
function taskTypeOf(text: string): TaskType | null {
  const type = RequestedTaskType.safeParse(text.toUpperCase().replace(/[\s-]+/g, '_'));
  if (type.success) return type.data;
  return taskTypes.find((one) => taskTypeNames[one].toLowerCase() === text.toLowerCase()) ?? null;
}

function typeNames(types: readonly TaskType[]): string {
  return types.map((type) => taskTypeNames[type]).join(', ');
}

/** The rows that an earlier import or row has already created. */
async function findRepeated(
  table: Table,
  projectId: string,
  rows: readonly ImportRow[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const withTask = rows.flatMap(({ number, task }) => (task === null ? [] : [{ number, key: task.key }]));
  const keyed = await Promise.all(
    withTask.map(async (row) => ({ ...row, stored: await importedKeys(table, projectId, row.key) })),
  );
  const made = await getIdempotencyRecords(
    table,
    keyed.flatMap(({ stored }) => stored),
    now,
  );
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const { number, key, stored } of keyed) {
    if (seen.has(key) || stored.some(({ keyHash }) => made.has(keyHash))) repeated.add(number);
    seen.add(key);
  }
  return repeated;
}

/** Refuses rows whose task has the external ID of another one. */
async function refuseTakenNames(
  table: Table,
  projectId: string,
  rows: readonly ImportRow[],
  repeated: ReadonlySet<number>,
  file: ImportedFile,
): Promise<ImportRow[]> {
  const nameOf = ({ number, task }: ImportRow): string =>
    repeated.has(number) ? '' : String(task?.body.external_id ?? '');
  const names = [...new Set(rows.map(nameOf))].filter((name) => name !== '');
  const taken = await findExternalIds(
    table,
    names.map((externalId) => ({ projectId, kind: 'TASK' as const, externalId })),
  );
  const seen = new Set(taken.keys());
  return rows.map((row) => {
    const name = nameOf(row);
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      return row;
    }
    const column = headingOf(file, 'task', 'external_id');
    const problem = 'Another task has this external ID';
    return { ...row, patient: null, task: null, problems: [{ column, problem }] };
  });
}

function expectedOf(rows: readonly ImportRow[], repeated: ReadonlySet<number>): ImportCounts {
  const made = rows.filter(({ number, patient }) => patient !== null && !repeated.has(number));
  const patients = made.flatMap(({ patient }) => patient ?? []);
  return {
    ...noCounts,
    patients_created: new Set(patients.flatMap((one) => (one.kind === 'new' ? [one.key] : []))).size,
    patients_found: new Set(patients.flatMap((one) => (one.kind === 'existing' ? [one.id] : []))).size,
    tasks_created: made.filter(({ task }) => task !== null).length,
    repeated: repeated.size,
  };
}
