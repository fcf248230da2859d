/** One sentence as heard, prepared for matching. */
export interface Sentence {
  readonly text: string;
  /** Lower case, without punctuation: "What's the co-pay?" is what, is, the, co, pay. */
  readonly words: readonly string[];
  /** Whether the speaker wants something: a question, or a request without a question mark. */
  readonly asks: boolean;
}

export interface Heard {
  readonly text: string;
  readonly sentences: readonly Sentence[];
  readonly words: readonly string[];
}

export function hear(text: string): Heard {
  const sentences = splitSentences(text).map((sentence) => {
    const words = wordsOf(sentence);
    return { text: sentence, words, asks: /\?\s*$/.test(sentence) || isRequest(words) };
  });
  return { text, sentences, words: sentences.flatMap((sentence) => sentence.words) };
}

/** Periods of titles and times of day do not end a sentence. */
function splitSentences(text: string): string[] {
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\b(Dr|Mr|Mrs|Ms|St|No|Ave|vs)\./g, '$1')
    .replace(/\b([ap])\.\s?m\.?/gi, '$1m')
    .split(/(?<=[.?!;])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const contractions: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bcan['’]?t\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/\bwon['’]?t\b/g, 'will not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|could|should)n['’]t\b/g, '$1 not'],
  [/\b(what|who|where|when|how|that|it|there|here)['’]s\b/g, '$1 is'],
  [/\b(i|you|we|they)['’]d\b/g, '$1 would'],
  [/\bi['’]m\b/g, 'i am'],
  [/\b(you|we|they)['’]re\b/g, '$1 are'],
  [/\b(\w+)['’]ve\b/g, '$1 have'],
  [/\b(\w+)['’]ll\b/g, '$1 will'],
  // Idioms whose "no" refuses nothing.
  [/\b(no|not a) (problem|worries|worry|trouble|rush|hurry)\b/g, 'fine'],
  [/\b(co)[- ](pay|insurance)/g, '$1$2'],
  // Apart, because it is an authorization too.
  [/\b(pre)-?(auth|cert|approv)/g, '$1 $2'],
  // "That's all right" is not "that's all".
  [/\ball right\b/g, 'alright'],
  [/\b(e)[- ](mail)/g, '$1$2'],
  [/\b(tele)[- ](health|medicine)/g, '$1$2'],
  [/['’]s\b/g, ''],
  [/['’]/g, ''],
];

/** Lower case, with contractions expanded and spelling variants unified. */
export function withoutContractions(text: string): string {
  let plain = text.toLowerCase();
  for (const [form, full] of contractions) plain = plain.replace(form, full);
  return plain;
}

export function wordsOf(text: string): string[] {
  return withoutContractions(text)
    .split(/[^\p{L}\p{N}$%]+/u)
    .filter((word) => word !== '');
}

const questionOpeners = new Set(
  'what when where who which how why can could would will is are do does did may has have should'.split(' '),
);

/** "Is it covered?" and "so what is the fee": opens as a question, and states nothing. */
export function opensQuestion(words: readonly string[]): boolean {
  // "And what…", "So could you…": the opener may come after a filler.
  const opener = words.find(
    (word) => !['and', 'so', 'ok', 'okay', 'also', 'now', 'then', 'great'].includes(word),
  );
  const next = opener === undefined ? undefined : words[words.indexOf(opener) + 1];
  const isWish =
    (opener === 'have' && (next === 'a' || next === 'an')) || (opener === 'do' && next === 'not');
  const isPromise = opener === 'will' && next === 'do';
  return opener !== undefined && questionOpeners.has(opener) && !isWish && !isPromise;
}

function isRequest(words: readonly string[]): boolean {
  if (opensQuestion(words)) return true;
  return requests.some((expression) => expression.test(words.join(' ')));
}

const requests = [
  /\b(please|tell me|let me know|(would|need|want|like|trying|calling|looking|hoping|wanted) to)\b/,
  /\b(calling (about|for|regarding)|looking for|interested in|in need of|wonder(ing)?|give me|help me|provide)\b/,
  /\b(question(s)? (about|is|regarding)|ask(ing)? (about|if|whether|for)|whether)\b/,
];
