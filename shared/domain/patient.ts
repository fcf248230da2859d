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

/** A patient's data. Which members are required is our decision; the specification leaves it open. */
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

type OptionalIn<Data> = { [Name in keyof Data]-?: undefined extends Data[Name] ? Name : never }[keyof Data];

/** What a patient may lack. */
const clearable = {
  email: z.optional(z.nullable(Email)),
  address: z.optional(z.nullable(Address)),
  primary_care_provider: z.optional(z.nullable(PrimaryCareProvider)),
  insurance: z.optional(z.nullable(PatientInsurance)),
  external_id: z.optional(z.nullable(ExternalId)),
  metadata: z.optional(z.nullable(Metadata)),
} satisfies Record<OptionalIn<PatientRegistration>, z.ZodMiniType>;
export const clearableMembers = z.keyof(z.object(clearable)).options;

/** Body of `PATCH /v1/patient/{patient_id}`: absent members stay unchanged; null clears optional ones. */
export const PatientChanges = z.extend(z.partial(PatientRegistration), clearable);
export type PatientChanges = z.infer<typeof PatientChanges>;

/** A change of a patient, by member names, not values, which may have been wrong. */
export const PatientHistoryEntry = z.object({ at: Timestamp, by: z.string(), fields: z.array(z.string()) });
export type PatientHistoryEntry = z.infer<typeof PatientHistoryEntry>;

/** A patient as stored; names and dates were once accepted unchecked. */
export const Patient = z.extend(NewPatient, {
  first_name: z.string(),
  last_name: z.string(),
  date_of_birth: CalendarDate,
  ...keptClientData,
  id: Uuid,
  /** The newest ones, oldest first; for people only, so no API response contains it. */
  changes: z.optional(z.array(PatientHistoryEntry)),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Patient = z.infer<typeof Patient>;
