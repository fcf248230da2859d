import { ProjectPatientBody } from '#shared/admin/patients.ts';
import type { ImportRow, RowProblem } from '#shared/domain/import.ts';
import { samePersonKey } from '#shared/domain/names.ts';
import type { Project } from '#shared/domain/project.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import { toIsoDate } from '#shared/domain/written-date.ts';
import type { KnownPatients } from '#shared/imports/known-patients.ts';
import { rowKey } from '#shared/imports/row-keys.ts';
import type { FieldErrors } from './form-values.ts';
import {
  type PatientForm,
  patientErrors,
  patientField,
  patientFormProblems,
  readPatientForm,
  toPatientBody,
} from './patient-form.ts';

/** What was checked: as it is to be made, or what is wrong with it by the field that it is wrong in. */
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

/** The form of a patient reads an insurance only where its company has a field. */
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
  /** Whom the row means, said the same by every file. */
  readonly meaning: string;
}

/** Whom a row means: a patient of the project, one of an earlier row, or a new one. */
export type RowPatients = (form: FormData, externalId: string) => Checked<MeantPatient>;

export function rowPatients(known: KnownPatients, project: Project, now: Date): RowPatients {
  const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
  /** New ones of earlier rows, by name and date of birth. */
  const earlier = new Map<string, { readonly externalId: string; readonly key: string }[]>();

  const keyOf = (person: string, externalId: string, meaning: string): string => {
    const others = earlier.get(person) ?? [];
    const same = others.find((one) => [one.externalId, ''].includes(externalId) || one.externalId === '');
    const key = same?.key ?? rowKey('patient', meaning);
    if (same === undefined) earlier.set(person, [...others, { externalId, key }]);
    return key;
  };

  return (form, externalId) => {
    const typed = readPatientForm(form);
    const person = personOf(typed);
    const meaning = externalId === '' ? (person ?? '') : `external ${externalId}`;
    const named = known.byExternalId.get(externalId);
    if (named !== undefined) return found(named, meaning);
    if (externalId !== '' && typed.first_name === '' && typed.last_name === '') {
      return wrong('external_id', 'No patient of this project has this external ID');
    }
    const [same, another] = person === null ? [] : known.samePerson(person, externalId);
    if (another !== undefined) {
      return wrong('last_name', 'Several patients have this name and date of birth; enter an external ID');
    }
    if (same !== undefined) return found(same, meaning);
    const asked = toPatientBody(typed, project.default_country);
    const body = ProjectPatientBody.safeParse({
      ...(typeof asked === 'object' ? asked : {}),
      ...(externalId === '' ? {} : { external_id: externalId }),
    });
    const errors = {
      ...(body.success ? {} : patientErrors(body.error)),
      ...patientFormProblems(typed, today),
    };
    if (!body.success || Object.keys(errors).length > 0) return { problems: problemsOf(errors), made: null };
    const key = keyOf(person ?? '', externalId, meaning);
    return { problems: [], made: { patient: { kind: 'new', key, body: body.data }, meaning } };
  };
}

/** As `samePersonKey` tells people apart; null where name or date of birth is missing. */
function personOf({ first_name, last_name, date_of_birth }: PatientForm): string | null {
  const born = CalendarDate.safeParse(toIsoDate(date_of_birth));
  return first_name === '' || last_name === '' || !born.success
    ? null
    : samePersonKey({ first_name, last_name, date_of_birth: born.data });
}

function found(id: string, meaning: string): Checked<MeantPatient> {
  return { problems: [], made: { patient: { kind: 'existing', id }, meaning } };
}
