import type { CallPlan } from '../call-plan/call-plan.ts';
import phrases from '../language/en-US/phrases.json' with { type: 'json' };
import { spelledIdentifier, spokenPhoneNumber } from '../language/speech.ts';

export type PhraseName = keyof typeof phrases;

/** The wordings of a phrase; the `times`-th one, or the last one after that. */
export function phrase(name: PhraseName, times: number): string {
  const wordings: readonly string[] = phrases[name];
  return wordings[Math.min(times, wordings.length - 1)] ?? '';
}

/** The same, cyclic. */
export function phraseInTurn(name: PhraseName, turn: number): string {
  const wordings: readonly string[] = phrases[name];
  return wordings[turn % wordings.length] ?? '';
}

/** The helpful desk, in a third person's words. */
export function deskName({ callee }: Pick<CallPlan, 'callee'>): string {
  switch (callee) {
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

/** The name of a requested fact: "I don't have the …". */
export function topicName(topic: string): string {
  return topicNames[topic] ?? topic.replaceAll('-', ' ');
}

const topicNames: Readonly<Record<string, string>> = {
  'date-of-birth': 'date of birth',
  'member-id': 'member ID',
  'provider-npi': 'NPI',
  'tax-id': 'tax ID',
  'social-security': 'Social Security number',
  'patient-status': 'information whether the patient has been there before',
  'secondary-insurance': 'information about any other insurance',
  'insurance-details': 'insurance details',
  'provider-name': "provider's name",
  'provider-phone': "provider's phone number",
  'provider-address': "provider's address",
  'caller-relationship': 'relationship',
  'visit-reason': 'reason for the visit',
  'reschedule-reason': 'reason for the change',
  'existing-appointment': 'details of the existing appointment',
  insurer: 'name of the insurance company',
  diagnosis: 'diagnosis or any medical details',
  fax: 'fax number',
  gender: "patient's gender",
};

/** Facts about the caller that may always be told, in several wordings; none if there is no such fact. */
export function aboutCaller(topic: string, { identity, subject }: CallPlan): readonly string[] {
  const { agent_name, organization, on_behalf_of, callback_number, npi, tax_id } = identity;
  switch (topic) {
    case 'caller-name':
      return agent_name === null
        ? [
            'I am an automated assistant and have no name of my own.',
            'I have no name: I am a computer program.',
          ]
        : [`My name is ${agent_name}; I am an automated assistant.`, `${agent_name} is my name.`];
    case 'caller-organization':
      return organization === null
        ? [
            `I am an automated assistant calling on behalf of a patient, ${subject}.`,
            `This is an automated call for a patient, ${subject}.`,
          ]
        : [`I am calling from ${organization}.`, `This call is from ${organization}.`];
    case 'caller-relationship':
      return on_behalf_of === 'provider'
        ? ["I am calling for the provider's office.", "This call is for the provider's office."]
        : ['I am calling on behalf of the patient.', 'The patient has asked for this call.'];
    case 'caller-purpose':
      return ['', 'Once more, ', 'As I said, '].map((lead) => `${lead}I am calling ${subject}.`);
    case 'caller-is-machine':
      return ['Yes, I am an automated assistant.', 'Yes, this is a computer speaking.'];
    case 'callback-number':
      return ifKnown(callback_number, (number) => `The number to call back is ${spokenPhoneNumber(number)}.`);
    case 'tax-id':
      return ifKnown(tax_id, (id) => `The tax ID is ${spelledIdentifier(id)}.`);
    case 'provider-npi':
      return ifKnown(npi, (id) => `The NPI is ${spelledIdentifier(id)}.`);
    default:
      return [];
  }
}

function ifKnown(fact: string | null, sentence: (fact: string) => string): readonly string[] {
  return fact === null ? [] : [sentence(fact)];
}
