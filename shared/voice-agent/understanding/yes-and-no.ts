import type { Token } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };

/* The words that are a yes or a no by themselves, wherever that is asked. */

export const yesWords: ReadonlySet<string> = new Set(cues.yes.split(' '));
export const noWords: ReadonlySet<string> = new Set(cues.no.split(' '));

/** "Yes, this is …" */
export function beginsWithYes(tokens: readonly Token[]): boolean {
  return yesWords.has(firstWord(tokens));
}

/** "No, you have …" */
export function beginsWithNo(tokens: readonly Token[]): boolean {
  return noWords.has(firstWord(tokens));
}

function firstWord(tokens: readonly Token[]): string {
  return tokens.find(({ kind }) => kind === 'word')?.norm ?? '';
}
