import { patientsSeen, searchSeen } from '#shared/audit/actions.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { nameWords, samePersonKey } from '#shared/domain/names.ts';
import type { Patient } from '#shared/domain/patient.ts';
import {
  birthTerm,
  hasTaskWords,
  isPatientNamed,
  localDigits,
  localNumberTerm,
  nameTerm,
  numberTerm,
  referenceTerm,
  type SearchedTask,
  textWords,
  toReference,
  wordTerm,
} from '#shared/domain/search-terms.ts';
import { DateOfBirth, PhoneNumber } from '#shared/domain/values.ts';
import { meantDays } from '#shared/domain/written-date.ts';
import { toE164 } from '#shared/domain/written-phone-number.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient, getPatientEntries, type PatientEntry } from '#shared/table/patient.ts';
import { getTask } from '#shared/table/task.ts';
import { findTaskRows, type TaskRow } from '#shared/table/task-rows.ts';
import { auditView } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';
import { findCandidates } from './search-index.ts';

/** Distinguishes patients with the same name and date of birth by their MRN. */
export type PatientName = Pick<Patient, 'id' | 'first_name' | 'last_name' | 'date_of_birth' | 'external_id'>;

export type Found =
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'patient'; readonly id: string }
  | {
      readonly kind: 'several';
      readonly patients: readonly PatientName[];
      readonly tasks: readonly TaskRow[];
      /** The E.164 number searched for; null for any other search. */
      readonly phoneNumber: string | null;
      /** False when there may be more matches. */
      readonly isAll: boolean;
    };

/**
 * Searches a project for a task or patient by ID; for patients by parts of their names in any order, with or without
 * their date of birth, by that date or MRN, or by phone number in any format, whole or its last seven digits; and for
 * tasks by the number they call, the confirmation number they got, or words of their goal and outcome. The audit log
 * records the results as viewed. Null for an unknown ID.
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
  const { patients, tasks, phoneNumber } = parseQuery(text, access.project.default_country);
  const { id: projectId } = access.project;
  const [foundPatients, foundTasks] = await Promise.all([
    findAll(patients, (terms) => searchPatients(table, projectId, terms)),
    findAll(tasks, (terms) => searchTasks(table, projectId, terms)),
  ]);
  if (patients.length + tasks.length > 0) {
    await auditView(table, access, searchSeen(projectId, foundPatients.found, foundTasks.found));
  }
  return {
    kind: 'several',
    patients: foundPatients.found.map(toName),
    tasks: foundTasks.found,
    phoneNumber,
    isAll: foundPatients.isAll && foundTasks.isAll,
  };
}

/** The patients of a project with the same name and date of birth. Not audited. */
export async function findSamePatients(
  table: Table,
  projectId: string,
  patient: Pick<Patient, 'first_name' | 'last_name' | 'date_of_birth'>,
): Promise<readonly PatientName[]> {
  const person = samePersonKey(patient);
  const { found } = await searchPatients(table, projectId, {
    terms: [
      birthTerm(patient.date_of_birth),
      ...nameWords(`${patient.first_name} ${patient.last_name}`).map(nameTerm),
    ],
    matches: (other) => samePersonKey(other) === person,
  });
  return found.map(toName);
}

/** Matches that have all of the terms in the index. */
interface Wanted<Item> {
  readonly terms: readonly string[];
  readonly matches: (item: Item) => boolean;
}

/** The searches that a typed text may mean; a match of any of them counts. */
interface SearchQuery {
  readonly patients: readonly Wanted<PatientEntry>[];
  readonly tasks: readonly Wanted<SearchedTask>[];
  readonly phoneNumber: string | null;
}

function parseQuery(text: string, country: string): SearchQuery {
  const number = PhoneNumber.safeParse(toE164(text, country));
  if (number.success) {
    const phoneNumber = number.data;
    const wanted = {
      terms: [numberTerm(phoneNumber)],
      matches: ({ phone_number }: Pick<Patient, 'phone_number'>) => phone_number === phoneNumber,
    };
    return { patients: [wanted], tasks: [wanted], phoneNumber };
  }
  const { name, days } = splitBirth(text, country);
  if (days.length > 0) {
    const names = nameWords(name);
    const patients = days.map((day) => ({
      terms: [birthTerm(day), ...names.filter(({ length }) => length > 1).map(nameTerm)],
      matches: (one: PatientEntry) => one.date_of_birth === day && isPatientNamed(one, names),
    }));
    return { patients, tasks: [], phoneNumber: null };
  }
  const [names, words, reference] = [nameWords(text), textWords(text), toReference(text)];
  // Single letters, such as a middle initial, only narrow what the other words find.
  const long = names.filter(({ length }) => length > 1);
  const lookedUp = long.length === 0 ? names : long;
  // A reference has digits; words alone are a name.
  const references = /\d/.test(reference) ? [referenceTerm(reference)] : [];
  const local = [...text.matchAll(/\d/g)].join('');
  const locals =
    local.length === localDigits && /^[\d\s().-]+$/.test(text)
      ? [
          {
            terms: [localNumberTerm(local)],
            matches: ({ phone_number }: Pick<Patient, 'phone_number'>) => phone_number.endsWith(local),
          },
        ]
      : [];
  return {
    patients: [
      ...(names.length === 0
        ? []
        : [{ terms: lookedUp.map(nameTerm), matches: (one: PatientEntry) => isPatientNamed(one, names) }]),
      ...references.map((term) => ({
        terms: [term],
        matches: ({ external_id }: PatientEntry) => toReference(external_id ?? '') === reference,
      })),
      ...locals,
    ],
    tasks: [
      ...(words.length === 0
        ? []
        : [{ terms: words.map(wordTerm), matches: (one: SearchedTask) => hasTaskWords(one, words) }]),
      ...references.map((term) => ({
        terms: [term],
        matches: ({ reference_number }: SearchedTask) => toReference(reference_number ?? '') === reference,
      })),
      ...locals,
    ],
    phoneNumber: null,
  };
}

/** Splits `Maya Rivera 7/12/84` into a name, which may be empty, and the days of birth that the rest may mean. */
function splitBirth(
  text: string,
  country: string,
): { readonly name: string; readonly days: readonly string[] } {
  const words = text.trim().split(/\s+/);
  for (const at of words.keys()) {
    const days = birthDays(words.slice(at).join(' '), country);
    if (days.length > 0) return { name: words.slice(0, at).join(' '), days };
  }
  return { name: text, days: [] };
}

/** The days that a written date of birth may mean; of two centuries for two digits of the year. */
function birthDays(text: string, country: string): string[] {
  const [, monthAndDay, year] = /^(\d{1,2}[/.-]\d{1,2}[/.-])(\d{2})$/.exec(text) ?? [];
  const texts =
    monthAndDay === undefined ? [text] : ['19', '20'].map((century) => `${monthAndDay}${century}${year}`);
  return texts
    .flatMap((written) => meantDays(written, country))
    .filter((day) => DateOfBirth.safeParse(day).success);
}

interface Search<Item> {
  readonly found: readonly Item[];
  readonly isAll: boolean;
}

/** Results of all the searches, without duplicates, newest first. */
async function findAll<Item extends { readonly id: string }, Wish>(
  wishes: readonly Wish[],
  search: (wish: Wish) => Promise<Search<Item>>,
): Promise<Search<Item>> {
  const searches = await Promise.all(wishes.map(search));
  const found = new Map(searches.flatMap((one) => one.found).map((item) => [item.id, item]));
  return {
    found: [...found.values()].sort((one, other) => (one.id < other.id ? 1 : -1)),
    isAll: searches.every(({ isAll }) => isAll),
  };
}

async function searchPatients(
  table: Table,
  projectId: string,
  { terms, matches }: Wanted<PatientEntry>,
): Promise<Search<PatientEntry>> {
  const { ids, isAll } = await findCandidates(table, projectId, 'patient', terms);
  const patients = await getPatientEntries(table, ids);
  return { found: patients.filter(matches), isAll };
}

async function searchTasks(
  table: Table,
  projectId: string,
  { terms, matches }: Wanted<SearchedTask>,
): Promise<Search<TaskRow>> {
  const { ids, isAll } = await findCandidates(table, projectId, 'task', terms);
  const tasks = await findTaskRows(table, ids);
  const found = tasks.filter((task) =>
    matches({ ...task, reference_number: task.listed.result?.reference_number ?? null }),
  );
  return { found, isAll };
}

/** Names of patients of the project, audited as seen; unknown ones are left out. */
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

/** Like `viewPatientNames`, for patients audited in another way: through their tasks. */
export async function readPatientNames(
  table: Table,
  access: ProjectAccess,
  patientIds: readonly string[],
): Promise<ReadonlyMap<string, PatientName>> {
  const patients = await getPatientEntries(table, [...new Set(patientIds)]);
  const own = patients.filter(({ project_id }) => project_id === access.project.id);
  return new Map(own.map((patient) => [patient.id, toName(patient)]));
}

function toName({ id, first_name, last_name, date_of_birth, external_id }: PatientName): PatientName {
  return { id, first_name, last_name, date_of_birth, external_id };
}
