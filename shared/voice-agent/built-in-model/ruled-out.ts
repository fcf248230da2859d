import { wordSet } from '../entities/tokens.ts';
import { featuresOf } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import { type Move, modelOf } from '../understanding/understand.ts';

/** "I need the PIN, not the NPI": what a request rules out is not wanted. */
export function withoutRuledOut(move: Move): Move {
  const from = move.tokens.findIndex(
    ({ norm }, at) => norm === 'not' && determiners.has(move.tokens[at + 1]?.norm ?? ''),
  );
  if (from < 0) return move;
  const length = move.tokens.slice(from).findIndex(({ kind }) => kind === 'comma' || kind === 'stop');
  const to = length < 0 ? move.tokens.length : from + length;
  const tokens = [...move.tokens.slice(0, from), ...move.tokens.slice(to)];
  if (to - from > mostRuledOut || !tokens.some(({ kind }) => kind === 'word')) return move;
  const text = tokens.map((token) => token.text).join(' ');
  return { ...move, tokens, text, asks: guess(modelOf('asks'), featuresOf(tokens)) };
}

const determiners = wordSet('the your her his a an our their');
const mostRuledOut = 5;
