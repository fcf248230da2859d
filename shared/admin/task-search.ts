import { patientsSeen, searchSeen } from '#shared/audit/actions.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { nameWords, samePersonKey } from '#shared/domain/names.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { CalendarDate, PhoneNumber } from '#shared/domain/values.ts';
import { toIsoDate } from '#shared/domain/written-date.ts';
import { toE164 } from '#shared/domain/written-phone-number.ts';
import type { Table } from '#shared/table/client.ts';
import type { Page, PageRequest } from '#shared/table/newest-first.ts';
import {
  getPatient,
  getPatientEntries,
  listPatientEntries,
  type PatientEntry,
} from '#shared/table/patient.ts';
import { getTask } from '#shared/table/task.ts';
import {
  everyTask,
  listTaskReferences,
  listTaskRows,
  type TaskRow,
  toTaskRow,
} from '#shared/table/task-rows.ts';
import { auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** Distinguishes patients: two of the same name differ in their dates of birth. */
export type PatientName = Pick<Patient, 'id' | 'first_name' | 'last_name' | 'date_of_birth'>;

export type Found =
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'patient'; readonly id: string }
  | {
      readonly kind: 'several';
      readonly patients: readonly PatientName[];
      /** With the number or the confirmation number that was looked for. */
      readonly tasks: readonly TaskRow[];
      /** False when there are older patients or tasks, which were not searched. */
      readonly isAll: boolean;
    };

/** The most patients and tasks searched, newest first, to bound the cost of a search. */
export const searchedAtMost = 1000;
/** Many tasks may call the number of one payer; the list of tasks shows them all. */
const tasksOfNumber = 50;

/**
 * Looks in a project for a task or a patient by identifier; for patients by parts of their names in any order, by phone
 * number in any writing, by date of birth or by MRN; and for tasks by the number that they call or the confirmation number that
 * they brought. Who and what was found is written down as seen. Null for an identifier that neither has here.
 */
export async function findInProject(
  table: Table,
  access: ProjectAccess,
  text: string,
): Promise<Found | null> {
  const id = Uuid.safeParse(text.trim());
  return id.success ? findById(table, access, id.data) : findByText(table, access, text);
}

async function findById(table: Table, { project }: ProjectAccess, id: string): Promise<Found | null> {
  const [task, patient] = await Promise.all([getTask(table, id), getPatient(table, id)]);
  if (task?.project_id === project.id) return { kind: 'task', id };
  if (patient?.project_id === project.id) return { kind: 'patient', id };
  return null;
}

async function findByText(table: Table, access: ProjectAccess, text: string): Promise<Found> {
  const wanted = wantedBy(text, access.project.default_country);
  const [patients, tasks] = await Promise.all([
    wanted.patient === null ? nothingFound : searchPatients(table, access.project.id, wanted.patient),
    wanted.task === null ? nothingFound : searchTasks(table, access.project.id, wanted.task),
  ]);
  if (wanted.patient !== null || wanted.task !== null) {
    await auditView(table, access, searchSeen(access.project.id, patients.found, tasks.found));
  }
  return {
    kind: 'several',
    patients: patients.found.map(toName),
    tasks: tasks.found,
    isAll: patients.isAll && tasks.isAll,
  };
}

/** The patients of a project who have the same name and date of birth, among the newest; nobody is written down as seen. */
export async function findSamePatients(
  table: Table,
  projectId: string,
  patient: Pick<Patient, 'first_name' | 'last_name' | 'date_of_birth'>,
): Promise<readonly PatientName[]> {
  const person = samePersonKey(patient);
  const { found } = await searchPatients(table, projectId, (other) => samePersonKey(other) === person);
  return found.map(toName);
}

interface Wanted {
  readonly patient: ((patient: PatientEntry) => boolean) | null;
  /** Tasks by the number that they call, E.164, or by their confirmation number as `toReference` writes it. */
  readonly task: { readonly phoneNumber: string } | { readonly reference: string } | null;
}

/** The kind of search, recognized from the typed text. */
function wantedBy(text: string, country: string): Wanted {
  const number = PhoneNumber.safeParse(toE164(text, country));
  if (number.success) {
    const hasNumber = ({ phone_number }: { readonly phone_number: string }) => phone_number === number.data;
    return { patient: hasNumber, task: { phoneNumber: number.data } };
  }
  const date = CalendarDate.safeParse(toIsoDate(text));
  if (date.success) return { patient: (patient) => patient.date_of_birth === date.data, task: null };
  const words = nameWords(text);
  if (words.length === 0) return { patient: null, task: null };
  const reference = toReference(text);
  // A reference has digits; words alone are a name.
  const isReference = /\d/.test(reference);
  return {
    patient: (patient) =>
      isNamed(patient, words) || (isReference && toReference(patient.external_id ?? '') === reference),
    task: isReference ? { reference } : null,
  };
}

interface Search<Item> {
  readonly found: readonly Item[];
  readonly isAll: boolean;
}
const nothingFound: Search<never> = { found: [], isAll: true };

function searchPatients(
  table: Table,
  projectId: string,
  isWanted: (patient: PatientEntry) => boolean,
): Promise<Search<PatientEntry>> {
  return search((page) => listPatientEntries(table, projectId, page), isWanted);
}

/** The table itself picks those of a number; of confirmation numbers, which are written in many ways, it only tells. */
async function searchTasks(
  table: Table,
  projectId: string,
  wanted: NonNullable<Wanted['task']>,
): Promise<Search<TaskRow>> {
  if ('phoneNumber' in wanted) {
    const filter = { ...everyTask, ...wanted };
    const { items, next } = await listTaskRows(table, projectId, filter, {
      limit: tasksOfNumber,
      before: null,
    });
    return { found: items, isAll: next === null };
  }
  const { found, isAll } = await search(
    (page) => listTaskReferences(table, projectId, page),
    ({ reference_number }) => toReference(reference_number ?? '') === wanted.reference,
  );
  const tasks = await Promise.all(found.map(({ id }) => getTask(table, id)));
  return { found: tasks.flatMap((task) => (task === null ? [] : [toTaskRow(task)])), isAll };
}

async function search<Item>(
  read: (page: PageRequest) => Promise<Page<Item>>,
  isWanted: (item: Item) => boolean,
): Promise<Search<Item>> {
  const { items, next } = await read({ limit: searchedAtMost, before: null });
  return { found: items.filter(isWanted), isAll: next === null };
}

/**
 * The names of some patients of the project, who are written down as seen; those whom it does not have are
 * left out.
 */
export async function viewPatientNames(
  table: Table,
  access: ProjectAccess,
  patientIds: readonly string[],
): Promise<ReadonlyMap<string, PatientName>> {
  const names = await readPatientNames(table, access, patientIds);
  if (names.size > 0) {
    await auditView(table, access, patientsSeen(access.project.id, [...names.values()]));
  }
  return names;
}

/** As `viewPatientNames`, for what is written down as seen in another way: by the tasks that are for them. */
export async function readPatientNames(
  table: Table,
  access: ProjectAccess,
  patientIds: readonly string[],
): Promise<ReadonlyMap<string, PatientName>> {
  const patients = await getPatientEntries(table, [...new Set(patientIds)]);
  const own = patients.filter(({ project_id }) => project_id === access.project.id);
  return new Map(own.map((patient) => [patient.id, toName(patient)]));
}

function toName({ id, first_name, last_name, date_of_birth }: PatientName): PatientName {
  return { id, first_name, last_name, date_of_birth };
}

function isNamed({ first_name, last_name }: PatientEntry, words: readonly string[]): boolean {
  const names = nameWords(`${first_name} ${last_name}`);
  return words.every((word) => names.some((name) => name.startsWith(word)));
}

/** As confirmation numbers are compared: people leave out blanks and hyphens. */
function toReference(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
