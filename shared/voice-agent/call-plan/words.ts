import { tokenize, wordSet } from '../entities/tokens.ts';
import data from './en-US/words.json' with { type: 'json' };

/** The maximum characters read of one client text. */
export const maxTextLength = 4000;

const stopWords = wordSet(data.stopWords);

/** The words of a text, contractions expanded, in lower case. */
export function plainWords(text: string): string[] {
  return tokenize(text.slice(0, maxTextLength))
    .filter(({ kind, norm }) => kind === 'word' || kind === 'number' || norm === '-')
    .flatMap(({ norm }) => norm.split(' '));
}

/** Whether a text contains one of the phrases, separated by `|`. */
export function saysAny(text: string, phrases: string): boolean {
  const words = ` ${plainWords(text).join(' ')} `;
  return phrases !== '' && phrases.split('|').some((phrase) => words.includes(` ${phrase} `));
}

/** The content words of a text without endings, so that "visits" equals "visit". */
export function contentWords(text: string): string[] {
  return plainWords(text)
    .filter((word) => !stopWords.has(word))
    .map(stemOf)
    .filter((word) => word !== '-');
}

function stemOf(word: string): string {
  const ending = ['ing', 'ies', 'ed', 'es', 's'].find(
    (end) => word.length > end.length + 2 && word.endsWith(end),
  );
  const stem = ending === undefined || word.endsWith('ss') ? word : word.slice(0, -ending.length);
  return stem.endsWith('e') || stem.endsWith('y') ? stem.slice(0, -1) : stem;
}

/** "Outpatient physical therapy." in mid-sentence; a name or an abbreviation keeps its capitals. */
export function inSentence(text: string): string {
  const bare = withoutStop(text);
  const [first] = tokenize(bare);
  const isCapitalized =
    first !== undefined && first.text.length > 1 && first.text.slice(1) === first.text.slice(1).toLowerCase();
  const isName =
    first !== undefined && (data.keepsCapital.split(' ').includes(first.norm) || first.text === 'I');
  return isCapitalized && !isName ? bare.slice(0, 1).toLowerCase() + bare.slice(1) : bare;
}

export function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && ' .;,!\n'.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end).trimStart();
}

/** A question's subject, without its question words. */
export function wordsAskedFor(question: string): string[] {
  return contentWords(question).filter((word) => !amounts.has(word));
}

const amounts: ReadonlySet<string> = new Set(['how', 'much', 'many']);
