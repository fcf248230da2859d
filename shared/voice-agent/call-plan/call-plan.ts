import * as z from 'zod/mini';
import { TaskType } from '#shared/domain/task-type.ts';
import { Availability, anyTime } from './availability.ts';

/** What a fact is about: how a question for it is recognized. */
export const FactTopic = z.enum([
  'patient-name',
  'first-name',
  'last-name',
  'date-of-birth',
  'phone',
  'address',
  'email',
  'member-id',
  'group-number',
  'plan-name',
  'insurer',
  'insurer-phone',
  'subscriber',
  'relationship',
  'secondary-insurance',
  'provider-name',
  'provider-npi',
  'facility',
  'specialty',
  'provider-address',
  'provider-phone',
  'preferred-provider',
  'primary-care-provider',
  'visit-reason',
  'patient-status',
  'previous-visits',
  'referral',
  'referral-npi',
  'existing-appointment',
  'reschedule-reason',
  'timeframe',
  'service',
  'procedure-codes',
  'claim-number',
  'claim-date',
  'bill-number',
  'amount',
  'billing-address',
  'billing-phone',
  'treatment',
  'known-status',
  'payment-details',
  'service-date',
  'tax-id',
  'callback-number',
  'caller-organization',
  'caller-name',
  'context',
  'other',
]);
export type FactTopic = z.infer<typeof FactTopic>;

/** Something about the patient, the case or the caller that is known. */
export const Fact = z.object({
  /** Where it comes from, such as `patient.date_of_birth` or `task_data.bill.number`: the name of a disclosure. */
  field: z.string(),
  topic: FactTopic,
  /** What it is called in a sentence: "The member ID is …". */
  label: z.string(),
  value: z.string(),
  /** The value as it is said. */
  spoken: z.string(),
  /** Whether the task needs it, so that it may be told to the right party. Older plans held only such facts. */
  may_be_told: z._default(z.boolean(), true),
});
export type Fact = z.infer<typeof Fact>;

/** What kind of value answers an item. */
export const ItemKind = z.enum([
  'yes-no',
  'money',
  'percentage',
  'number',
  'date',
  'date-time',
  'identifier',
  'phone-number',
  'name',
  'claim-status',
  'text',
]);
export type ItemKind = z.infer<typeof ItemKind>;

/** Something to find out. */
export const PlanItem = z.object({
  key: z.string(),
  question: z.string(),
  /** Asked instead when the first question brought no clear answer. */
  rephrase: z.string(),
  /** Asked when that brought none either. */
  rephrase2: z._default(z.nullable(z.string()), null),
  /** How its value is read back, with `{value}` in its place. */
  read_back: z._default(z.nullable(z.string()), null),
  kind: ItemKind,
  /** The goal is not reached without it, provided its condition holds. */
  required: z.boolean(),
  /** Asked for; otherwise only noted when the person mentions it. */
  asked: z.boolean(),
  /** Facts that the question itself tells. */
  discloses: z.array(z.string()),
  /** Only of interest when another item was answered with one of these values. */
  only_if: z.nullable(
    z.object({
      key: z.string(),
      values: z.array(z.union([z.string(), z.boolean()])),
      /** Whether it is of interest while that other item is open. */
      while_open: z.boolean(),
    }),
  ),
  /** What the client expects to hear; never told to the person. */
  expected: z.nullable(z.string()),
});
export type PlanItem = z.infer<typeof PlanItem>;

/** A question that the client gave: nothing is known about it but its words. */
export function isClientsOwn({ key }: Pick<PlanItem, 'key'>): boolean {
  return key.startsWith('question_') || key.startsWith('wish_');
}

/** A sentence, and the facts of the plan that it tells. */
const Statement = z.object({ text: z.string(), discloses: z.array(z.string()) });

/** Who calls, and for whom: may always be told, as nothing of it is the patient's. */
export const CallerIdentity = z.object({
  agent_name: z.nullable(z.string()),
  organization: z.nullable(z.string()),
  on_behalf_of: z.enum(['provider', 'patient']),
  /** E.164 */
  callback_number: z.nullable(z.string()),
  npi: z.nullable(z.string()),
  tax_id: z.nullable(z.string()),
});
export type CallerIdentity = z.infer<typeof CallerIdentity>;

const unknownCaller: CallerIdentity = {
  agent_name: null,
  organization: null,
  on_behalf_of: 'patient',
  callback_number: null,
  npi: null,
  tax_id: null,
};

/** Who is expected to answer. */
export const Callee = z.enum(['clinic', 'insurer', 'claims-department', 'office']);
export type Callee = z.infer<typeof Callee>;

/** Everything that a dialogue model knows about a call: the same for every model. */
const CurrentPlan = z.object({
  task_type: TaskType,
  callee: Callee,
  is_rescheduling: z.boolean(),
  /** What the call is about, told before anybody is known: no facts in it. Follows "calling on behalf of a patient". */
  subject: z.string(),
  /** Why we call, in one sentence, told to the right party only. */
  purpose: Statement,
  identity: z._default(CallerIdentity, unknownCaller),
  facts: z.array(Fact),
  items: z.array(PlanItem),
  availability: z._default(Availability, anyTime),
  /** IANA zone of the place that is called, as far as it can be told. */
  time_zone: z.string(),
  /** What is left on a voicemail: a number to call back, or nothing when null. */
  voicemail: z.nullable(z.object({ callback_number: z.string() })),
  max_hold_seconds: z.int(),
  /** The client's own description and notes: guidance for the model, not for telling. */
  instructions: z.string(),
});
export type CallPlan = z.infer<typeof CurrentPlan>;

/** Reads also plans of calls that were under way while the service was renewed: these have `time_wishes`. */
export const CallPlan = z.pipe(
  z.transform((stored: unknown) =>
    typeof stored === 'object' && stored !== null && 'time_wishes' in stored
      ? { availability: stored.time_wishes, ...stored }
      : stored,
  ),
  CurrentPlan,
);
