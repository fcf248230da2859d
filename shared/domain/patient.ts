import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { PersonName } from './names.ts';
import { Address, CalendarDate, DateOfBirth, MemberInsurance, PhoneNumber, Timestamp } from './values.ts';

export const PrimaryCareProvider = z.object({
  name: z.nullish(z.string()),
  practice: z.nullish(z.string()),
});

export const PatientInsurance = z.object({
  medical: z.nullish(z.array(MemberInsurance)),
  dental: z.nullish(z.array(MemberInsurance)),
  vision: z.nullish(z.array(MemberInsurance)),
});

/** Body of `POST /v1/patient`. Which members are required is our decision; the specification leaves it open. */
export const NewPatient = z.object({
  project_id: Uuid,
  first_name: PersonName,
  last_name: PersonName,
  phone_number: PhoneNumber,
  date_of_birth: DateOfBirth,
  email: z.optional(z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'))),
  address: z.optional(Address),
  primary_care_provider: z.optional(PrimaryCareProvider),
  insurance: z.optional(PatientInsurance),
});
export type NewPatient = z.infer<typeof NewPatient>;

/** A patient as it is kept; names and dates were taken as they came once. */
export const Patient = z.extend(NewPatient, {
  first_name: z.string(),
  last_name: z.string(),
  date_of_birth: CalendarDate,
  id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Patient = z.infer<typeof Patient>;
