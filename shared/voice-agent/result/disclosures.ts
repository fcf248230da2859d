import type { Fact, FactTopic } from '../call-plan/call-plan.ts';

/*
 * Which facts of the plan words tell, whether or not the model that chose the words says so. It is looked for when
 * words are written down and again when the result is made, so that nothing spoken goes unrecorded.
 */

/** Their values are words like any other. */
const ordinaryTopics: ReadonlySet<FactTopic> = new Set(['patient-status', 'relationship', 'known-status']);
/** Anything shorter may stand in a sentence by chance, unless it is written in exactly the same way. */
const tellingLength = 6;
const leastLength = 3;

/**
 * The fields of the facts that `words` tell: those `declared` by the model, and those whose value, as it is
 * spoken or as it is stored, occurs in them. A value that is part of a longer one told in the same words is
 * not counted again.
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
 * What is left of the disclosures of a turn of which only the beginning was heard. A fact whose value stands nowhere in
 * the words was told in others, and counts as heard when anything was.
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
  // Who calls is no secret of the patient's.
  if (field.startsWith('project.')) return false;
  return !ordinaryTopics.has(topic) && [spoken, value].some((form) => occursIn(form, words));
}

function occursIn(form: string, words: string): boolean {
  const wanted = plain(form);
  if (wanted.length < leastLength) return false;
  if (wanted.length < tellingLength) return asWords(form).test(words);
  if (` ${plain(words)} `.includes(` ${wanted} `)) return true;
  // Identifiers, numbers and dates, however their characters are put in groups.
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
