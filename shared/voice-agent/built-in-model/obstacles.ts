import { isClientsOwn } from '../call-plan/call-plan.ts';
import { obstacleIn } from '../core/obstacles.ts';
import { hasQuestionMark } from '../entities/tokens.ts';
import { relevanceOf } from '../understanding/answer-relevance.ts';
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { sayUnknown, tell } from './facts-asked.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phrase } from './wording.ts';

/** The same obstacle named this often ends the call, and so do as many different ones. */
const mostTimes = 2;
const mostInAll = 4;
const mostWithheld = 3;

/**
 * Records the obstacle and asks once for a way around it; if repeated, closes politely. Words that answer our
 * question are not an obstacle. Returns whether the turn is decided.
 *
 * @param isAnswer the words answered our question
 */
export function meetObstacle(draft: TurnDraft, heard: Heard, isAnswer: boolean): boolean {
  const found = obstacleIn(heard);
  if (found === null || isAnswer) return false;
  const { reason, move } = found;
  if (move.isQuestion) return reason === 'needs_referral' && tellOfReferral(draft, move);
  // A person who has told us something withholds only what was asked.
  if (reason === 'withheld' && hasAnswered(draft)) return false;
  record(draft, found, heard.turn);
  // A person who requests something is still looking for a way.
  if (draft.hasSpoken) return false;
  // A claim they cannot find has a status, which is asked before another way.
  const { claim_status: askedStatus = 0 } = draft.memory.attempts;
  if (reason === 'member_not_found' && draft.item('claim_status') !== undefined && askedStatus === 0)
    return false;
  const { obstacles } = draft.memory;
  const most = reason === 'withheld' ? mostWithheld : mostTimes;
  const inAll = Object.values(obstacles).reduce((sum, count) => sum + count, 0);
  if (
    (obstacles[reason] ?? 0) >= most ||
    inAll >= mostInAll ||
    (draft.memory.attempts.instead ?? 0) >= mostTimes
  ) {
    decline(draft, move);
    return true;
  }
  const isTold = draft.view.facts.some(
    ({ topic, field }) => topic === 'referral' && draft.view.told.includes(field),
  );
  if (reason === 'needs_referral' && !isTold && tell(draft, 'referral')) return true;
  if (saysGoodbye(heard)) {
    decline(draft, move);
    return true;
  }
  const { attempts } = draft.memory;
  attempts.instead = (attempts.instead ?? 0) + 1;
  draft.say(phrase('instead', attempts.instead - 1), { kind: 'question' });
  draft.memory.pending = 'instead';
  return true;
}

function decline(draft: TurnDraft, { text }: Move): void {
  draft.followUp(`They said: "${text}"`);
  draft.end('declined', 'follow-up');
}

/** "Not without that number. Goodbye now." */
export function saysGoodbye(heard: Heard): boolean {
  return likelihood(heard, 'closes') >= leastClosing && likelihood(heard, 'invites-more') < leastInviting;
}

const leastClosing = 0.6;
const leastInviting = 0.4;

function record(
  draft: TurnDraft,
  { reason, move }: NonNullable<ReturnType<typeof obstacleIn>>,
  turn: number,
): void {
  draft.obstacle(reason, move.text, turn);
  // Nothing they said applies to a person they cannot find.
  if (reason === 'member_not_found') draft.memory.leaned = {};
}

/** "I've tried it by her birth date. There's no such member": asks for none of it again, though it may sound so. */
export function noteNotFound(draft: TurnDraft, heard: Heard): void {
  const found = obstacleIn(heard);
  const asks = heard.moves.some(({ tokens }) => hasQuestionMark(tokens));
  if (found?.reason === 'member_not_found' && !found.move.isQuestion && !asks)
    record(draft, found, heard.turn);
}

/**
 * "It has to be the release form", asked which form, takes up our question. "Not just anybody, no. What else?", "that
 * checks, fire away": nothing but the patient's missing consent stops a person who wants our next question.
 */
export function isOfOneQuestion(draft: TurnDraft, heard: Heard, isInvited: boolean): boolean {
  const found = obstacleIn(heard);
  const asked = draft.pendingItem;
  const isTakenUp = asked?.kind === 'text' && isClientsOwn(asked) && found !== null;
  if (isTakenUp && relevanceOf(asked.question, found.move.tokens) >= leastTakenUp) return true;
  const isToGoAhead = likelihood(heard, 'go-ahead') >= leastAhead;
  const isForNext = draft.plan.callee === 'office' && found?.reason !== 'needs_member';
  return isToGoAhead || (isInvited && isForNext && !isOfAll(draft, found !== null));
}

/** Who has answered nothing and turns us away twice turns all away, however kindly they ask for the next question. */
function isOfAll(draft: TurnDraft, isTurnedAway: boolean): boolean {
  const { attempts } = draft.memory;
  attempts.turned_away = (attempts.turned_away ?? 0) + (isTurnedAway ? 1 : 0);
  return attempts.turned_away >= mostTimes && !hasAnswered(draft);
}

function hasAnswered({ answers }: TurnDraft): boolean {
  return [...answers.values()].some(({ needs_review }) => !needs_review);
}

const leastAhead = 0.7;
const leastTakenUp = 0.35;

/** "There a doctor's order for it?" asks for one, without which they may go on. */
function tellOfReferral(draft: TurnDraft, move: Move): boolean {
  return draft.hasSpoken || tell(draft, 'referral') || sayUnknown(draft, 'referral', move);
}
