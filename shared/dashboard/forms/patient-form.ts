import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { ProjectPatientBody } from '#shared/admin/patients.ts';
import { PatientChanges } from '#shared/domain/patient.ts';
import { implausibleBirth, type MemberInsurance } from '#shared/domain/values.ts';
import { toIsoDate } from '#shared/domain/written-date.ts';
import { phoneNumberText, toE164 } from '#shared/domain/written-phone-number.ts';
import type { PatientResource } from '#shared/patients/patient-resource.ts';
import { type FieldErrors, fieldErrors, textOf, withoutEmpty } from './form-values.ts';

/** In display order. */
export const insuranceKinds = ['medical', 'dental', 'vision'] as const;
export type InsuranceKind = (typeof insuranceKinds)[number];

/** One insurance of a patient as the form shows it. */
export interface InsuranceForm {
  readonly company_name: string;
  readonly member_id: string;
  readonly group_number: string;
  readonly plan_name: string;
  readonly phone_number: string;
  readonly relationship_to_subscriber: string;
  readonly primary_subscriber: { readonly first_name: string; readonly last_name: string };
}

/** A patient as the form shows them: text as typed, empty for absent values. */
export interface PatientForm {
  readonly first_name: string;
  readonly last_name: string;
  readonly date_of_birth: string;
  readonly phone_number: string;
  readonly email: string;
  /** The clinic's own identifier, usually the medical record number. */
  readonly external_id: string;
  readonly address: {
    readonly street_name: string;
    readonly city: string;
    readonly state: string;
    readonly postal_code: string;
    readonly country_code: string;
  };
  readonly primary_care_provider: { readonly name: string; readonly practice: string };
  /** Without empty ones. */
  readonly insurance: Readonly<Record<InsuranceKind, readonly InsuranceForm[]>>;
}

/** The name of a body member's field, which also shows its problem. */
export function patientField(path: readonly PropertyKey[]): string {
  return path.map(String).join('-');
}

type SentFields = ReadonlyMap<string, unknown>;

/** The submitted form; the initial form for an empty one. */
export function readPatientForm(form: FormData): PatientForm {
  // A form searches all of its fields on each access, and a request may have very many.
  const sent: SentFields = new Map(form);
  const text = (...path: PropertyKey[]): string => textOf(sent, patientField(path));
  return {
    first_name: text('first_name'),
    last_name: text('last_name'),
    date_of_birth: text('date_of_birth'),
    phone_number: text('phone_number'),
    email: text('email'),
    external_id: text('external_id'),
    address: {
      street_name: text('address', 'street_name'),
      city: text('address', 'city'),
      state: text('address', 'state'),
      postal_code: text('address', 'postal_code'),
      country_code: text('address', 'country_code'),
    },
    primary_care_provider: {
      name: text('primary_care_provider', 'name'),
      practice: text('primary_care_provider', 'practice'),
    },
    insurance: {
      medical: readInsurances(sent, 'medical'),
      dental: readInsurances(sent, 'dental'),
      vision: readInsurances(sent, 'vision'),
    },
  };
}

/** The form with a patient's current data. */
export function toPatientForm(patient: PatientResource): PatientForm {
  const { address, primary_care_provider, insurance } = patient;
  const insurancesOf = (kind: InsuranceKind): InsuranceForm[] =>
    (insurance?.[kind] ?? []).map(toInsuranceForm);
  return {
    first_name: patient.first_name,
    last_name: patient.last_name,
    date_of_birth: patient.date_of_birth,
    phone_number: phoneNumberText(patient.phone_number),
    email: patient.email ?? '',
    external_id: patient.external_id ?? '',
    address: { ...emptyPatient.address, ...address },
    primary_care_provider: {
      name: primary_care_provider?.name ?? '',
      practice: primary_care_provider?.practice ?? '',
    },
    insurance: {
      medical: insurancesOf('medical'),
      dental: insurancesOf('dental'),
      vision: insurancesOf('vision'),
    },
  };
}

function toInsuranceForm(insurance: MemberInsurance): InsuranceForm {
  const { phone_number, relationship_to_subscriber, primary_subscriber } = insurance;
  return {
    company_name: insurance.company_name ?? '',
    member_id: insurance.member_id ?? '',
    group_number: insurance.group_number ?? '',
    plan_name: insurance.plan_name ?? '',
    phone_number: phone_number ? phoneNumberText(phone_number) : '',
    relationship_to_subscriber:
      relationship_to_subscriber === 'RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED'
        ? ''
        : (relationship_to_subscriber ?? ''),
    primary_subscriber: {
      first_name: primary_subscriber?.first_name ?? '',
      last_name: primary_subscriber?.last_name ?? '',
    },
  };
}

/** Omits empty entries, so that the others' problems are shown where they will be after the move. */
function readInsurances(sent: SentFields, kind: InsuranceKind): InsuranceForm[] {
  const insurances: InsuranceForm[] = [];
  for (let index = 0; sent.has(patientField(['insurance', kind, index, 'company_name'])); index += 1) {
    const insurance = readInsurance(sent, kind, index);
    if (withoutEmpty(insurance) !== undefined) insurances.push(insurance);
  }
  return insurances;
}

function readInsurance(sent: SentFields, kind: InsuranceKind, index: number): InsuranceForm {
  const text = (...path: PropertyKey[]): string =>
    textOf(sent, patientField(['insurance', kind, index, ...path]));
  return {
    company_name: text('company_name'),
    member_id: text('member_id'),
    group_number: text('group_number'),
    plan_name: text('plan_name'),
    phone_number: text('phone_number'),
    relationship_to_subscriber: text('relationship_to_subscriber'),
    primary_subscriber: {
      first_name: text('primary_subscriber', 'first_name'),
      last_name: text('primary_subscriber', 'last_name'),
    },
  };
}

export const emptyInsurance: InsuranceForm = readInsurance(new Map(), 'medical', 0);

export const emptyPatient: PatientForm = readPatientForm(new FormData());

/** The form's values, for the schema of a new patient to validate. @param country of numbers without one */
export function toPatientBody(
  { insurance: { medical, dental, vision }, ...patient }: PatientForm,
  country: string,
): unknown {
  const toInsuranceBody = (insurance: InsuranceForm): InsuranceForm => ({
    ...insurance,
    phone_number: toE164(insurance.phone_number, country),
  });
  const body = {
    ...patient,
    date_of_birth: toIsoDate(patient.date_of_birth, country),
    phone_number: toE164(patient.phone_number, country),
    insurance: {
      medical: medical.map(toInsuranceBody),
      dental: dental.map(toInsuranceBody),
      vision: vision.map(toInsuranceBody),
    },
  };
  return withoutEmpty(body) ?? {};
}

/** The form's changes to a patient: the members that differ from the untouched form. Empty ones are cleared. */
export function patientChanges(
  before: PatientResource,
  after: ProjectPatientBody,
  country: string,
): PatientChanges {
  const untouched = toPatientBody(toPatientForm(before), country);
  const [old, wanted] = [ProjectPatientBody.safeParse(untouched).data ?? {}, after].map(
    (body) => new Map<string, unknown>(Object.entries(body)),
  );
  const changed = Object.keys(emptyPatient).filter(
    (member) => !isDeepStrictEqual(old?.get(member), wanted?.get(member)),
  );
  return PatientChanges.parse(
    Object.fromEntries(changed.map((member) => [member, wanted?.get(member) ?? null])),
  );
}

/** The schema's problems, in words that say what is expected. */
export function patientErrors(error: z.core.$ZodError): FieldErrors {
  const sentences = error.issues.flatMap(({ path, message }) => {
    const sentence = patientProblem(path, message);
    return sentence === undefined ? [] : [[patientField(path), sentence] as const];
  });
  return fieldErrors(error, patientField, Object.fromEntries(sentences));
}

function patientProblem([member, ...rest]: readonly PropertyKey[], message: string): string | undefined {
  switch (member) {
    case 'first_name':
      return 'Enter a first name';
    case 'last_name':
      return 'Enter a last name';
    case 'date_of_birth':
      return message === implausibleBirth
        ? 'Enter a date of birth between 1900 and today'
        : 'Enter a date of birth, such as Jul 12, 1984 or 1984-07-12';
    case 'phone_number':
      return 'Enter a phone number, such as (202) 555-0142';
    case 'email':
      return 'Enter an email address, or leave it empty';
    case 'external_id':
      return 'Enter an MRN of at most 255 characters, or leave it empty';
    case 'address':
      return addressProblems[String(rest[0])];
    case 'insurance':
      return insuranceProblem(rest);
    default:
      return undefined;
  }
}

const addressProblems: Readonly<Record<string, string>> = {
  street_name: 'Enter the street, or leave the whole address empty',
  city: 'Enter the city, or leave the whole address empty',
  state: 'Enter the state, or leave the whole address empty',
  postal_code: 'Enter the postal code, or leave the whole address empty',
  country_code: 'Enter the country as two letters, such as US, or leave the whole address empty',
};

function insuranceProblem([kind, index, member]: readonly PropertyKey[]): string | undefined {
  const name = `${String(kind)} insurance ${Number(index) + 1}`;
  switch (member) {
    case 'phone_number':
      return `Enter a phone number for ${name}, such as (202) 555-0101, or leave it empty`;
    case 'relationship_to_subscriber':
      return `Choose from the listed relationships for ${name}`;
    default:
      return undefined;
  }
}
