import * as z from 'zod/mini';
import { TaskType } from '#shared/domain/task-type.ts';
import { TimeWishes } from './time-wishes.ts';

/** What a fact is about: how a question for it is recognised. */
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
  'context',
  'other',
]);
export type FactTopic = z.infer<typeof FactTopic>;

/** Something about the patient or the case that may be told when it is asked for, or when the goal needs it. */
export const Fact = z.object({
  /** Where it comes from, such as `patient.date_of_birth` or `task_data.bill.number`: the name of a disclosure. */
  field: z.string(),
  topic: FactTopic,
  /** What it is called in a sentence: "The member ID is …". */
  label: z.string(),
  value: z.string(),
  /** The value as it is said. */
  spoken: z.string(),
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

/** A sentence, and the facts of the plan that it tells. */
const Statement = z.object({ text: z.string(), discloses: z.array(z.string()) });

/** Everything that a dialogue model knows about a call: the same for every model. */
export const CallPlan = z.object({
  task_type: TaskType,
  /** Who is expected to answer. */
  callee: z.enum(['clinic', 'insurer', 'claims-department', 'office']),
  is_rescheduling: z.boolean(),
  /** What the call is about, told before anybody is known: no facts in it. Follows "calling on behalf of a patient". */
  subject: z.string(),
  /** Why we call, in one sentence, told to whoever can help. */
  purpose: Statement,
  facts: z.array(Fact),
  items: z.array(PlanItem),
  time_wishes: TimeWishes,
  /** IANA zone of the place that is called, as far as it can be told. */
  time_zone: z.string(),
  /** What is left on a voicemail: a number to call back, or nothing when null. */
  voicemail: z.nullable(z.object({ callback_number: z.string() })),
  max_hold_seconds: z.int(),
  /** The client's own description and notes: guidance for the model, not for telling. */
  instructions: z.string(),
});
export type CallPlan = z.infer<typeof CallPlan>;
