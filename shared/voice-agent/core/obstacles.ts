import { contentWords } from '../call-plan/words.ts';
import type { ObstacleReason } from '../dialogue/dialogue-record.ts';
import { type Token, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { plainWordsIn } from '../understanding/yes-and-no.ts';
import { isBargain } from './refusals.ts';

/* Obstacles to the goal, as an outcome with a reason and a quote, not as noise. */

const reasonOf: Readonly<Record<string, ObstacleReason>> = {
  'needs-referral': 'needs_referral',
  'portal-only': 'portal_only',
  'needs-member': 'needs_member',
  'not-found': 'member_not_found',
  'not-accepting': 'not_accepting',
  'no-availability': 'no_availability',
  'offers-waitlist': 'waitlisted',
  withholds: 'withheld',
  refuses: 'withheld',
};

const leastObstacle = 0.7;
/** A word alone names no reason. */
const leastTokens = 2;

/**
 * The obstacle that these words name, if any. That there is one may be clear although its kind is not: "not without
 * the member's consent, that's our policy".
 */
export function obstacleIn(heard: Heard): { reason: ObstacleReason; move: Move } | null {
  const named = heard.moves.filter(({ tokens }) => tokens.length >= leastTokens);
  const found = named.flatMap((move) => {
    const reason = reasonIn(move);
    return reason === null ? [] : [{ reason, move }];
  });
  // What a clause states outweighs what a question supposes, and why outweighs that they cannot.
  const rankOf = ({ reason, move }: { reason: ObstacleReason; move: Move }): number =>
    Number(move.isQuestion) * 2 + Number(reason === 'withheld');
  return found.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? null;
}

function reasonIn(move: Move): ObstacleReason | null {
  const { acts } = move;
  const reasons = Object.entries(reasonOf).map(([act, reason]) => ({
    reason,
    likelihood: acts.get(act) ?? 0,
  }));
  const sum = reasons.reduce((total, { likelihood }) => total + likelihood, 0);
  const [likeliest] = reasons.toSorted((a, b) => b.likelihood - a.likelihood);
  if (likeliest !== undefined && sum >= leastObstacle) return likeliest.reason;
  return isBargain(move) ? 'withheld' : null;
}

/**
 * Whether words turn a question away: "Not by phone, portal only" is no no to it. "Yes, with her name on the form" is a
 * yes, and "I am quoting in-network benefits" takes up the question.
 */
export function isWithheld(heard: Heard, question: string, quote: string): boolean {
  const found = obstacleIn(heard);
  const asked = new Set(contentWords(question));
  const isReply =
    heard.moves.some(({ tokens }) => plainWordsIn(tokens).size > 0) ||
    contentWords(quote).some((word) => asked.has(word));
  return found !== null && withholding.has(found.reason) && !isReply;
}

/** "That's on the portal", asked for the status of a claim: no status in other words. */
export function withholds(heard: Heard): boolean {
  const found = obstacleIn(heard);
  return found !== null && (withholding.has(found.reason) || found.reason === 'member_not_found');
}

const withholding: ReadonlySet<string> = new Set(['portal_only', 'withheld', 'needs_member']);

/** "I don't give claims to a computer": a refusal of machines, in words that name one. */
export function refusalOfMachines({ moves }: Heard): number {
  const named = moves.filter(({ tokens }) => tokens.some(namesKindOfCaller));
  return Math.max(0, ...named.map(({ acts }) => acts.get('refuses-machine') ?? 0));
}

export function namesKindOfCaller({ norm }: Token): boolean {
  return norm.split(' ').some((word) => callerWords.has(word));
}

const callerWords = wordSet(cues.caller_kinds);
const leastTurnedAway = 0.4;

/** Whether a prompt turns us away, even if the obstacle cannot be named. */
export function turnsAway({ moves }: Heard): boolean {
  return moves.some(
    ({ acts }) =>
      Object.keys(reasonOf).reduce((sum, act) => sum + (acts.get(act) ?? 0), 0) >= leastTurnedAway,
  );
}
