import type { Token } from '../entities/tokens.ts';

/** The words of tokens, contractions expanded. */
export function plainWords(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, norm }) => (kind === 'word' || kind === 'number' ? norm.split(' ') : []));
}

/** Whether words contain one of the phrases; a final star matches any ending of the last word. */
export function holdsAny(words: readonly string[], phrases: readonly string[]): boolean {
  return phrases.some((phrase) => holds(words, phrase.split(' ')));
}

function holds(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, from) => phrase.every((wanted, at) => isWord(words[from + at] ?? '', wanted)));
}

function isWord(word: string, wanted: string): boolean {
  return wanted.endsWith('*') ? word.startsWith(wanted.slice(0, -1)) : word === wanted;
}
