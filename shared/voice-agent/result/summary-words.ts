import type { CallEnding } from '#shared/domain/call-result.ts';

/** Why a conversation is over, as a sentence. */
export const endings: Record<CallEnding, string> = {
  refused: 'The person called did not want to speak with us.',
  'opted-out': 'The person called asked not to be called again.',
  'wrong-number': 'Wrong number: somebody else was reached.',
  'call-again': 'The person called asked to be called at another time.',
  voicemail: 'Reached voicemail.',
  'no-speech': 'The call was answered, but nobody spoke.',
  declined: 'The other side could not do it.',
  'gave-up': 'The conversation did not come to a result.',
  'hung-up': 'The call ended before everything was settled.',
  finished: '',
};

/** Endings before the matter came up. */
export const withoutBusiness: ReadonlySet<CallEnding> = new Set([
  'refused',
  'opted-out',
  'wrong-number',
  'call-again',
  'voicemail',
]);

/** Names of answers, if not their key; for a yes or no the meaning of each. */
export const names: Readonly<Record<string, string | readonly [yes: string, no: string]>> = {
  plan_name: 'plan',
  effective_date: 'effective since',
  in_network: ['provider in network', 'provider out of network'],
  service_covered: ['service covered', 'service not covered'],
  out_of_pocket_maximum: 'out-of-pocket maximum',
  out_of_pocket_met: 'out-of-pocket met',
  pre_authorization: ['pre-authorization required', 'no pre-authorization required'],
  referral_required: ['referral required', 'no referral required'],
  paid_amount: 'amount paid',
  authorization_process: 'How to request the pre-authorization',
  denial_reason: 'Reason for the denial',
  missing_documents: ['Missing', 'Nothing missing'],
  send_documents_to: 'Send to',
  expected_decision: 'Decision expected',
  expected_payment: 'Payment expected',
  appeal_deadline: 'Deadline for an appeal',
  instructions: 'Note for the patient',
};
