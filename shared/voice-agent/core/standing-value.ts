import type { Entity } from '../entities/entity.ts';
import type { Token } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Move } from '../understanding/understand.ts';

/* Which of the values that a clause names stands: those that are taken back, denied or over do not. */

/** "…, so for hers it's fifty-five": said to be the patient's, or to hold today. */
export const conclusionWords: ReadonlySet<string> = new Set(words.conclusion.split(' '));

/** Of several values in one clause the one that stands: not a denied one, and after a correction the last. */
export function meantOf(candidates: readonly Entity[], { tokens }: Pick<Move, 'tokens'>): Entity {
  const [first, ...others] = candidates.filter((entity) => !isGone(entity, tokens));
  if (first === undefined) return candidates[0] as Entity;
  return (
    others.findLast((entity) =>
      tokens.some(
        (token) => token.start >= first.end && token.end <= entity.start && correctionWords.has(token.norm),
      ),
    ) ?? first
  );
}

export const correctionWords = new Set(words.correction.split(' '));
/** Those that say nothing else. */
export const regretWords: ReadonlySet<string> = new Set(words.regret.split(' '));

/** "Eighteen fifty, not the two fourteen", "it was ten dollars", "it won't be this week" */
export function isGone(entity: Entity, tokens: readonly Token[]): boolean {
  return isDenied(entity, tokens) || ahead(entity, tokens).some((word) => goneWords.has(word));
}

/** "Not the two fourteen", "it would have paid four hundred": it never was so. */
export function isDenied(entity: Entity, tokens: readonly Token[]): boolean {
  const before = ahead(entity, tokens);
  return (
    before.slice(-3).some((word) => deniedWords.has(word)) ||
    before.some((word, at) => isSupposedPast(word, before[at + 1]))
  );
}

/** "Under a thousand", "less than fifty": no value, but a bound of one. */
export function isBound(entity: Entity, tokens: readonly Token[]): boolean {
  return ahead(entity, tokens)
    .slice(-2)
    .some((word) => boundingWords.has(word));
}

/** The words before a value that belong to it: "It was ten dollars, and now it's twelve": each has words of its own. */
function ahead({ start }: Entity, tokens: readonly Token[]): string[] {
  const before = tokens.filter((token) => token.end <= start);
  return before
    .slice(before.findLastIndex(beginsAnew) + 1)
    .flatMap(({ kind, norm }) => (kind === 'word' ? norm.split(' ') : []));
}

function isSupposedPast(word: string, next: string | undefined): boolean {
  return next === 'have' && (supposedWords.has(word) || word.endsWith("'d"));
}

/** "I was wrong, the copay is …": what went before is said of something else. */
function beginsAnew({ kind, norm }: Token): boolean {
  return kind === 'number' || kind === 'comma' || (kind === 'word' && norm.split(' ').at(-1) === 'is');
}

const boundingWords = new Set(words.bounding.split(' '));
const deniedWords = new Set(['not', 'never']);
const supposedWords = new Set(words.supposed.split(' '));
const goneWords = new Set(words.gone.split(' '));
