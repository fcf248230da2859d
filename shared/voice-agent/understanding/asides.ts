import { commonWords } from '../entities/names.ts';
import { isCapitalized, type Token } from '../entities/tokens.ts';
import type { Move } from './understand.ts';

/* What the person says to somebody else in the room. */

/**
 * "Gary! Question for you!", "Hold on, I'll ask Pam. Pam?": words that call somebody, and the next ones, ask
 * us to wait. A name that is asked only once may be the patient's.
 */
export function withAsides(moves: readonly Move[]): readonly Move[] {
  const all = moves.flatMap(({ tokens }) => tokens.filter(({ kind }) => kind === 'word'));
  return moves.map((move, at) => {
    const before = moves[at - 1];
    const isAddressed = before !== undefined && calls(before, all) && move.entities.length === 0;
    return calls(move, all) || isAddressed ? asHold(move) : move;
  });
}

function calls({ tokens, acts }: Move, all: readonly Token[]): boolean {
  const [name, mark, ...rest] = tokens;
  if (name?.kind !== 'word' || mark === undefined || rest.length > 0 || !isName(name)) return false;
  if ((acts.get('introduces-person') ?? 0) < leastName) return false;
  if (mark.text === '!') return true;
  return mark.kind === 'question' && all.filter(({ norm }) => norm === name.norm).length > 1;
}

function isName({ text, norm }: Token): boolean {
  return text.length > 1 && isCapitalized(text) && text !== text.toUpperCase() && !commonWords.has(norm);
}

function asHold(move: Move): Move {
  const acts = new Map([['hold', sure]]);
  return {
    ...move,
    act: 'hold',
    confidence: sure,
    acts,
    isQuestion: false,
    requests: 0,
    asks: [],
    claims: [],
  };
}

/** A name alone resembles an introduction, "Bingo!" does not. */
const leastName = 0.3;
const sure = 0.9;
