import type { Called, Callee } from '../call-plan/call-plan.ts';
import type { Guess } from '../understanding/linear-model.ts';
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { beginsWithNo, beginsWithYes } from '../understanding/yes-and-no.ts';
import { isBystander } from './bystander.ts';
import { asksOfUs, saysOwnName } from './explicit-yes.ts';
import { asksAboutPlace, fits, isOnlyName, namesBusiness, onlyNamesPerson } from './named-place.ts';
import { obstacleIn, refusalOfMachines } from './obstacles.ts';
import { leastPlainYes, reachGuesses, reachReply } from './reach-reply.ts';

/* Whether words deny that we have reached the right party. */

/** Where verification stands. */
interface Verifying {
  readonly status: 'unverified' | 'verified' | 'wrong';
  /** Our last words asked whom we have reached. */
  readonly is_asked: boolean;
}

/** A no to our verification question, or a person who denies being the right party unasked. */
export function isDenied(before: Verifying, heard: Heard, called: Called): boolean {
  const stranger = likelihood(heard, 'wrong-number');
  if (before.status === 'verified') return strangenessOf(heard) >= surelyStranger || isBystander(heard);
  if (called.callee === 'office' && namesBusiness(heard)) return false;
  // "No, not by phone. Yes, this is Harbor Mutual": the last of them replies to our question.
  const last = heard.moves.findLast(
    (move) => beginsWithYes(move.tokens) || beginsWithNo(move.tokens) || isSurelyWrong(move),
  );
  const saysYes =
    last === undefined
      ? before.is_asked && reachReply(heard).label === 'confirms'
      : beginsWithYes(last.tokens) && !last.isQuestion;
  // "Yes, of course. Without the member present I tell nothing": a person with rules for our matter is the right party.
  if (saysYes)
    return stranger >= surelyStranger && denialIn(heard, called) >= mostDenying && obstacleIn(heard) === null;
  // "I don't do computers. Somebody can pick up a phone" refuses machines and denies nothing.
  if (stranger >= leastStranger && stranger > refusalOfMachines(heard)) return true;
  // A referral to another desk or time, an answer or a no to our request does not deny who they are.
  const isOther =
    likelihood(heard, 'wrong-department', 'transfer', 'hold', 'call-back-later') >= 0.4 ||
    likelihood(heard, 'refuses-machine', 'opts-out') >= 0.9;
  const answers = heard.moves.some(({ claims: [best] }) => best !== undefined && speaksOfItem(best));
  return (
    before.is_asked &&
    !isOther &&
    !answers &&
    obstacleIn(heard) === null &&
    reachReply(heard).label === 'denies' &&
    denialIn(heard, called) >= mostDenying
  );
}

/** "You've got the wrong company." */
function isSurelyWrong({ acts }: Move): boolean {
  return (acts.get('wrong-number') ?? 0) >= surelyWrong;
}

const surelyWrong = 0.95;

/** How certainly several clauses together say that this is the wrong number. */
function strangenessOf({ moves }: Heard): number {
  const shares = moves.map(({ acts }) => acts.get('wrong-number') ?? 0).filter((share) => share >= leastHint);
  return 1 - shares.reduce((rest, share) => rest * (1 - share), 1);
}

const leastHint = 0.3;
const leastStranger = 0.65;
export const surelyStranger = 0.9;

export function speaksOfItem({ label, confidence }: Guess): boolean {
  return confidence >= 0.7 && label !== 'none' && label !== 'bare';
}

/**
 * How much these words deny that we have reached the right party, 0 to 1: "The claims office is one digit off, we sell
 * tires" names the place, and is another. Naming a fitting place denies nothing, unless they say no.
 */
export function denialIn(heard: Heard, called: Called): number {
  const denies = reachGuesses(heard.tokens).get('denies') ?? 0;
  const isNo = heard.moves.some(({ tokens }) => beginsWithNo(tokens));
  const place = Math.max(0, ...heard.moves.map((move) => placeFit(move, called.callee)));
  return isNo ? denies : denies * (1 - (saysName(heard, called) ? 1 : place));
}

/** Who says the name of the place and nothing else does not deny that it is theirs: not "Cove Bend moved out". */
export function saysName({ moves }: Heard, called: Called): boolean {
  return moves.some((move) => saysOwnName(move, called) && isOnlyName(move, called));
}

/** From this on, a reply proves nothing. */
export const mostDenying = 0.3;

/** How certainly a move names a fitting place. */
export function placeFit(move: Move, callee: Callee): number {
  if (asksAboutPlace(move) || asksOfUs(move) || onlyNamesPerson(move)) return 0;
  const said = (move.acts.get('introduces-place') ?? 0) + (move.acts.get('yes') ?? 0);
  const named = Math.max(said, beginsWithYes(move.tokens) ? leastPlainYes : 0);
  return named * fits(move, callee);
}
