import type { AnsweredBy } from '#shared/domain/call.ts';
import type { DialogueInput } from './dialogue-model.ts';

/**
 * What answering-machine detection says about the person on the line now:
 * - `human`: somebody picked up
 * - `machine`: a mailbox, or a menu, or somebody who talks like a recording; about one verdict in ten is wrong
 * - `fax`: a fax machine
 */
export type LikelyListener = Exclude<AnsweredBy, 'unknown'>;

/**
 * The verdict while it means anything, else null. It is about the person who picked up, by their first words:
 * once somebody has spoken after words of ours that were not the opening, or after our keys, what was heard tells more,
 * and it may be somebody else.
 */
export function likelyListener({
  answeredBy,
  history,
  event,
}: Pick<DialogueInput, 'answeredBy' | 'history' | 'event'>): LikelyListener | null {
  if (answeredBy === null || answeredBy === 'unknown') return null;
  const roles = history.map(({ role }) => role);
  if (event.type === 'heard') roles.push('user');
  const afterOpening = roles.slice(roles.indexOf('assistant') + 1);
  const ours = afterOpening.indexOf('assistant');
  const hasAnswered = ours >= 0 && afterOpening.indexOf('user', ours) >= 0;
  return hasAnswered ? null : answeredBy;
}
