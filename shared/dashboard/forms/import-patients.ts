import { ProjectPatientBody } from '#shared/admin/patients.ts';
import type { ImportRow, RowProblem } from '#shared/domain/import.ts';
import type { NamedPerson } from '#shared/domain/named-person.ts';
import { sameNameKey, samePersonKey } from '#shared/domain/names.ts';
import type { Project } from '#shared/domain/project.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import { toIsoDate } from '#shared/domain/written-date.ts';
import type { KnownPatients } from '#shared/imports/known-patients.ts';
import { patientRowKey } from '#shared/imports/row-keys.ts';
import type { FieldErrors } from './form-values.ts';
import {
  emptyPatient,
  type PatientForm,
  patientErrors,
  patientField,
  readPatientForm,
  toPatientBody,
} from './patient-form.ts';

/** The checked value, or its problems by field. */
export interface Checked<Made> {
  readonly problems: readonly RowProblem[];
  readonly made: Made | null;
}

export function wrong(column: string, problem: string): Checked<never> {
  return { problems: [{ column, problem }], made: null };
}

export function problemsOf(errors: FieldErrors): RowProblem[] {
  return Object.entries(errors).map(([column, problem]) => ({ column, problem }));
}

/** The patient form reads an insurance only if its company field is filled in. */
export function openInsurances(form: FormData): void {
  for (const field of [...form.keys()]) {
    const [, kind, index] = /^insurance-([a-z]+)-(\d)-/.exec(field) ?? [];
    if (kind === undefined) continue;
    for (let at = 0; at <= Number(index); at += 1) {
      const company = patientField(['insurance', kind, at, 'company_name']);
      if (!form.has(company)) form.set(company, '');
    }
  }
}

interface MeantPatient {
  readonly patient: NonNullable<ImportRow['patient']>;
  /** Identifies the row's patient across files. */
  readonly meaning: string;
}

/** A row's data about its patient. */
export interface PatientCells {
  readonly form: FormData;
  /** Empty for none. */
  readonly externalId: string;
}

/** Finds the patient of a row: an existing one, another row's, or a new one. */
export type RowPatients = (cells: PatientCells) => Checked<MeantPatient>;

/**
 * A row without an external ID matches by name and date of birth. Different external IDs are different
 * people, even with the same name.
 */
export function rowPatients(
  rows: readonly PatientCells[],
  known: KnownPatients,
  project: Project,
): RowPatients {
  const { default_country: country } = project;
  const idsOf = externalIdsByPerson(rows, country);
  return ({ form, externalId }) => {
    const typed = readPatientForm(form);
    const person = personOf(typed, country);
    const meaning = externalId === '' ? (person ?? '') : `external ${externalId}`;
    const named = known.byExternalId.get(externalId);
    if (named !== undefined) return found(named, meaning);
    if (externalId !== '' && typed.first_name === '' && typed.last_name === '') {
      return wrong('external_id', 'No patient of this project has this external ID');
    }
    const ids = idsOf.get(person ?? '') ?? [];
    const isOneOfSeveral = ids.length > 1;
    const [same, another] =
      person === null || (isOneOfSeveral && externalId !== '') ? [] : known.samePerson(person, externalId);
    if (another !== undefined || (isOneOfSeveral && externalId === '')) {
      return wrong('last_name', 'Several patients have this name and date of birth; enter an external ID');
    }
    if (same !== undefined) return found(same, meaning);
    // Gives all rows of a new patient the external ID that one of them has, in any order.
    const id = externalId === '' ? (ids[0] ?? '') : externalId;
    const asked = toPatientBody(typed, country);
    const body = ProjectPatientBody.safeParse({
      ...(typeof asked === 'object' ? asked : {}),
      ...(id === '' ? {} : { external_id: id }),
    });
    if (!body.success) return { problems: problemsOf(inOrder(patientErrors(body.error))), made: null };
    const key = patientRowKey(id, person);
    return { problems: [], made: { patient: { kind: 'new', key, body: body.data }, meaning } };
  };
}

/** The external IDs that rows give for each name and date of birth. */
function externalIdsByPerson(
  rows: readonly PatientCells[],
  country: string,
): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { form, externalId } of rows) {
    const person = personOf(readPatientForm(form), country);
    if (person === null || externalId === '') continue;
    const others = ids.get(person) ?? [];
    if (!others.includes(externalId)) ids.set(person, [...others, externalId]);
  }
  return ids;
}

/** In the order of the form. */
function inOrder(errors: FieldErrors): FieldErrors {
  const fields = Object.keys(emptyPatient);
  const position = (field: string): number => fields.findIndex((name) => field.startsWith(name));
  return Object.fromEntries(Object.entries(errors).toSorted(([a], [b]) => position(a) - position(b)));
}

/** The patient that a row names, even if the row has problems. @param country as for `toIsoDate` */
export function namedBy({ form, externalId }: PatientCells, country: string): NamedPerson {
  const typed = readPatientForm(form);
  return {
    external_id: externalId === '' ? null : externalId,
    name: typed.first_name === '' || typed.last_name === '' ? null : sameNameKey(typed),
    date_of_birth: CalendarDate.safeParse(toIsoDate(typed.date_of_birth, country)).data ?? null,
  };
}

/** The `samePersonKey` of a row; null without a name or date of birth. */
function personOf({ first_name, last_name, date_of_birth }: PatientForm, country: string): string | null {
  const born = CalendarDate.safeParse(toIsoDate(date_of_birth, country));
  return first_name === '' || last_name === '' || !born.success
    ? null
    : samePersonKey({ first_name, last_name, date_of_birth: born.data });
}

function found(id: string, meaning: string): Checked<MeantPatient> {
  return { problems: [], made: { patient: { kind: 'existing', id }, meaning } };
}
