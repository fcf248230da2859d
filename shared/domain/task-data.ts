import * as z from 'zod/mini';
import { Address, CalendarDate, MemberInsurance, notBlank, PhoneNumber, Provider } from './values.ts';

const text = z.optional(z.string());

/*
 * `task_data` by task type. No member is required; known members are type-checked; members that the specification does
 * not name (such as `medical_context`) are kept and given to the agent, hence `looseObject`, also for nested shapes of
 * `values.ts`.
 */

const KeptProvider = z.looseObject({
  ...Provider.shape,
  address: z.optional(z.looseObject(Address.shape)),
});

const KeptInsurance = z.looseObject({
  ...MemberInsurance.shape,
  primary_subscriber: z.optional(z.looseObject({ first_name: text, last_name: text })),
});

export const ScheduleAppointmentData = z.looseObject({
  timeframe_availability: text,
  speciality_preferences: text,
  additional_context: text,
  previous_visits: z.optional(
    z.array(z.looseObject({ purpose: text, date: z.optional(CalendarDate), outcome: text })),
  ),
  patient_status: text,
  has_referral: z.optional(z.boolean()),
  referral: z.optional(KeptProvider),
  is_rescheduling: z.optional(z.boolean()),
  existing_appointment: text,
  reschedule_reason: text,
});

export const VerifyInsuranceData = z.looseObject({
  service: z.optional(z.looseObject({ description: text, cpt_codes: z.optional(z.array(z.string())) })),
  provider: z.optional(KeptProvider),
  insurance: z.optional(KeptInsurance),
  additional_context: text,
});

export const ReimbursementData = z.looseObject({
  case_info: z.optional(z.looseObject({ number: text, created_at: z.optional(CalendarDate) })),
  bill: z.optional(
    z.looseObject({
      number: text,
      amount: text,
      phone_number: z.optional(PhoneNumber),
      address: z.optional(
        z.looseObject({ street: text, city: text, state: text, zip_code: text, country: text }),
      ),
    }),
  ),
  reimbursement_status: text,
  payment_details: text,
  treatment_background: text,
  treatment_data: text,
  primary_insurance: z.optional(KeptInsurance),
  secondary_insurance: z.optional(KeptInsurance),
  provider: z.optional(KeptProvider),
  additional_context: text,
});

const Index = z.int().check(z.gte(0, 'must be at least 0'));

/** As stored: what is accepted today has bounds. */
export const CustomTaskData = z.looseObject({
  additional_context: text,
  questions_to_ask: z.optional(z.array(z.looseObject({ index: Index, question: z.string(), answer: text }))),
});

/** A question that can be spoken. */
export const QuestionToAsk = z.looseObject({
  index: Index,
  question: z.string().check(z.maxLength(1000), notBlank),
  answer: z.optional(z.string().check(z.maxLength(1000))),
});

/** No call has time for more. */
export const questionsAtMost = 100;

export const NewCustomTaskData = z.extend(CustomTaskData, {
  questions_to_ask: z.optional(z.array(QuestionToAsk).check(z.maxLength(questionsAtMost))),
});
