import * as z from 'zod/mini';
import type { Turn } from '#shared/domain/conversation.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import type { ObstacleReason } from '../dialogue/dialogue-record.ts';
import { type Heard, likelihood } from '../understanding/understand.ts';
import { turnsAway } from './obstacles.ts';

/* No conversation goes in circles: the limits for every model. */

export const Progress = z.object({
  /** Our turns, which bound every conversation. */
  turns: z.int(),
  /** Consecutive turns without news. */
  stalled: z.int(),
  /** Consecutive requests to repeat. */
  misheard: z.int(),
  /** Prompts that turned us away. */
  turned_away: z.int(),
  /** Prompts that were said at least twice before. */
  again: z._default(z.int(), 0),
});
export type Progress = z.infer<typeof Progress>;

export const noProgress: Progress = { turns: 0, stalled: 0, misheard: 0, turned_away: 0, again: 0 };

/** The maximum turns of ours in any conversation. */
const maxTurns = 60;
/** This many consecutive turns without news end the call. */
const mostStalled = 6;
/** A person who asks to repeat this often in a row never understands us: the line may be bad. */
const mostMisheard = 5;
/** The maximum prompts that only repeat earlier ones. */
const mostRepeated = 2;
/** How often we ask whom we have reached before we give up. */
const mostAsked = 4;
const mostAskedInAll = 2 * mostAsked;
/** A person who has turned us away this often has declined, in any words. */
const leastDeclining = 2;

/**
 * The heard words, counted before the model's turn.
 *
 * @param earlier their earlier words, prompt by prompt
 * @param isSameReply the same question got these words before
 * @param isAsked a question of ours is open, in the plan's words or others
 */
export function progressAtPrompt(
  before: Progress,
  heard: Heard,
  {
    earlier,
    isSameReply,
    isAsked,
  }: { readonly earlier: readonly string[]; readonly isSameReply: boolean; readonly isAsked: boolean },
): Progress {
  const isMisheard = likelihood(heard, 'asks-repeat', 'still-there') >= 0.5;
  const isAgain = saysAgain(heard, earlier, isAsked);
  return {
    ...before,
    misheard: isMisheard ? before.misheard + 1 : 0,
    turned_away: before.turned_away + (isAgain || turnsAway(heard) ? 1 : 0),
    again: before.again + (isAgain || isSameReply ? 1 : 0),
  };
}

/** Whether our last question got exactly these words before, however patient they sound. */
export function repliesAlike(history: readonly Turn[], { said, turn, moves }: Heard): boolean {
  // A person who asks something hears our answer.
  if (moves.every(({ isQuestion }) => isQuestion)) return false;
  const before = history.filter(({ index }) => index < turn);
  const asked = before.findLast(({ role }) => role === 'assistant')?.content;
  if (asked?.includes('?') !== true) return false;
  return before.some(
    ({ role, content }, at) =>
      role === 'assistant' &&
      content === asked &&
      before[at + 1]?.role === 'user' &&
      bare(before[at + 1]?.content ?? '') === bare(said),
  );
}

/**
 * A statement repeated verbatim for the third time: they have nothing else to say. "I don't have that" is a reply to
 * each of our questions.
 */
function saysAgain({ moves }: Heard, earlier: readonly string[], isAsked: boolean): boolean {
  const statements = moves.filter(
    ({ act, isQuestion, tokens }) =>
      !isQuestion &&
      !courteous.has(act) &&
      !(isAsked && act === 'does-not-know') &&
      tokens.length >= leastStated,
  );
  return statements.some(
    ({ text }) => earlier.filter((prompt) => bare(prompt).includes(bare(text))).length >= 2,
  );
}

const leastStated = 4;
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

/** Whether continuing is useless. */
export function isInVain({ turns, stalled, misheard, again }: Progress): boolean {
  return turns >= maxTurns || stalled >= mostStalled || misheard >= mostMisheard || again >= mostRepeated;
}

/**
 * Whether it was asked often enough whom we have reached.
 *
 * @param asked how often the person on the line was
 * @param inAll how often anyone was in this call
 */
export function isAskedEnough(asked: number, inAll: number): boolean {
  return asked >= mostAsked || inAll >= mostAskedInAll;
}

/** Acts that ask for patience or keep the line open: progress is not lacking. */
const patient = ['hold', 'back', 'acknowledges', 'yes', 'go-ahead', 'chat', 'greeting'];
/** Words that are the same in every call. */
const courteous: ReadonlySet<string> = new Set([
  ...patient,
  'invites-more',
  'offers-help',
  'still-there',
  'asks-repeat',
  'closes',
  'announcement',
]);
/** The other side is still trying. */
const trying = ['offers-opening', 'confirms-booking', 'no-availability', 'offers-waitlist'] as const;
const bringing: readonly DialogueAction['type'][] = [
  'record',
  'retract',
  'disclose',
  'press',
  'wait',
  'meet',
];

/** The effect of a model's turn. */
export function progressAfterTurn(
  before: Progress,
  actions: readonly DialogueAction[],
  heard: Heard | null,
  isVerified: boolean,
): Progress {
  const turns = before.turns + 1;
  // Before verification, only its questions are counted.
  if (heard === null || !isVerified) return { ...before, turns };
  const isPatient = heard.moves.every(({ act }) => patient.includes(act));
  const isInformed = actions.some(({ type }) => type === 'record' || type === 'disclose');
  const isTrying = likelihood(heard, ...trying) >= 0.5;
  if (isTrying || actions.some(({ type }) => bringing.includes(type)))
    return { ...before, turns, stalled: 0, again: isInformed ? 0 : before.again };
  return { ...before, turns, stalled: before.stalled + (isPatient ? 0 : 1) };
}

/** Obstacles that they put in our way. */
const declining: ReadonlySet<ObstacleReason> = new Set([
  'needs_referral',
  'portal_only',
  'needs_member',
  'member_not_found',
  'not_accepting',
  'withheld',
]);

/**
 * The actual ending: a person who turned us away, or named an obstacle and told nothing, has declined, whether we gave
 * up or ran out of questions.
 */
export function asItIs(
  action: DialogueAction,
  {
    progress,
    hasAnswer,
    obstacle,
  }: {
    readonly progress: Progress;
    /** A required item was answered. */
    readonly hasAnswer: boolean;
    readonly obstacle: ObstacleReason | null;
  },
): DialogueAction {
  if (action.type !== 'end') return action;
  const isTurnedAway = progress.turned_away >= leastDeclining;
  const isBlocked = !hasAnswer && obstacle !== null && declining.has(obstacle);
  const isDeclined =
    (action.reason === 'gave-up' && (isTurnedAway || isBlocked)) ||
    (action.reason === 'finished' && !hasAnswer && (isTurnedAway || isBlocked));
  return isDeclined ? { ...action, reason: 'declined' } : action;
}
