import { hasQuestionMark, plain, type Token, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { negations, trouble } from '../understanding/features.ts';
import type { Heard, Move } from '../understanding/understand.ts';

/* Transfers: whether the call goes to another person. */

/** Whether the call is transferred after these words: a person who asks us something afterwards stays. */
export function handsOver({ moves }: Heard): boolean {
  const at = moves.findLastIndex((move) => transferOf(move) >= leastHandingOver);
  return (
    at !== -1 &&
    !moves
      .slice(at + 1)
      .some(({ isQuestion, acts }) => isQuestion && (acts.get('asks-fact') ?? 0) >= leastHandingOver)
  );
}

export const leastHandingOver = 0.65;

/** How certainly these words transfer the call, 0 to 1. */
export function transferIn({ moves }: Heard): number {
  return Math.max(0, ...moves.map(transferOf));
}

/** "I'll grab the member number too": takes a fact of the patient, and fetches nobody. */
function takesFact({ asks: [best] }: Move): boolean {
  return best !== undefined && best.confidence >= surely;
}

/**
 * "I'll try" names nobody who would come; "did they put you through?" asks about the past, and "I'm giving you
 * AG56330" gives a number.
 */
function transferOf(move: Move): number {
  const { acts, tokens, entities } = move;
  const transfers = acts.get('transfer') ?? 0;
  const said = plain(tokens).split(' ');
  const asksOfPast = hasQuestionMark(tokens) && said.includes('did');
  const givesNumber = entities.some(({ type }) => type === 'identifier');
  const isNamed = transfers >= surely || (!givesNumber && said.some((word) => transferWords.has(word)));
  return isUnable(tokens) || asksOfPast || !isNamed || putsOn(said) || takesFact(move) ? 0 : transfers;
}

/** "Let me put my glasses on": a thing of theirs, not "my manager". */
function putsOn(said: readonly string[]): boolean {
  const at = said.indexOf('put');
  return at >= 0 && said[at + 1] === 'my' && said.at(-1) === 'on' && !people.has(said[at + 2] ?? '');
}

const people = wordSet(`${cues.kin} ${cues.colleagues}`);
const surely = 0.9;
const transferWords = wordSet(cues.transfer_words);

/** "There's no transfer button", "I can't transfer you": the transfer is negated. */
function isUnable(tokens: readonly Token[]): boolean {
  const last = tokens.slice(
    tokens.findLastIndex(({ kind }, index) => kind === 'comma' && index < tokens.length - 1) + 1,
  );
  const words = plain(last).split(' ');
  const at = words.findLastIndex(
    (word, index) =>
      negations.has(word) && !words.slice(index + 1, index + 3).some((next) => trouble.has(next)),
  );
  return at >= 0 && !words.slice(at + 1).some((word) => turning.has(word));
}

/** "I don't do those, I'll get you somebody": these words start what they do instead. */
const turning: ReadonlySet<string> = new Set(['but', 'so', 'i', 'let', "let's"]);
