import { type Heard, type Sentence, wordsOf } from './heard.ts';
import { type FoundDay, findDays, sayDay } from './moment.ts';
import { digitsForWords } from './number-words.ts';
import { findPattern, matchesAny } from './pattern.ts';

/** The kind of value a person asks for, which determines how they recognize it. */
type ValueKind = 'name' | 'date' | 'identifier' | 'choice' | 'anything';

export interface Wanted {
  readonly slot: string;
  readonly hears: ValueKind;
  /** Words that announce the value when it was not asked for. */
  readonly cues: readonly string[];
  /** For `choice`: the words of each option. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** A person who refuses to go on without it knows what it is called. */
  readonly if_withheld?: 'go-on' | 'refuse';
}

/**
 * Values in what was heard, as the person would read them back. Values announced by their cue come first, so that "the
 * member ID is …" is not taken for the requested claim number; then the requested one may come without announcement.
 */
export function recognize(
  heard: Heard,
  wanted: readonly Wanted[],
  asked: string | null,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const one of wanted) {
    const value = announcedValue(heard, one);
    if (value !== null) found[one.slot] = value;
  }
  const askedFor = wanted.find((one) => one.slot === asked);
  if (askedFor !== undefined && found[askedFor.slot] === undefined) {
    // What another cue announced belongs to that one.
    const taken = new Set(Object.values(found));
    const others = wanted.filter((one) => one !== askedFor && one.hears === askedFor.hears);
    const sentences = heard.sentences.filter(
      (sentence) => !others.some((other) => matchesAny(other.cues, sentence.words)),
    );
    const value = bareValue(sentences, askedFor, taken);
    if (value !== null) found[askedFor.slot] = value;
  }
  return found;
}

function announcedValue(heard: Heard, wanted: Wanted): string | null {
  for (const [index, sentence] of heard.sentences.entries()) {
    const end = cueEnd(wanted.cues, sentence.words);
    if (end === null) continue;
    if (wanted.hears === 'anything') return '';
    const rest = textAfterWord(sentence, end);
    // "I have the member ID. It is W1234." and "July 12, 1984 is the date of birth."
    const next = heard.sentences[index + 1];
    const value =
      valueIn(rest, wanted) ??
      (wanted.hears === 'date' || wanted.hears === 'choice' ? valueIn(sentence.text, wanted) : null) ??
      (next !== undefined && /^(it|that|this) is\b/.test(next.words.join(' '))
        ? valueIn(next.text, wanted)
        : null);
    if (value !== null) return value;
  }
  return null;
}

function bareValue(
  sentences: readonly Sentence[],
  wanted: Wanted,
  taken: ReadonlySet<string>,
): string | null {
  // An answer without any form: "the assistant of a patient" to "who is calling?". A question does not count.
  if (wanted.hears === 'anything') {
    return sentences.some(({ text, words }) => words.length > 0 && !text.endsWith('?')) ? '' : null;
  }
  const unnamed = sentences.filter((sentence) => !isNamedOtherwise(sentence, wanted));
  const own = unnamed.map(({ text }) =>
    wanted.hears === 'identifier' ? withoutForeignNumbers(text, wanted) : text,
  );
  for (const text of own) {
    const value = valueIn(text, wanted);
    if (value !== null && !taken.has(value)) return value;
  }
  // Spelled out digit by digit, a pause may look like the end of a sentence.
  const joined = valueIn(own.map((text) => text.replace(/[.?!]$/, '')).join(' '), wanted);
  if (joined !== null && !taken.has(joined)) return joined;
  if (wanted.hears !== 'name') return null;
  return sentences.map(({ text }) => singleName(text)).find((name) => name !== null) ?? null;
}

/** "The NPI is 1 2 3", for a PIN */
function isNamedOtherwise({ text, words }: Sentence, { if_withheld, hears, cues }: Wanted): boolean {
  const isStrict = if_withheld === 'refuse' && hears === 'identifier';
  return isStrict && /^the [a-z ]+ (is|are) /i.test(text) && !matchesAny(cues, words);
}

function cueEnd(cues: readonly string[], words: readonly string[]): number | null {
  let end: number | null = null;
  for (const cue of cues) {
    const places = findPattern(cue, words);
    const last = places?.at(-1);
    if (last !== undefined && (end === null || last < end)) end = last;
  }
  return end;
}

/** The part of the sentence behind its n-th word. */
function textAfterWord(sentence: Sentence, wordIndex: number): string {
  const pieces = sentence.text.split(/(\s+)/);
  let count = 0;
  let rest = sentence.text;
  for (const [index, piece] of pieces.entries()) {
    count += wordsOf(piece).length;
    if (count > wordIndex) {
      rest = pieces.slice(index + 1).join('');
      break;
    }
  }
  return rest;
}

function valueIn(text: string, wanted: Wanted): string | null {
  switch (wanted.hears) {
    case 'date':
      return dateIn(text);
    case 'identifier':
      return identifierIn(text);
    case 'name':
      return nameIn(text);
    case 'choice':
      return choiceIn(text, wanted.choices);
    case 'anything':
      return '';
    default:
      return wanted.hears satisfies never;
  }
}

function choiceIn(text: string, choices: Wanted['choices']): string | null {
  const words = wordsOf(text);
  let best: { option: string; size: number } | null = null;
  for (const [option, patterns] of Object.entries(choices)) {
    const size = Math.max(0, ...patterns.map((pattern) => findPattern(pattern, words)?.length ?? 0));
    // More words say it more exactly: "not been … before" is not "been … before".
    if (size > (best?.size ?? 0)) best = { option, size };
  }
  return best?.option ?? null;
}

function dateIn(text: string): string | null {
  const { days } = findDays(text);
  const complete = days.find(
    (day): day is FoundDay & { month: number; year: number } => day.month !== null && day.year !== null,
  );
  if (complete !== undefined) return sayDay(complete, null);
  // "Two nineteen eighty-seven."
  const inFigures = /(?<!\d )\b(\d{1,2}) (\d{1,2}) (\d{4}|(?:19|20) ?\d{2}|\d{2})\b(?! \d)/.exec(
    digitsForWords(text.toLowerCase()),
  );
  if (inFigures !== null) {
    const found = findDays(`${inFigures[1]}/${inFigures[2]}/${(inFigures[3] ?? '').replace(' ', '')}`)
      .days[0];
    if (found?.month != null && found.year !== null)
      return sayDay({ ...found, month: found.month, year: found.year }, null);
  }
  // "0 7, 1 2, 1 9 8 4": eight digits, month first.
  const digits = digitsForWords(text.toLowerCase()).replace(/[\s,.-]/g, '');
  const spelled = /(?<!\d)(\d{2})(\d{2})((?:19|20)\d{2})(?!\d)/.exec(digits);
  if (spelled === null) return null;
  const [, month, day, year] = spelled.map(Number);
  if (month === undefined || day === undefined || year === undefined || month > 12 || day > 31) return null;
  return sayDay({ year, month, day }, null);
}

/** Titles and sentence openings with a capital letter that are no name. */
const notNames = new Set(
  (
    'i yes no the it its my her his she he sure okay ok thank thanks this that hello hi good great of course and ' +
    'for patient name is a an automated assistant date birth dr doctor member provider so they him perfect sorry ' +
    'last first could can would what when who how are do does wonderful excellent understood alright all right we ' +
    'you please certainly absolutely correct existing new monday tuesday wednesday thursday friday january ' +
    'february march april may june july august september october november december'
  ).split(' '),
);
const organizationWords = new Set(
  (
    'clinic health healthcare insurance center centre hospital plan medical family practice care company ' +
    'associates services'
  ).split(' '),
);

function nameIn(written: string): string | null {
  const inTwo =
    /\bfirst name\W+(?:is )?(\p{L}[\p{L}'’]+).*\b(?:last |sur|family )name\W+(?:is )?(\p{L}[\p{L}'’]+)/iu.exec(
      written,
    );
  if (inTwo !== null) return `${inTwo[1] ?? ''} ${inTwo[2] ?? ''}`;
  const text = withoutSpelling(written);
  for (const match of text.matchAll(
    /\p{Lu}[\p{L}'’-]*(?:\s+(?:\p{Lu}[\p{L}'’-]*\.?|de|van|von|la|del))*/gu,
  )) {
    const names = match[0].split(/\s+/);
    while (names[0] !== undefined && notNames.has(names[0].toLowerCase().replace(/['’]s$/, '')))
      names.shift();
    while (names.length > 0 && notNames.has(names.at(-1)?.toLowerCase() ?? '')) names.pop();
    if (names.length < 2 || names.some((name) => organizationWords.has(name.toLowerCase()))) continue;
    return names
      .slice(0, 4)
      .join(' ')
      .replace(/(['’]s|(?<=\p{Ll}{2})\.)$/u, '');
  }
  return null;
}

const spelledWord = /(?<![\p{L}'’])\p{L}(?:(?:\s?[-.,]\s?|\s)\p{L}){2,}(?![\p{L}'’])\.?/gu;

/**
 * A name that is said and spelled ("Maya, M-A-Y-A, Rivera, R-I-V-E-R-A") without the letters; one that is only spelled
 * is put together from them.
 */
function withoutSpelling(text: string): string {
  if (!spelledWord.test(text)) return text;
  const said = text
    .replace(spelledWord, ' ')
    .replace(/[,;:()]/g, ' ')
    .replace(/\s+/g, ' ');
  if (/\p{Lu}\p{Ll}+.* \p{Lu}\p{Ll}+/u.test(said.replace(/^\s*\p{L}+\s(?=\p{Ll})/u, ''))) return said;
  return text
    .replace(/(?<![\p{L}-])\p{L}(?:-\p{L})+(?![\p{L}-])/gu, joinLetters)
    .replace(/,\s+(?=\p{L}\b)/gu, ' | ')
    .replace(spelledWord, joinLetters)
    .replace(/\|/g, ' ');
}

function joinLetters(letters: string): string {
  const word = letters.replace(/[^\p{L}]/gu, '').toLowerCase();
  return ` ${word.slice(0, 1).toUpperCase()}${word.slice(1)} `;
}

function singleName(text: string): string | null {
  // "Castellan." answers the question for a name; a longer sentence has capital letters for other reasons.
  const words = wordsOf(text);
  if (words.length > 4 || text.endsWith('?')) return null;
  if (
    words.length < 4 &&
    words.length > 1 &&
    text === text.toLowerCase() &&
    !words.some((word) => notNames.has(word))
  ) {
    return words.map((word) => joinLetters(word).trim()).join(' ');
  }
  const names = [...text.matchAll(/\b\p{Lu}\p{Ll}[\p{L}'’-]*/gu)].map((match) => match[0]);
  const isName = (word: string): boolean => !notNames.has(word) && !organizationWords.has(word);
  return names.find((name) => isName(name.toLowerCase())) ?? null;
}

const foreignLabel =
  /\b(npi|cpt|procedure codes?|tax id|tin|group (number|id)|phone|callback|zip|icd|diagnosis codes?|service codes?)\b/i;

/**
 * "Codes 97110 and 97140, with Dr. Okafor, NPI 1234567893" holds no member ID: numbers behind another label
 * are none.
 */
function withoutForeignNumbers(text: string, { cues }: Wanted): string {
  const label = foreignLabel.exec(text);
  if (label === null || matchesAny(cues, wordsOf(label[0]))) return text;
  return text.slice(0, label.index);
}

/**
 * The longest run of letters and digits that could be an ID, joined: "E H P, 2 0 4 5" and "EHP-2045" both become
 * EHP2045. Days are removed first, because their digits belong to no ID.
 */
export function identifierIn(text: string): string | null {
  const withoutDays = text
    .replace(/\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/g, ' | ')
    .replace(/\b\p{Lu}\p{Ll}+\s+\d{1,2}(st|nd|rd|th)?,?\s+(19|20)\d{2}\b/gu, ' | ')
    .replace(/\b([A-Za-z]),? (?:as in|like|for) (\p{L}+)/giu, (whole, letter: string, word: string) =>
      word.toLowerCase().startsWith(letter.toLowerCase()) ? letter.toUpperCase() : whole,
    )
    .replace(/\b(dash|hyphen|minus|(and )?then|followed by)\b/gi, ' ')
    .replace(/\bdouble (\w+)/gi, '$1 $1')
    .replace(/\btriple (\w+)/gi, '$1 $1 $1');
  const tokens = digitsForWords(withoutDays)
    .split(/[\s,.;:()"“”]+/)
    .filter((token) => token !== '');
  let best = '';
  let run = '';
  for (const token of [...tokens, '|']) {
    const bare = token.replace(/[-–]/g, '').replace(/[?!]$/, '');
    const isPart = /^\p{Lu}{1,5}$|^[b-hj-z]$/u.test(bare)
      ? !notIdentifiers.has(bare)
      : /^[A-Za-z0-9]*\d[A-Za-z0-9]*$/.test(bare);
    if (isPart) {
      run += bare.toUpperCase();
      continue;
    }
    if (digitCount(run) >= 3 && run.length >= 4 && run.length > best.length) best = run;
    run = '';
  }
  return best === '' ? null : best;
}

const notIdentifiers = new Set(['I', 'ID', 'NPI', 'DOB', 'PPO', 'HMO', 'OK', 'DR', 'US', 'CPT', 'IT', 'IS']);

function digitCount(text: string): number {
  return text.replace(/\D/g, '').length;
}
