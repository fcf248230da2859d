import { plainWords } from '../call-plan/words.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phrase } from './wording.ts';

/* "Which side should I read, in network or out?", "Individual or family?": a payer lets us choose. */

export interface TierChoice {
  readonly move: Move;
  /** Our reply. */
  readonly words: string;
}

/** The choice that their words offer, if any: words for both sides around an "or", and no value. */
export function tierChoiceIn(draft: TurnDraft, heard: Heard): TierChoice | null {
  if (draft.plan.callee !== 'insurer') return null;
  for (const move of heard.moves) {
    if (move.entities.length > 0) continue;
    if (offers(move, cues.network_sides))
      return { move, words: phrase('tier_choice', isOutside(draft) ? 1 : 0) };
    if (offers(move, cues.member_sides)) return { move, words: phrase('member_choice', 0) };
  }
  return null;
}

function offers({ text }: Move, [side = '', other = '']: readonly string[]): boolean {
  const words = plainWords(text);
  const at = words.indexOf('or');
  const [before, after] = [words.slice(0, Math.max(0, at)), words.slice(at + 1)];
  const names = (said: readonly string[], words: string): boolean =>
    said.some((word) => words.split(' ').includes(word));
  return (names(before, side) && names(after, other)) || (names(before, other) && names(after, side));
}

function isOutside({ answers }: TurnDraft): boolean {
  return answers.get('in_network')?.value === false;
}

/** The words beside the choice, which may answer us. */
export function besideChoice(heard: Heard, { move }: TierChoice): Heard {
  return { ...heard, moves: heard.moves.filter((one) => one !== move) };
}
