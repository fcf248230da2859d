import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Address, CalendarDate, MemberInsurance, PhoneNumber, Timestamp } from './values.ts';

/** Body of `POST /v1/patient`. Which members are required is our decision; the specification leaves it open. */
export const NewPatient = z.object({
  project_id: Uuid,
  first_name: z.string(),
  last_name: z.string(),
  phone_number: PhoneNumber,
  date_of_birth: CalendarDate,
  email: z.optional(z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'))),
  address: z.optional(Address),
  primary_care_provider: z.optional(
    z.object({ name: z.optional(z.string()), practice: z.optional(z.string()) }),
  ),
  insurance: z.optional(
    z.object({
      medical: z.optional(z.array(MemberInsurance)),
      dental: z.optional(z.array(MemberInsurance)),
      vision: z.optional(z.array(MemberInsurance)),
    }),
  ),
});
export type NewPatient = z.infer<typeof NewPatient>;

/** Who changed what of a patient, by the names of its members: not the values, which may be wrong ones. */
export const PatientChange = z.object({ at: Timestamp, by: z.string(), fields: z.array(z.string()) });
export type PatientChange = z.infer<typeof PatientChange>;

export const Patient = z.extend(NewPatient, {
  id: Uuid,
  /** The newest ones, the oldest first; for people only, so that no answer of the API has it. */
  changes: z.optional(z.array(PatientChange)),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Patient = z.infer<typeof Patient>;
