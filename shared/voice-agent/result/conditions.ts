import { contentWords } from '../call-plan/words.ts';
import { plain, type Token, wordSet } from '../entities/tokens.ts';
import words from '../language/en-US/conditions.json' with { type: 'json' };
import { isAkin } from '../understanding/polarity-features.ts';
import type { Heard, Move } from '../understanding/understand.ts';

/*
 * "Yes, as long as she stays in the network" is not a yes. Few, constant words make a condition, so
 * they are looked up, not guessed.
 */

const phrases = words.phrases.map((phrase) => phrase.split(' '));
const asking = wordSet(words.asking);
const polite = wordSet(words.polite);
const pronouns = wordSet(words.pronouns);
const suiting = wordSet(words.suiting);

/**
 * A clause with its condition, verbatim; null without one. A condition in the following
 * clause belongs to it.
 */
export function conditionIn(
  { question, isYesOrNo }: { readonly question: string; readonly isYesOrNo: boolean },
  move: Move,
  { said, moves }: Heard,
): string | null {
  const next = moves[moves.indexOf(move) + 1];
  // A separate sentence with "if" starts something else.
  const endsSentence = move.tokens.at(-1)?.kind === 'stop';
  if (next !== undefined && isBareCondition(next, isYesOrNo && !endsSentence, question))
    return said.slice(move.start, next.end);
  return isConditional(move, isYesOrNo, question) ? move.text : null;
}

/**
 * "No charge if it goes to another doctor", asked for the fee when records go to another doctor. "Unless" and "except"
 * turn the answer around instead.
 */
function isOfQuestion(question: string, tokens: readonly Token[], at: number): boolean {
  const asked = contentWords(question);
  const words = contentWords(plain(tokens.slice(at)));
  const taken = words.filter((word) => asked.some((one) => isAkin(one, word))).length;
  return taken >= fewestTaken && words.length - taken <= mostOther;
}

const fewestTaken = 2;
const mostOther = 1;

/** A bare "if" limits a yes or no; a value only beside another one: "forty if it is a specialist, twenty if not". */
function isConditional({ tokens, entities }: Move, isYesOrNo: boolean, question: string): boolean {
  if (tokens.some((_, at) => startsCondition(tokens, at))) return true;
  const values = new Set(entities.map(({ type, value }) => `${type} ${JSON.stringify(value)}`));
  const types = new Set(entities.map(({ type }) => type));
  return (
    (isYesOrNo || values.size > types.size) && tokens.some((_, at) => isLimitingIf(tokens, at, question))
  );
}

/** "… as long as she stays in the network." */
function isBareCondition({ tokens }: Move, mayBeIf: boolean, question: string): boolean {
  const first = tokens.findIndex(({ kind }) => kind === 'word');
  return startsCondition(tokens, first) || (mayBeIf && isLimitingIf(tokens, first, question));
}

function startsCondition(tokens: readonly Token[], at: number): boolean {
  return phrases.some((phrase) => phrase.every((word, offset) => tokens[at + offset]?.norm === word));
}

/**
 * Not the "if" of "I will see if it is", nor of "if you need one", "if that works", "if that's any good", a truncated
 * "if that", and the question's own condition.
 */
function isLimitingIf(tokens: readonly Token[], at: number, question: string): boolean {
  const [, next = '', verb, how = ''] = tokens
    .slice(at)
    .filter(({ kind }) => kind === 'word')
    .flatMap(({ norm }) => norm.split(' '));
  const isSuited = verb === 'is' && suiting.has(how);
  const isPolite = pronouns.has(next) && (verb === undefined || isSuited || polite.has(verb));
  if (tokens[at]?.norm !== 'if' || isPolite || asking.has(tokens[at - 1]?.norm ?? '')) return false;
  return !isOfQuestion(question, tokens, at);
}
