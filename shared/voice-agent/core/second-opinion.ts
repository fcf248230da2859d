import { hasQuestionMark, type Token } from '../entities/tokens.ts';
import { guess } from '../understanding/linear-model.ts';
import { reachFeatures } from '../understanding/reach-features.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';

/*
 * A second model of replies to "Have I reached …?". It has also learned from strangers who seem to say yes ("Yes, I'm
 * listening", "I do the scheduling, what color?"). A yes counts only if both models hear it.
 */

/**
 * Whether a reply as a whole is a yes.
 *
 * @param isLikely whether they have answered with a fitting kind of place, or are asked again for a yes or no
 */
export function agreesWith(heard: Heard, isLikely: boolean): boolean {
  return sureness(heard) >= (isLikely ? leastIfLikely : least);
}

/** How far a reply may count as support, 0 to 1. */
export function agreementWith(heard: Heard): number {
  return Math.min(1, sureness(heard) / fullSupport);
}

const least = 0.6;
const leastIfLikely = 0.3;
const fullSupport = 0.2;

/** Desks keep talking after their yes, so one clause that says more suffices: "Yes, you've reached Cove Bend." */
function sureness({ tokens, moves }: Heard): number {
  return moves.some(isWholeYes) ? 1 : confirms(tokens);
}

function isWholeYes({ tokens }: Move): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word').length;
  return words >= leastWords && !hasQuestionMark(tokens) && confirms(tokens) >= leastClause;
}

const leastWords = 3;
const leastClause = 0.8;

function confirms(tokens: readonly Token[]): number {
  const guesses = guess(modelOf('strangers'), reachFeatures(tokens));
  return guesses.find(({ label }) => label === 'confirms')?.confidence ?? 0;
}
