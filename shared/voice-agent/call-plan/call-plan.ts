import * as z from 'zod/mini';
import { TaskType } from '#shared/domain/task-type.ts';
import { Availability, anyTime } from './availability.ts';

/** The topic of a fact, by which questions for it are recognized. */
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

/** A known fact about the patient, the case or the caller. */
export const Fact = z.object({
  /** Its source, such as `patient.date_of_birth` or `task_data.bill.number`: the name of a disclosure. */
  field: z.string(),
  topic: FactTopic,
  /** Its name in a sentence: "The member ID is …". */
  label: z.string(),
  value: z.string(),
  /** The spoken value. */
  spoken: z.string(),
  /** Whether the task needs this fact, so we may disclose it to the right party. In older plans it always does. */
  may_be_told: z._default(z.boolean(), true),
});
export type Fact = z.infer<typeof Fact>;

/** The kind of value that answers an item. */
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

/** An item to find out. */
export const PlanItem = z.object({
  key: z.string(),
  question: z.string(),
  /** Asked after the first question got no clear answer. */
  rephrase: z.string(),
  /** Asked after that one got none either. */
  rephrase2: z._default(z.nullable(z.string()), null),
  /** The read-back of its value, with `{value}` in its place. */
  read_back: z._default(z.nullable(z.string()), null),
  kind: ItemKind,
  /** Required for the goal, if its condition holds. */
  required: z.boolean(),
  /** Asked; otherwise only recorded when the person mentions it. */
  asked: z.boolean(),
  /** Facts that the question itself tells. */
  discloses: z.array(z.string()),
  /** Relevant only if another item was answered with one of these values. */
  only_if: z.nullable(
    z.object({
      key: z.string(),
      values: z.array(z.union([z.string(), z.boolean()])),
      /** Whether it is relevant while that other item is open. */
      while_open: z.boolean(),
    }),
  ),
  /** The answer the client expects; never told to the person. */
  expected: z.nullable(z.string()),
});
export type PlanItem = z.infer<typeof PlanItem>;

/** A client's own question: only its words are known. */
export function isClientsOwn({ key }: Pick<PlanItem, 'key'>): boolean {
  return key.startsWith('question_') || key.startsWith('wish_');
}

/** A sentence, and the facts of the plan that it tells. */
const Statement = z.object({ text: z.string(), discloses: z.array(z.string()) });
const noDetails = { text: '', discloses: [] };

/** The caller's identity, which we may always disclose because none of it is patient data. */
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

/** The expected kind of place. */
export const Callee = z.enum(['clinic', 'insurer', 'claims-department', 'office']);
export type Callee = z.infer<typeof Callee>;

/** Who is called. */
export type Called = Pick<z.infer<typeof CurrentPlan>, 'callee' | 'place'> &
  Partial<Pick<z.infer<typeof CurrentPlan>, 'payer'>>;

/** Everything a dialogue model knows about a call: the same for every model. */
const CurrentPlan = z.object({
  task_type: TaskType,
  callee: Callee,
  /** The place's name, if the client gave it and it is no fact about the patient, as their insurer is. */
  place: z._default(z.nullable(z.string()), null),
  /** The name of the payer that is called: never spoken, but known when they say it. */
  payer: z._default(z.nullable(z.string()), null),
  is_rescheduling: z.boolean(),
  /** The subject of the call, told before verification: no facts. Follows "calling on behalf of a patient". */
  subject: z.string(),
  /** What the call wants, in one sentence, told only to the right party. */
  purpose: Statement,
  /** What the purpose is about, told once a person of the right place has heard the purpose; may be empty. */
  details: z._default(Statement, noDetails),
  identity: z._default(CallerIdentity, unknownCaller),
  facts: z.array(Fact),
  items: z.array(PlanItem),
  availability: z._default(Availability, anyTime),
  /** IANA zone of the called place, as far as known. */
  time_zone: z.string(),
  /** The voicemail message: a number to call back, or silence if null. */
  voicemail: z.nullable(z.object({ callback_number: z.string() })),
  max_hold_seconds: z.int(),
  /** The client's own description and notes: guidance for the model, never spoken. */
  instructions: z.string(),
});
export type CallPlan = z.infer<typeof CurrentPlan>;

/** Also reads plans of calls in progress during a deployment: these have `time_wishes`. */
export const CallPlan = z.pipe(
  z.transform((stored: unknown) =>
    typeof stored === 'object' && stored !== null && 'time_wishes' in stored
      ? { availability: stored.time_wishes, ...stored }
      : stored,
  ),
  CurrentPlan,
);
