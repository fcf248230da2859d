import { chanceBetween } from './seeded.ts';

/** A moment of looking something up: silence in the audio, nothing in the transcript. */
const pauseMark = '[pause]';

export type Values = (placeholder: string) => string | null;

/** A phrase as spoken, and as in the file. */
export interface Chosen {
  readonly text: string;
  readonly source: string;
}

/**
 * One of the phrases, filled in. Chosen by the seed and how often this occasion came up, so that no sentence repeats
 * twice in a row. Skips phrases with a placeholder without value; null if none is left.
 */
export function choosePhrase(
  phrases: readonly string[],
  { seed, occasion, count, values }: { seed: string; occasion: string; count: number; values: Values },
): Chosen | null {
  const filled = phrases.flatMap((source): Chosen[] => {
    const text = fillPhrase(source, values);
    return text === null ? [] : [{ text, source }];
  });
  if (filled.length === 0) return null;
  const first = chanceBetween(seed, occasion, 0, filled.length - 1);
  return filled[(first + count) % filled.length] ?? null;
}

/** Names of the facts that a phrase would tell. */
export function placeholdersOf(phrase: string): string[] {
  return [...phrase.matchAll(/\{([^{}:]+)(?::[a-z]+)?\}/g)].map((match) => match[1] ?? '');
}

/** Null when a placeholder has no value. */
export function fillPhrase(phrase: string, values: Values): string | null {
  let isComplete = true;
  const text = phrase.replace(/\{([^{}:]+)(?::([a-z]+))?\}/g, (_, name: string, form: string | undefined) => {
    const value = name === 'pause' ? pauseMark : values(name);
    if (value === null || value === '') {
      isComplete = false;
      return '';
    }
    return form === 'spelled' ? spell(value) : value;
  });
  return isComplete ? text : null;
}

/** Character by character, as one dictates: "R, F, 4, 8". */
export function spell(value: string): string {
  return [...value.replace(/[^\p{L}\p{N}]/gu, '')].map((character) => character.toUpperCase()).join(' ');
}

/** What a listener would write down. */
export function withoutPauses(text: string): string {
  return text.replaceAll(pauseMark, ' ').replace(/\s+/g, ' ').trim();
}

/** The stretches of speech between pauses. */
export function speechBetweenPauses(text: string): string[] {
  return text
    .split(pauseMark)
    .map((stretch) => stretch.trim())
    .filter((stretch) => stretch !== '');
}
