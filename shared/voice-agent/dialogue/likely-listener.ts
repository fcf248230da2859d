import type { AnsweredBy } from '#shared/domain/call.ts';
import type { DialogueInput } from './dialogue-model.ts';

/**
 * The verdict of answering-machine detection on the person on the line now:
 * - `human`: a person answered
 * - `machine`: a mailbox, a menu, or a person who sounds like a recording; about one verdict in ten is wrong
 * - `fax`: a fax machine
 */
export type LikelyListener = Exclude<AnsweredBy, 'unknown'>;

/**
 * The verdict while it is relevant, else null. It is about the person who answered, by their first words:
 * after a reply to words of ours beyond the opening, or after our keys, the words heard are better evidence,
 * and the person may be another one.
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
