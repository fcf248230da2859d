import { obstacleIn } from '../core/obstacles.ts';
import type { Heard } from '../understanding/understand.ts';
import { tell } from './facts-asked.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phrase } from './wording.ts';

/** The same obstacle named so often ends the call, and so do so many different ones. */
const mostTimes = 2;
const mostInAll = 4;
const mostWithheld = 3;

/**
 * Notes the obstacle and asks for a way round it once; when it is named again, closes kindly. Words that answer what we
 * asked are no obstacle. Returns whether the turn is decided.
 *
 * @param isAnswer the words answered our question
 */
export function meetObstacle(draft: TurnDraft, heard: Heard, isAnswer: boolean): boolean {
  const found = obstacleIn(heard);
  if (found === null || isAnswer) return false;
  const { reason, move } = found;
  draft.obstacle(reason, move.text, heard.turn);
  // Of whom they do not find nothing that they said holds.
  if (reason === 'member_not_found') draft.memory.leaned = {};
  // A person who asks us for something is still looking for a way.
  if (draft.hasSpoken) return false;
  // A claim that they do not find has a status; they are asked for it before another way.
  const { claim_status: askedStatus = 0 } = draft.memory.attempts;
  if (reason === 'member_not_found' && draft.item('claim_status') !== undefined && askedStatus === 0)
    return false;
  const { obstacles, pending } = draft.memory;
  const most = reason === 'withheld' ? mostWithheld : mostTimes;
  const inAll = Object.values(obstacles).reduce((sum, count) => sum + count, 0);
  if (
    (obstacles[reason] ?? 0) >= most ||
    inAll >= mostInAll ||
    (draft.memory.attempts.instead ?? 0) >= mostTimes
  ) {
    draft.followUp(`They said: "${move.text}"`);
    draft.end('declined', 'follow-up');
    return true;
  }
  // One thing that they do not tell is no reason not to ask the next.
  if (reason === 'withheld' && (pending === 'instead' || draft.answers.size > 0)) return false;
  const isTold = draft.view.facts.some(
    ({ topic, field }) => topic === 'referral' && draft.view.told.includes(field),
  );
  if (reason === 'needs_referral' && !isTold && tell(draft, 'referral')) return true;
  const { attempts } = draft.memory;
  attempts.instead = (attempts.instead ?? 0) + 1;
  draft.say(phrase('instead', attempts.instead - 1), { kind: 'question' });
  draft.memory.pending = 'instead';
  return true;
}
