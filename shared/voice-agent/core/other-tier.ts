import { plain, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { nameWords } from './named-place.ts';

/* What is said of another tier, or of another claim, than the one we ask about. */

/** The claim model's label for it. */
export const otherTier = 'other_tier';

/** "Outside there's no copay at all, they just don't cover it": the sentence is about another tier. */
export function isOfOtherTier(move: Move, { moves }: Heard): boolean {
  const before = moves[moves.indexOf(move) - 1];
  return before?.claims[0]?.label === otherTier && before.tokens.at(-1)?.kind === 'comma';
}

/** "The other, the lab, was paid", "that one's pending, but it's not yours": said of another claim than ours. */
export function isOfOtherClaim(move: Move, heard: Heard): boolean {
  const [best] = move.claims;
  const isOther = best?.label === otherTier && best.confidence >= leastSure;
  const said = ` ${plain(move.tokens)} `;
  return isOther || isOfOtherTier(move, heard) || otherClaim.some((phrase) => said.includes(` ${phrase} `));
}

/** "The husband's done nothing", "her son has his own": said of another member of the family. */
export function isOfOtherMember(move: Move | undefined): boolean {
  const [first = '', second = ''] = nameWords(move?.tokens ?? []).map((word) => word.split("'")[0] ?? '');
  return kin.has(determining.has(first) ? second : first);
}

const kin = wordSet(cues.kin);
const determining = wordSet('the her his their');
const otherClaim: readonly string[] = cues.other_claim;
const leastSure = 0.6;
