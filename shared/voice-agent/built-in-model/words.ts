import type { Token } from '../entities/tokens.ts';

/** The words of tokens, contractions in full. */
export function plainWords(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, norm }) => (kind === 'word' || kind === 'number' ? norm.split(' ') : []));
}

/** Whether words hold one of some phrases; a star at the end of a phrase stands for any ending of its last word. */
export function holdsAny(words: readonly string[], phrases: readonly string[]): boolean {
  return phrases.some((phrase) => holds(words, phrase.split(' ')));
}

function holds(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, from) => phrase.every((wanted, at) => isWord(words[from + at] ?? '', wanted)));
}

function isWord(word: string, wanted: string): boolean {
  return wanted.endsWith('*') ? word.startsWith(wanted.slice(0, -1)) : word === wanted;
}
