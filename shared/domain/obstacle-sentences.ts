import type { Obstacle, ObstacleReason } from './call-result.ts';

/** An obstacle as a sentence without its period. */
export const obstacleSentences: Record<ObstacleReason, string> = {
  needs_referral: 'They need a referral first',
  portal_only: 'They handle this only in another way, such as a portal, fax or mail',
  needs_member: 'They speak about this only with the patient, or with the consent of the patient',
  member_not_found: 'They could not find the patient or the case',
  not_accepting: 'They do not provide what was requested',
  no_availability: 'They have no opening',
  waitlisted: 'They only offered a waiting list',
  wrong_department: 'Another department is responsible',
  withheld: 'They do not give out the requested information',
  no_ai: 'They do not speak with automated assistants',
  call_back_at: 'They asked to be called again',
  not_verified: 'It was unclear who had answered',
};

/** An obstacle, with the quoted evidence. */
export function obstacleSentence({ reason, quote }: Pick<Obstacle, 'reason' | 'quote'>): string {
  return `${obstacleSentences[reason]}: "${quote.trim()}"`;
}
