import type { Fact, FactTopic } from '../call-plan/call-plan.ts';

/*
 * Which facts of the plan some words tell, whether or not the model declares them. Checked when
 * words are stored and again for the result, so that every spoken fact is recorded.
 */

/** Their values are ordinary words. */
const ordinaryTopics: ReadonlySet<FactTopic> = new Set(['patient-status', 'relationship', 'known-status']);
/** Shorter values may occur in a sentence by chance, unless they match exactly. */
const tellingLength = 6;
const leastLength = 3;

/**
 * The fields of the facts that `words` tell: those `declared` by the model, and those whose spoken or stored
 * value occurs in them. A value that is part of a longer one in the same words does
 * not count again.
 */
export function disclosedIn(
  words: string,
  facts: readonly Fact[],
  declared: readonly string[] = [],
): string[] {
  const found = facts.filter((fact) => isTold(fact, words));
  const told = facts.filter((fact) => declared.includes(fact.field) || found.includes(fact));
  const added = found.filter(
    (fact) =>
      !declared.includes(fact.field) &&
      !told.some((other) => other !== fact && isPartOf(fact, other, declared.includes(other.field))),
  );
  return [...new Set([...declared, ...added.map(({ field }) => field)])];
}

/**
 * The remaining disclosures of a partly heard turn. A fact whose value is not in the
 * words was told in other words, and counts as heard if anything was.
 */
export function disclosuresHeard(
  disclosed: readonly string[],
  { whole, heard }: { readonly whole: string; readonly heard: string },
  facts: readonly Fact[],
): string[] {
  if (heard === '') return [];
  return disclosed.filter((field) => {
    const known = facts.filter((fact) => fact.field === field && isTold(fact, whole));
    return known.length === 0 || known.some((fact) => isTold(fact, heard));
  });
}

function isTold({ field, topic, spoken, value }: Fact, words: string): boolean {
  // The caller's identity is no secret of the patient's.
  if (field.startsWith('project.')) return false;
  return !ordinaryTopics.has(topic) && [spoken, value].some((form) => occursIn(form, words));
}

function occursIn(form: string, words: string): boolean {
  const wanted = plain(form);
  if (wanted.length < leastLength) return false;
  if (wanted.length < tellingLength) return asWords(form).test(words);
  if (` ${plain(words)} `.includes(` ${wanted} `)) return true;
  // Identifiers, numbers and dates, in any grouping.
  const squeezed = wanted.replaceAll(' ', '').replace(/^1(?=\d{10}$)/, '');
  return /\d/.test(squeezed) && plain(words).replaceAll(' ', '').includes(squeezed);
}

function isPartOf(fact: Fact, other: Fact, otherIsDeclared: boolean): boolean {
  const inner = plain(fact.spoken);
  const outer = plain(other.spoken);
  return outer.includes(inner) && (outer !== inner || otherIsDeclared);
}

/** Lower case, without punctuation and the endings of ordinal numbers. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?<=\d)(?:st|nd|rd|th)\b/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function asWords(form: string): RegExp {
  const escaped = form.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'u');
}
