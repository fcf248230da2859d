import { isOrdinary } from '../entities/names.ts';
import { isCapitalized, type Token, wordSet } from '../entities/tokens.ts';
import names from '../language/en-US/entities/names.json' with { type: 'json' };
import type { Move } from './understand.ts';

/* What the person says to somebody else in the room. */

/**
 * "Gary! Question for you!", "Hold on, I'll ask Pam. Pam?": words that call somebody, and the next ones, ask
 * us to wait. A name that is asked only once may be the patient's.
 */
export function withAsides(moves: readonly Move[]): readonly Move[] {
  const words = moves.flatMap(({ tokens }) => tokens.filter(({ kind }) => kind === 'word'));
  const calls = ({ tokens }: Move): boolean => {
    const [name, mark, ...rest] = tokens;
    if (name === undefined || mark === undefined || rest.length > 0 || !mayBeName(name)) return false;
    const isRepeated = words.filter(({ norm }) => norm === name.norm).length > 1;
    return mark.text === '!' || (mark.kind === 'question' && isRepeated);
  };
  return moves.map((move, at) => {
    const before = moves[at - 1];
    const isAddressed = before !== undefined && calls(before) && move.entities.length === 0;
    return calls(move) || isAddressed ? asHold(move) : move;
  });
}

function mayBeName({ kind, text, norm }: Token): boolean {
  const isName = isCapitalized(text) && text !== text.toUpperCase();
  return kind === 'word' && isName && !isOrdinary(norm) && !exclamations.has(norm);
}

const exclamations = wordSet(names.exclamations);

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

const sure = 0.9;
