import { type Sentence, withoutContractions } from './heard.ts';

/**
 * Patterns by which a person recognizes what is meant, as written in a person's file:
 * - words must follow one another: `office hours`; a plural is heard as well: `copay`
 * - `a/b` either word: `fax/telefax number`
 * - `stem*` any word that begins so: `deduct*`
 * - `...` up to eight other words in between: `when ... open`
 */
export interface Pattern {
  readonly steps: readonly PatternStep[];
}

interface PatternStep {
  readonly choices: readonly { readonly word: string; readonly isStem: boolean }[];
  /** Whether other words may stand before this one. */
  readonly gapBefore: boolean;
}

const longestGap = 8;

const compiled = new Map<string, Pattern>();

export function compilePattern(source: string): Pattern {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const steps: PatternStep[] = [];
  let gapBefore = false;
  for (const part of partsOf(source)) {
    if (part === '...') {
      gapBefore = true;
      continue;
    }
    const choices = part
      .split('/')
      .map((word) => ({ word: word.replace(/\*$/, ''), isStem: word.endsWith('*') }))
      .filter(({ word }) => word !== '');
    if (choices.length === 0) continue;
    steps.push({ choices, gapBefore });
    gapBefore = false;
  }
  if (steps.length === 0) throw new Error('a pattern needs at least one word');
  const pattern = { steps };
  compiled.set(source, pattern);
  return pattern;
}

/** A pattern is read as what people say is: "what's the co-pay?" is as good as `what is the copay`. */
function partsOf(source: string): string[] {
  return withoutContractions(source)
    .split(/\s+/)
    .flatMap((part) => (part === '...' || part.includes('/') ? [part] : part.split('-')))
    .map((part) => (part === '...' ? part : part.replace(/[^\p{L}\p{N}$%/*]/gu, '')))
    .filter((part) => part !== '');
}

/** The word itself, or more of it: "appointments" is heard where a pattern says `appointment`. */
function isWord(word: string, { word: wanted, isStem }: PatternStep['choices'][number]): boolean {
  if (isStem) return word.startsWith(wanted);
  return word === wanted || (wanted.length > 3 && word === `${wanted}s`);
}

/** The places of the words that matched, or null. */
export function findPattern(source: string, words: readonly string[]): readonly number[] | null {
  const { steps } = compilePattern(source);
  for (let start = 0; start < words.length; start += 1) {
    const places = matchFrom(steps, words, 0, start, false);
    if (places !== null) return places;
  }
  return null;
}

function matchFrom(
  steps: readonly PatternStep[],
  words: readonly string[],
  stepIndex: number,
  at: number,
  mayskip: boolean,
): readonly number[] | null {
  const step = steps[stepIndex];
  if (step === undefined) return [];
  const last = mayskip ? Math.min(words.length - 1, at + longestGap) : at;
  for (let place = at; place <= last; place += 1) {
    const word = words[place];
    if (word === undefined) return null;
    if (!step.choices.some((choice) => isWord(word, choice))) continue;
    const rest = matchFrom(steps, words, stepIndex + 1, place + 1, steps[stepIndex + 1]?.gapBefore ?? false);
    if (rest !== null) return [place, ...rest];
  }
  return null;
}

export function matchesAny(patterns: readonly string[], words: readonly string[]): boolean {
  return patterns.some((pattern) => findPattern(pattern, words) !== null);
}

/**
 * The candidates that a sentence matches. Drops one whose words are only part of another's: "the fax number for
 * medical records" means the records' fax number, not also the general one and the way to get records.
 */
export function meantBy<Candidate>(
  sentence: Sentence,
  candidates: readonly Candidate[],
  patternsOf: (candidate: Candidate) => readonly string[],
): Candidate[] {
  const matched = candidates.flatMap((candidate) => {
    const places = new Set(
      patternsOf(candidate).flatMap((pattern) => findPattern(pattern, sentence.words) ?? []),
    );
    return places.size === 0 ? [] : [{ candidate, places }];
  });
  return matched
    .filter(
      ({ places }) =>
        !matched.some(
          (other) => other.places.size > places.size && [...places].every((place) => other.places.has(place)),
        ),
    )
    .map(({ candidate }) => candidate);
}
