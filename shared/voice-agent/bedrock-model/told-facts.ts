import { findDays } from '../language/day-mentions.ts';
import { plainOf } from '../language/text.ts';
import type { Fact } from '../plan/call-plan.ts';
import { disclosedIn } from '../result/disclosures.ts';

/** From so many content words on, a fact is told by most of them, in whatever order. */
const longText = 4;
const toldShare = 0.6;

/**
 * The fields of the facts that words tell, however a language model puts them: beyond values as they are written, dates
 * and numbers in words, and longer texts in other words.
 */
export function toldFacts(facts: readonly Fact[], words: string, today: string): string[] {
  const plain = plainOf(words);
  const contents = contentWordsOf(plain);
  const days = new Set(findDays(plain, today, 'past').map(({ first }) => first));
  const reworded = facts.filter(
    ({ value, spoken }) => days.has(value) || isReworded(contentWordsOf(plainOf(spoken)), contents),
  );
  return [
    ...new Set([
      ...disclosedIn(words, facts),
      ...disclosedIn(plain, facts),
      ...reworded.map(({ field }) => field),
    ]),
  ];
}

function isReworded(fact: ReadonlySet<string>, said: ReadonlySet<string>): boolean {
  return fact.size >= longText && [...fact].filter((word) => said.has(word)).length / fact.size >= toldShare;
}

function contentWordsOf(plain: string): Set<string> {
  return new Set((plain.match(/[a-z']+/g) ?? []).filter((word) => word.length > 3));
}
