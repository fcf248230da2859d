import { findDays } from '../language/day-mentions.ts';
import { plainOf } from '../language/text.ts';
import type { Fact } from '../plan/call-plan.ts';

/** Short words say too little to be taken for a fact unless they stand for themselves. */
const minSqueezed = 4;
/** What part of a longer text's words makes it told. */
const toldShare = 0.6;

/**
 * Facts of the plan that the words tell, however the model chose to say them: numbers written or spelled, dates as any
 * day can be said, longer texts by most of their words.
 */
export function toldFacts(facts: readonly Fact[], words: string, today: string): Fact[] {
  const plain = plainOf(words);
  const squeezed = squeeze(plain);
  const contents = contentWordsOf(plain);
  const days = new Set(findDays(plain, today, 'past').map(({ first }) => first));
  return facts.filter((fact) => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(fact.value)) return days.has(fact.value) || holds(squeezed, fact);
    return /\d/.test(fact.value) ? holds(squeezed, fact) : tellsText(plain, contents, fact);
  });
}

function holds(squeezed: string, { value, spoken }: Fact): boolean {
  return [value, spoken]
    .flatMap((text) => [squeeze(text.toLowerCase()), squeeze(plainOf(text))])
    .some(
      (text) =>
        text.length >= minSqueezed && (squeezed.includes(text) || squeezed.includes(withoutPrefix(text))),
    );
}

/** Telephone numbers are said without the country code. */
function withoutPrefix(text: string): string {
  return /^1\d{10}$/.test(text) ? text.slice(1) : text;
}

function tellsText(plain: string, contents: ReadonlySet<string>, { value, spoken }: Fact): boolean {
  const words = contentWordsOf(plainOf(spoken));
  if (words.size > 3) {
    const told = [...words].filter((word) => contents.has(word)).length;
    return told / words.size >= toldShare;
  }
  return [value, spoken].some((text) => {
    const wanted = plainOf(text).trim();
    return wanted !== '' && new RegExp(`(?<![a-z0-9])${escaped(wanted)}(?![a-z0-9])`).test(plain);
  });
}

function contentWordsOf(plain: string): Set<string> {
  return new Set((plain.match(/[a-z0-9']+/g) ?? []).filter((word) => word.length > 3 || /\d/.test(word)));
}

function squeeze(plain: string): string {
  return plain.replaceAll(/(?<=\d)(?:st|nd|rd|th)\b/g, '').replaceAll(/[^a-z0-9]/g, '');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
