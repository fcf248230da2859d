import * as z from 'zod/mini';
import { clientData, ExternalId, keptClientData, Metadata } from './client-data.ts';
import { Uuid } from './identifiers.ts';
import { PersonName } from './names.ts';
import { Address, CalendarDate, DateOfBirth, MemberInsurance, PhoneNumber, Timestamp } from './values.ts';

const Email = z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'));

export const PrimaryCareProvider = z.object({
  name: z.nullish(z.string()),
  practice: z.nullish(z.string()),
});

export const PatientInsurance = z.object({
  medical: z.nullish(z.array(MemberInsurance)),
  dental: z.nullish(z.array(MemberInsurance)),
  vision: z.nullish(z.array(MemberInsurance)),
});

/** What is known of a patient. Which members are required is our decision; the specification leaves it open. */
export const NewPatient = z.object({
  project_id: Uuid,
  first_name: PersonName,
  last_name: PersonName,
  phone_number: PhoneNumber,
  date_of_birth: DateOfBirth,
  email: z.optional(Email),
  address: z.optional(Address),
  primary_care_provider: z.optional(PrimaryCareProvider),
  insurance: z.optional(PatientInsurance),
});
export type NewPatient = z.infer<typeof NewPatient>;

/** Body of `POST /v1/patient`. */
export const PatientRegistration = z.extend(NewPatient, clientData);
export type PatientRegistration = z.infer<typeof PatientRegistration>;

/** Body of `PATCH /v1/patient/{patient_id}`: what is absent stays as it is, what is null is cleared where it may be. */
export const PatientChanges = z.extend(z.partial(PatientRegistration), {
  email: z.optional(z.nullable(Email)),
  address: z.optional(z.nullable(Address)),
  primary_care_provider: z.optional(z.nullable(PrimaryCareProvider)),
  insurance: z.optional(z.nullable(PatientInsurance)),
  external_id: z.optional(z.nullable(ExternalId)),
  metadata: z.optional(z.nullable(Metadata)),
});
export type PatientChanges = z.infer<typeof PatientChanges>;

/** Who changed what of a patient, by the names of its members: not the values, which may be wrong ones. */
export const PatientHistoryEntry = z.object({ at: Timestamp, by: z.string(), fields: z.array(z.string()) });
export type PatientHistoryEntry = z.infer<typeof PatientHistoryEntry>;

/** A patient as it is kept; names and dates were taken as they came once. */
export const Patient = z.extend(NewPatient, {
  first_name: z.string(),
  last_name: z.string(),
  date_of_birth: CalendarDate,
  ...keptClientData,
  id: Uuid,
  /** The newest ones, the oldest first; for people only, so that no answer of the API has it. */
  changes: z.optional(z.array(PatientHistoryEntry)),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Patient = z.infer<typeof Patient>;
