import { spokenDay, spokenTime } from '../language/calendar.ts';
import type { CallPlan } from '../plan/call-plan.ts';
import type { AskedTopic } from './fact-questions.ts';
import type { Slot } from './slots.ts';

/** Who we are and that it is recorded, before anything about anybody: what every person on the line hears first. */
export const notice =
  'Hello, this is an automated assistant calling on behalf of a patient. This call is recorded.';

/**
 * The first words of every call. They may be heard by anybody, a voicemail included, so they say nothing about health and
 * nothing about the patient.
 */
export function openingWords(): string {
  return `${notice} Can you help me, please?`;
}

/** Who can help, as somebody else would call them. */
export function deskName(plan: CallPlan): string {
  switch (plan.callee) {
    case 'clinic':
      return 'the scheduling desk';
    case 'insurer':
      return 'somebody for eligibility and benefits';
    case 'claims-department':
      return 'the claims department';
    case 'office':
      return 'the front desk';
  }
}

/**
 * Asked before anything about the patient is told. Without the names of the plan: which insurer somebody has is a fact
 * about the patient, and the kind of place is enough for a yes or no.
 */
export function reachQuestion(plan: CallPlan): string {
  switch (plan.callee) {
    case 'clinic':
      return 'Have I reached the scheduling desk of a medical office?';
    case 'insurer':
      return 'Have I reached the provider line of a health insurance company?';
    case 'claims-department':
      return 'Have I reached the claims department of an insurance company?';
    case 'office':
      return 'Have I reached an office or business, and not a private line?';
  }
}

// Without thanks: somebody who cuts in after "thank you" takes it for the end of the call.
const acknowledgements = ['Okay.', 'Got it.', 'All right.', 'I see.'] as const;

/** Varies with the turn, so that it does not sound like a machine more than it must. */
export function acknowledgement(turn: number): string {
  return acknowledgements[turn % acknowledgements.length] ?? 'Okay.';
}

/** "Tuesday, November 24 at 10:30 AM with Dr. Okafor" */
export function spokenSlot(slot: Slot, today: string): string {
  const when =
    slot.day === null
      ? slot.minutes === null
        ? 'that time'
        : spokenTime(slot.minutes)
      : `${spokenDay(slot.day, today)}${slot.minutes === null ? '' : ` at ${spokenTime(slot.minutes)}`}`;
  return slot.provider === null ? when : `${when} with ${slot.provider}`;
}

/** When the patient can come, as a sentence. */
export function availabilitySentence(plan: CallPlan): string {
  const { text } = plan.time_wishes;
  if (text === null) return 'The patient has no special wishes for the time; the next opening is fine.';
  const trimmed = text.replace(/[.\s]+$/, '');
  const lowered =
    /^\p{Lu}\p{Ll}/u.test(trimmed) &&
    !/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Dr)/.test(trimmed)
      ? trimmed.slice(0, 1).toLowerCase() + trimmed.slice(1)
      : trimmed;
  return `The patient's availability is: ${lowered}.`;
}

const topicNames: Partial<Record<AskedTopic, string>> = {
  'date-of-birth': 'date of birth',
  'member-id': 'member ID',
  'group-number': 'group number',
  'plan-name': 'name of the plan',
  'insurance-details': 'insurance details',
  'insurance-type': 'insurance details',
  'provider-npi': 'NPI',
  'referral-npi': "referring provider's NPI",
  'provider-name': "provider's name",
  'provider-address': "provider's address",
  'provider-phone': "provider's phone number",
  'claim-number': 'claim number',
  'claim-date': 'date of the claim',
  'bill-number': 'bill number',
  'billing-address': 'billing address',
  'billing-phone': "billing office's phone number",
  'procedure-codes': 'procedure code',
  'service-date': 'date of service',
  'tax-id': 'tax ID',
  'social-security': 'Social Security number',
  'preferred-provider': 'name of a preferred doctor',
  'primary-care-provider': 'name of the primary care provider',
  'existing-appointment': 'details of the existing appointment',
  'reschedule-reason': 'reason for the change',
  'visit-reason': 'reason for the visit',
  'patient-status': 'information whether the patient has been there before',
  'previous-visits': 'dates of previous visits',
  'secondary-insurance': 'information about any other insurance',
  'callback-number': 'callback number',
  'caller-relationship': 'relationship',
  'payment-method': 'payment method',
  insurer: 'name of the insurance company',
  diagnosis: 'diagnosis or any medical details',
  amount: 'billed amount',
  service: 'name of the service',
  treatment: 'details of the treatment',
  referral: 'information about a referral',
  gender: "patient's gender",
  fax: 'fax number',
  subscriber: "subscriber's name",
  facility: 'name of the facility',
  specialty: 'specialty',
};

/** How a thing that we are asked for is called: "I don't have the …". */
export function topicName(topic: AskedTopic): string {
  return topicNames[topic] ?? topic.replaceAll('-', ' ');
}
