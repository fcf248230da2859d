import type { Fact } from '../call-plan/call-plan.ts';
import { findEntities } from '../entities/find-entities.ts';
import { tokenize } from '../entities/tokens.ts';
import { disclosedIn } from './disclosures.ts';

/** From this many longer words on, most of them tell a fact, in any order. */
const longText = 4;
const toldShare = 0.6;

/**
 * The fields of the facts that words tell, in a language model's wording: beyond literal values, dates
 * and numbers in words, and paraphrases of longer texts.
 */
export function toldFacts(facts: readonly Fact[], words: string, today: string): string[] {
  const tokens = tokenize(words);
  const inDigits = tokens.map(({ norm }) => norm).join(' ');
  const days = findEntities(tokens, { today, direction: 'past' }).map(
    ({ type, value }) => type === 'date' && value.day,
  );
  const said = longWords(words);
  const reworded = facts.filter(({ value, spoken }) => {
    const wanted = [...longWords(spoken)];
    const told = wanted.filter((word) => said.has(word)).length;
    return days.includes(value) || (wanted.length >= longText && told / wanted.length >= toldShare);
  });
  const fields = reworded.map(({ field }) => field);
  return [...new Set([...disclosedIn(words, facts), ...disclosedIn(inDigits, facts), ...fields])];
}

function longWords(text: string): Set<string> {
  return new Set(
    tokenize(text).flatMap(({ kind, norm }) => (kind === 'word' && norm.length > 3 ? [norm] : [])),
  );
}
