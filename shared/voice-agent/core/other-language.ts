import { isCapitalized, type Token } from '../entities/tokens.ts';
import spanish from '../language/es/greetings.json' with { type: 'json' };

const { greetings, replies, waits, recordings, mailboxes } = spanish;
const examples = [...greetings, ...replies, ...waits, ...recordings, ...mailboxes].map(plainWords);
const wholeExamples = new Set(examples.map((words) => words.join(' ')));
/** Words that also occur in Spanish names: they support others and prove nothing alone. */
const inNames = new Set(spanish.inNames.split(' '));
const alsoEnglish = new Set(spanish.alsoEnglish.split(' '));
const spanishWords = new Set([...examples.flat(), ...spanish.common.split(' ')]);

/**
 * The share of unambiguous words that must be Spanish: English sentences also contain names and
 * loanwords.
 */
const leastShare = 0.7;
/** English speakers also say two words: "muy bien". */
const leastWords = 3;

/**
 * The language of the words other than English; null for English, and if unclear.
 * Common words and those of the examples count for Spanish, shared words and names count
 * for neither, all others against it.
 */
export function otherLanguage({
  tokens,
}: {
  readonly tokens: readonly Pick<Token, 'kind' | 'text'>[];
}): 'es' | null {
  const spoken = tokens.filter(({ kind }) => kind === 'word');
  if (wholeExamples.has(spoken.flatMap(({ text }) => plainWords(text)).join(' '))) return 'es';
  const telling = tokens.flatMap(({ kind, text }, at) =>
    kind !== 'word' || (isCapitalized(text) && tokens[at - 1]?.kind === 'word') ? [] : plainWords(text),
  );
  const count = (holds: (word: string) => boolean): number => telling.filter(holds).length;
  const found = count((word) => spanishWords.has(word) && !alsoEnglish.has(word) && !inNames.has(word));
  const supported = found + count((word) => inNames.has(word));
  const against = count((word) => !spanishWords.has(word) && !alsoEnglish.has(word) && !inNames.has(word));
  return found >= leastWords && supported >= (supported + against) * leastShare ? 'es' : null;
}

/** In lower case and without accents, which speech recognition uses inconsistently. */
function plainWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .match(/\p{L}+/gu) ?? []
  );
}
