import type * as z from 'zod/mini';
import type { Patient } from '#shared/domain/patient.ts';
import type {
  ReimbursementData,
  ScheduleAppointmentData,
  VerifyInsuranceData,
} from '#shared/domain/task-data.ts';
import type { MemberInsurance, Provider } from '#shared/domain/values.ts';
import {
  spelledIdentifier,
  spokenAddress,
  spokenAmount,
  spokenDateText,
  spokenEmail,
  spokenPhoneNumber,
} from '../language/speech.ts';
import type { Fact, FactTopic } from './call-plan.ts';
import { visitReason } from './visit-reason.ts';

/** A fact, or nothing when the value is not known. */
function fact(
  field: string,
  topic: FactTopic,
  label: string,
  value: string | undefined | null,
  speak: (value: string) => string = (text) => text,
): Fact[] {
  const text = value?.trim() ?? '';
  return text === '' ? [] : [{ field, topic, label, value: text, spoken: speak(text) }];
}

export function patientFacts(patient: Patient): Fact[] {
  const { address } = patient;
  const medical = patient.insurance?.medical?.[0];
  return [
    ...fact('patient.name', 'patient-name', "patient's name", `${patient.first_name} ${patient.last_name}`),
    ...fact('patient.first_name', 'first-name', 'first name', patient.first_name),
    ...fact('patient.last_name', 'last-name', 'last name', patient.last_name),
    ...fact('patient.date_of_birth', 'date-of-birth', 'date of birth', patient.date_of_birth, spokenDateText),
    ...fact('patient.phone_number', 'phone', 'phone number', patient.phone_number, spokenPhoneNumber),
    ...fact('patient.email', 'email', 'email address', patient.email, spokenEmail),
    ...fact(
      'patient.address',
      'address',
      'address',
      address === undefined
        ? undefined
        : spokenAddress({
            street: address.street_name,
            city: address.city,
            state: address.state,
            postalCode: address.postal_code,
          }),
    ),
    ...fact(
      'patient.primary_care_provider',
      'primary-care-provider',
      'primary care provider',
      joined(patient.primary_care_provider?.name, patient.primary_care_provider?.practice),
    ),
    ...(medical === undefined ? [] : insuranceFacts('patient.insurance.medical', medical)),
  ];
}

export function schedulingFacts(data: z.infer<typeof ScheduleAppointmentData>, description: string): Fact[] {
  const prefers = preferredProvider([data.speciality_preferences, data.additional_context, description]);
  const visits = (data.previous_visits ?? [])
    .map(({ purpose, date }) =>
      joined(purpose, date === undefined ? undefined : `on ${spokenDateText(date)}`, ' '),
    )
    .filter((visit) => visit !== undefined);
  return [
    ...fact('visit.reason', 'visit-reason', 'reason for the visit', visitReason(data, description)),
    ...fact('task_data.patient_status', 'patient-status', 'patient status', patientStatus(data)),
    ...fact('task_data.speciality_preferences', 'specialty', 'specialty', data.speciality_preferences),
    ...fact('visit.preferred_provider', 'preferred-provider', 'preferred doctor', prefers),
    ...fact(
      'task_data.timeframe_availability',
      'timeframe',
      "patient's availability",
      data.timeframe_availability,
    ),
    ...fact('task_data.referral', 'referral', 'referral', referral(data)),
    ...fact(
      'task_data.referral.npi',
      'referral-npi',
      "referring provider's NPI",
      data.referral?.npi,
      spelledIdentifier,
    ),
    ...fact(
      'task_data.existing_appointment',
      'existing-appointment',
      'existing appointment',
      data.existing_appointment,
    ),
    ...fact(
      'task_data.reschedule_reason',
      'reschedule-reason',
      'reason for rescheduling',
      data.reschedule_reason,
    ),
    ...fact('task_data.previous_visits', 'previous-visits', 'previous visits', visits.join('; ')),
  ];
}

export function verificationFacts(data: z.infer<typeof VerifyInsuranceData>): Fact[] {
  return [
    ...fact('task_data.service.description', 'service', 'service', data.service?.description),
    ...fact(
      'task_data.service.cpt_codes',
      'procedure-codes',
      data.service?.cpt_codes?.length === 1 ? 'procedure code' : 'procedure codes',
      data.service?.cpt_codes?.join(', '),
      (codes) =>
        codes
          .split(', ')
          .map((code) => spelledIdentifier(code))
          .join('; and '),
    ),
    ...providerFacts('task_data.provider', data.provider),
    ...(data.insurance === undefined ? [] : insuranceFacts('task_data.insurance', data.insurance)),
  ];
}

export function claimFacts(data: z.infer<typeof ReimbursementData>): Fact[] {
  const { bill, case_info: caseInfo } = data;
  const secondary = data.secondary_insurance;
  return [
    ...fact(
      'task_data.case_info.number',
      'claim-number',
      'claim number',
      caseInfo?.number,
      spelledIdentifier,
    ),
    ...fact(
      'task_data.case_info.created_at',
      'claim-date',
      'date of the claim',
      caseInfo?.created_at,
      spokenDateText,
    ),
    ...fact('task_data.bill.number', 'bill-number', 'bill number', bill?.number, spelledIdentifier),
    ...fact('task_data.bill.amount', 'amount', 'billed amount', bill?.amount, spokenAmount),
    ...fact(
      'task_data.bill.phone_number',
      'billing-phone',
      "billing office's phone number",
      bill?.phone_number,
      spokenPhoneNumber,
    ),
    ...fact(
      'task_data.bill.address',
      'billing-address',
      'billing address',
      bill?.address === undefined
        ? undefined
        : spokenAddress({
            street: bill.address.street,
            city: bill.address.city,
            state: bill.address.state,
            postalCode: bill.address.zip_code,
          }),
    ),
    ...fact('task_data.treatment_data', 'treatment', 'treatment', data.treatment_data),
    ...fact('task_data.treatment_background', 'treatment', 'treatment', data.treatment_background),
    ...fact(
      'task_data.reimbursement_status',
      'known-status',
      'status as we know it',
      data.reimbursement_status,
    ),
    ...fact('task_data.payment_details', 'payment-details', 'payment details', data.payment_details),
    ...providerFacts('task_data.provider', data.provider),
    ...(data.primary_insurance === undefined
      ? []
      : insuranceFacts('task_data.primary_insurance', data.primary_insurance)),
    ...fact(
      'task_data.secondary_insurance',
      'secondary-insurance',
      'secondary insurance',
      secondary === undefined
        ? undefined
        : joined(
            secondary.company_name,
            secondary.member_id === undefined
              ? undefined
              : `member ID ${spelledIdentifier(secondary.member_id)}`,
          ),
    ),
  ];
}

function insuranceFacts(path: string, insurance: MemberInsurance): Fact[] {
  const subscriber = insurance.primary_subscriber;
  return [
    ...fact(`${path}.company_name`, 'insurer', 'insurance company', insurance.company_name),
    ...fact(`${path}.member_id`, 'member-id', 'member ID', insurance.member_id, spelledIdentifier),
    ...fact(
      `${path}.group_number`,
      'group-number',
      'group number',
      insurance.group_number,
      spelledIdentifier,
    ),
    ...fact(`${path}.plan_name`, 'plan-name', 'plan', insurance.plan_name),
    ...fact(
      `${path}.phone_number`,
      'insurer-phone',
      "insurance company's phone number",
      insurance.phone_number,
      spokenPhoneNumber,
    ),
    ...fact(
      `${path}.primary_subscriber`,
      'subscriber',
      'primary subscriber',
      joined(subscriber?.first_name, subscriber?.last_name, ' '),
    ),
    ...fact(
      `${path}.relationship_to_subscriber`,
      'relationship',
      'relationship to the subscriber',
      relationships[insurance.relationship_to_subscriber ?? 'RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED'],
    ),
  ];
}

const relationships = {
  RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED: null,
  SELF: 'self',
  SPOUSE: 'spouse',
  DEPENDENT: 'dependent',
} as const;

function providerFacts(path: string, provider: z.infer<typeof Provider> | undefined): Fact[] {
  if (provider === undefined) return [];
  const { address } = provider;
  return [
    ...fact(`${path}.name`, 'provider-name', "provider's name", provider.name),
    ...fact(`${path}.npi`, 'provider-npi', 'NPI', provider.npi, spelledIdentifier),
    ...fact(`${path}.facility`, 'facility', 'facility', provider.facility),
    ...fact(`${path}.specialty`, 'specialty', "provider's specialty", provider.specialty),
    ...fact(
      `${path}.phone_number`,
      'provider-phone',
      "provider's phone number",
      provider.phone_number,
      spokenPhoneNumber,
    ),
    ...fact(
      `${path}.address`,
      'provider-address',
      "provider's address",
      address === undefined
        ? undefined
        : spokenAddress({
            street: address.street_name,
            city: address.city,
            state: address.state,
            postalCode: address.postal_code,
          }),
    ),
  ];
}

/**
 * The members of `task_data` that the specification does not name, also inside of its own objects: clients send things
 * like `medical_context`. They may be told when somebody asks for just them.
 */
export function extraFacts(
  schema: { readonly shape: Readonly<Record<string, unknown>> },
  data: Record<string, unknown>,
): Fact[] {
  return Object.entries(data).flatMap(([key, value]) => {
    if (key === 'additional_context') return [];
    if (!(key in schema.shape)) return leaves(`task_data.${key}`, key, value);
    const named = namedMembers[key];
    if (named === undefined || !isRecord(value)) return [];
    return Object.entries(value).flatMap(([inner, innerValue]) =>
      named.includes(inner) ? [] : leaves(`task_data.${key}.${inner}`, inner, innerValue),
    );
  });
}

const namedMembers: Readonly<Record<string, readonly string[]>> = {
  service: ['description', 'cpt_codes'],
  case_info: ['number', 'created_at'],
  bill: ['number', 'amount', 'phone_number', 'address'],
};

function leaves(field: string, key: string, value: unknown): Fact[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([inner, innerValue]) =>
      leaves(`${field}.${inner}`, inner, innerValue),
    );
  }
  const text = Array.isArray(value)
    ? value.filter((entry) => typeof entry === 'string' || typeof entry === 'number').join(', ')
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : typeof value === 'string' || typeof value === 'number'
        ? String(value)
        : '';
  return fact(field, 'other', key.replaceAll(/[_-]+/g, ' ').toLowerCase(), text, spokenDateText);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(first: string | undefined, second: string | undefined, between = ', '): string | undefined {
  const parts = [first, second].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join(between);
}

function patientStatus(data: z.infer<typeof ScheduleAppointmentData>): string | undefined {
  const status = data.patient_status?.toLowerCase() ?? '';
  if (/\b(?:existing|established|returning|current)\b/.test(status)) return 'existing';
  if (/\bnew\b/.test(status)) return 'new';
  if (data.is_rescheduling === true || (data.previous_visits ?? []).length > 0) return 'existing';
  return data.patient_status;
}

function referral(data: z.infer<typeof ScheduleAppointmentData>): string | undefined {
  const from = joined(data.referral?.name, data.referral?.facility);
  if (from !== undefined) return `from ${from}`;
  if (data.has_referral === undefined) return undefined;
  return data.has_referral ? 'yes, there is one' : 'none';
}

/** "prefers Dr. Lee": a doctor named in the client's words. */
function preferredProvider(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const match = /\b(?:Dr\.?|Doctor) (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)/u.exec(text ?? '');
    if (match?.[1] !== undefined) return `Dr. ${match[1]}`;
  }
  return undefined;
}
