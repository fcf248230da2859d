import { digitsFromWords } from './numbers.ts';
import { asksWithoutMark, clauseStarts } from './spoken-clauses.ts';

/** One sentence of what a person said. */
export interface Sentence {
  /** Verbatim, without surrounding white space. */
  readonly text: string;
  /** Where it starts in what was said. */
  readonly start: number;
  /** For looking into: lower case, plain quotes, number words as digits. Not the same length as `text`. */
  readonly plain: string;
  /** Ends with a question mark or, where speech recognition writes none, is worded as a question. */
  readonly isQuestion: boolean;
}

// A full stop after one of these does not end a sentence.
const abbreviation =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|ste|ave|apt|no|nr|jr|sr|inc|llc|ext|approx|dept|vs|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|thu|fri|sat|sun|[a-z])\.$/i;

/** Splits what was said into sentences, and speech without punctuation into clauses. */
export function sentencesOf(said: string): Sentence[] {
  const isPunctuated = /[?!;]|[.,…](?=\s|$)/.test(said.replaceAll(/\b(?:[a-z]|dr|mr|mrs|ms|st)\./gi, ''));
  const sentences: Sentence[] = [];
  let start = 0;
  const finish = (end: number): void => {
    for (const [from, to] of isPunctuated ? withoutLead(said, start, end) : clausesOf(said, start, end)) {
      const raw = said.slice(from, to);
      const text = raw.trim();
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const plain = plainOf(text);
      if (plain === '') continue;
      const isQuestion = text.endsWith('?') || (!isPunctuated && asksWithoutMark(plain));
      sentences.push({ text, start: from + raw.indexOf(text), plain, isQuestion });
    }
    start = end;
  };
  for (const match of said.matchAll(/[.?!…]+["')\]]*(?=\s|$)|\n+/g)) {
    const end = match.index + match[0].length;
    if (match[0] === '.' && !endsSentence(said.slice(start, end), said.slice(end))) continue;
    finish(end);
  }
  finish(said.length);
  return sentences;
}

function clausesOf(said: string, start: number, end: number): [number, number][] {
  const starts = [0, ...clauseStarts(said.slice(start, end))].map((at) => start + at);
  return starts.map((from, index) => [from, starts[index + 1] ?? end]);
}

/**
 * "Yes, we can email it, what is the address?" is a statement and a question. Gives the stretches of the two, or the one
 * stretch that it was.
 */
function withoutLead(said: string, start: number, end: number): [number, number][] {
  const whole = said.slice(start, end);
  if (!whole.trimEnd().endsWith('?')) return [[start, end]];
  const question =
    /[,;] (?:(?:and|so|but) )?(?=(?:what(?:'s|’s)?|when|where|who(?:'s|’s)?|which|how|can|could|may|do you|does|is (?:there|that|this|it)|are you|would|why|did you (?:get|catch|hear|write)|do you want (?:me )?to (?:write|repeat|note)|shall i repeat|got (?:that|it)|how's that)\b[^,;]*\?\s*$)/i.exec(
      whole,
    );
  if (question === null) return [[start, end]];
  const lead = whole.slice(0, question.index).trim();
  const states =
    /^(?:yes|yeah|yep|no|nope|sure|okay|we|it|they|i|he|she|that|there)\b/i.test(lead) &&
    lead.split(' ').length >= 3;
  const isTag = /^[,;] (?:(?:and|so|but) )?(?:why|did you|do you want|shall i repeat|got|how's that)\b/i.test(
    whole.slice(question.index),
  );
  const cut = start + question.index;
  return states || isTag
    ? [
        [start, cut],
        [cut + 1, end],
      ]
    : [[start, end]];
}

function endsSentence(before: string, after: string): boolean {
  const next = after.trimStart();
  if (next === '') return true;
  if (/\b[ap]\.\s?m\.$/i.test(before)) {
    // "10 a.m. Tuesday" goes on, "10 a.m. Does that work?" does not.
    return /^(?:Does|Would|Is|Are|Do|Can|Could|Will|Shall|Should|What|How|Please|Thank|Let|I|We|You|That|The|It|If|And|But)\b/.test(
      next,
    );
  }
  return !abbreviation.test(before);
}

/** The form that patterns look into. */
export function plainOf(text: string): string {
  return inDigits(text).replaceAll(
    // A hyphen between two times, as in "9-11am", is spoken "to".
    /((?:^|[^\d/-])\d{1,2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?) ?[-–] ?(?=\d{1,2}(?::\d{2}| ?[ap]\.?m\b))/g,
    '$1 to ',
  );
}

const contractions: Readonly<Record<string, string>> = {
  whats: "what's",
  wheres: "where's",
  whens: "when's",
  whos: "who's",
  hows: "how's",
  thats: "that's",
  theres: "there's",
  its: "it's",
  hes: "he's",
  shes: "she's",
  lets: "let's",
  im: "i'm",
  ive: "i've",
  youre: "you're",
  youve: "you've",
  theyre: "they're",
  weve: "we've",
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  cant: "can't",
  couldnt: "couldn't",
  wont: "won't",
  wouldnt: "wouldn't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  hasnt: "hasn't",
  havent: "haven't",
};
// Speech recognition may leave the apostrophes out.
const withoutApostrophe = new RegExp(`\\b(?:${Object.keys(contractions).join('|')})\\b`, 'g');

// "the copay is, um, forty": sounds that say nothing, unlike "uh-huh".
const hesitation = /(?:^|(?<=[\s,.]))(?:um+|uh+m*|er+m*|hm+m)\b(?![- ]?(?:huh|hm))[,.…]*(?=\s|$)/g;

// "the members id": a possession whose apostrophe was left out.
const possession =
  /\b(member|patient|provider|subscriber|doctor)s (?=(?:id|i\.d|name|first|last|full|legal|date|birth|dob|phone|number|address|plan|policy|coverage|insurance|information|office|npi)\b)/g;

function inDigits(text: string): string {
  return digitsFromWords(
    text
      .toLowerCase()
      .replaceAll(/[’‘`]/g, "'")
      .replaceAll(/[“”]/g, '"')
      .replaceAll(hesitation, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replaceAll(withoutApostrophe, (word) => contractions[word] ?? word)
      .replaceAll(possession, "$1's "),
  );
}

/** The words from the first to the last of some sentences, verbatim. */
export function quoteOf(said: string, sentences: readonly Sentence[]): string {
  const [first] = sentences;
  const last = sentences.at(-1);
  if (first === undefined || last === undefined) return said.trim();
  return said.slice(first.start, last.start + last.text.length);
}
