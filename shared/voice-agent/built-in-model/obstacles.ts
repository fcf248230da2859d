import type { ObstacleReason } from '../dialogue/dialogue-record.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { tell } from './facts-asked.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phrase } from './wording.ts';

/* What stands in the way of the goal, as an outcome with a reason and a quote, not as noise. */

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

const leastObstacle = 0.55;
/** The same obstacle named so often ends the call. */
const mostTimes = 2;
const mostWithheld = 3;

/**
 * The obstacle that these words name, if any. That there is one may be clear where it is not clear which: "not without
 * the member's consent, that's our policy".
 */
export function obstacleIn(heard: Heard): { reason: ObstacleReason; move: Move } | null {
  for (const move of heard.moves) {
    const reasons = Object.entries(reasonOf).map(([act, reason]) => ({
      reason,
      likelihood: move.acts.get(act) ?? 0,
    }));
    const sum = reasons.reduce((total, { likelihood }) => total + likelihood, 0);
    const [likeliest] = reasons.sort((a, b) => b.likelihood - a.likelihood);
    if (likeliest !== undefined && sum >= leastObstacle) return { reason: likeliest.reason, move };
  }
  return null;
}

const leastTurnedAway = 0.4;

/** Counts prompts that turn us away, also those whose obstacle is not clear enough to be named. */
export function countTurningAway({ memory }: TurnDraft, heard: Heard): void {
  const sumOf = ({ acts }: Move): number =>
    Object.keys(reasonOf).reduce((sum, act) => sum + (acts.get(act) ?? 0), 0);
  if (heard.moves.some((move) => sumOf(move) >= leastTurnedAway)) memory.turned_away += 1;
}

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
  // Whoever asks us for something is still looking for a way.
  if (draft.hasSpoken) return false;
  const { obstacles, pending } = draft.memory;
  const withheld = obstacles.withheld ?? 0;
  const others = Object.values(obstacles).reduce((sum, count) => sum + count, 0) - withheld;
  if (withheld >= mostWithheld || others >= mostTimes) {
    draft.followUp(`They said: "${move.text}"`);
    draft.end('declined', 'follow-up');
    return true;
  }
  // One thing that they do not tell is no reason not to ask the next.
  if (reason === 'withheld' && (pending === 'instead' || draft.answers.size > 0)) return false;
  if (reason === 'needs_referral' && tell(draft, 'referral')) return true;
  draft.say(phrase('instead', 0), { kind: 'question' });
  draft.memory.pending = 'instead';
  return true;
}
