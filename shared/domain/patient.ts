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

export const Patient = z.extend(NewPatient, { id: Uuid, created_at: Timestamp, updated_at: Timestamp });
export type Patient = z.infer<typeof Patient>;
