import type { Entity } from '../entities/entity.ts';
import type { Token } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };

/* Which of a clause's values counts: withdrawn, denied and past ones do not. */

/** "…, so for hers it's fifty-five": marked as the patient's, or as current. */
export const conclusionWords: ReadonlySet<string> = new Set(words.conclusion.split(' '));

export const correctionWords = new Set(words.correction.split(' '));
/** Words that say nothing else. */
export const regretWords: ReadonlySet<string> = new Set(words.regret.split(' '));

/** "Eighteen fifty, not the two fourteen", "it was ten dollars", "it won't be this week" */
export function isGone(entity: Entity, tokens: readonly Token[]): boolean {
  return isDenied(entity, tokens) || ahead(entity, tokens).some((word) => goneWords.has(word));
}

/** "Not the two fourteen", "it would have paid four hundred": it never applied. */
export function isDenied(entity: Entity, tokens: readonly Token[]): boolean {
  const before = ahead(entity, tokens);
  return (
    before.slice(-3).some((word) => deniedWords.has(word)) ||
    before.some((word, at) => isSupposedPast(word, before[at + 1]))
  );
}

/** "Under a thousand", "less than fifty": a bound, not a value. */
export function isBound(entity: Entity, tokens: readonly Token[]): boolean {
  return ahead(entity, tokens)
    .slice(-2)
    .some((word) => boundingWords.has(word));
}

/** The words before a value that belong to it. "It was ten dollars, and now it's twelve": each has its own words. */
function ahead({ start }: Entity, tokens: readonly Token[]): string[] {
  const before = tokens.filter((token) => token.end <= start);
  return before
    .slice(before.findLastIndex(beginsAnew) + 1)
    .flatMap(({ kind, norm }) => (kind === 'word' ? norm.split(' ') : []));
}

function isSupposedPast(word: string, next: string | undefined): boolean {
  return next === 'have' && (supposedWords.has(word) || word.endsWith("'d"));
}

/** "I was wrong, the copay is …": the earlier words are about something else. */
function beginsAnew({ kind, norm }: Token): boolean {
  return kind === 'number' || kind === 'comma' || (kind === 'word' && norm.split(' ').at(-1) === 'is');
}

const boundingWords = new Set(words.bounding.split(' '));
const deniedWords = new Set(['not', 'never']);
const supposedWords = new Set(words.supposed.split(' '));
const goneWords = new Set(words.gone.split(' '));
