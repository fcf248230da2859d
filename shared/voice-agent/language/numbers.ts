/*
 * Speech recognition writes numbers sometimes as digits and sometimes as words. Everything that looks for numbers works
 * on digits, so words are turned into them first: "ten thirty" → "10 30", "fifteen hundred dollars" → "1500 dollars".
 */

const units = new Map(
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map((word, value) => [
    word,
    value,
  ]),
);
const teens = new Map(
  [
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
    'sixteen',
    'seventeen',
    'eighteen',
    'nineteen',
  ].map((word, value) => [word, value + 10]),
);
const tens = new Map(
  ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].map((word, index) => [
    word,
    (index + 2) * 10,
  ]),
);
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
]);

const ordinalUnits = new Map(
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'].map(
    (word, index) => [word, index + 1],
  ),
);
const ordinalTeens = new Map(
  [
    'tenth',
    'eleventh',
    'twelfth',
    'thirteenth',
    'fourteenth',
    'fifteenth',
    'sixteenth',
    'seventeenth',
    'eighteenth',
    'nineteenth',
  ].map((word, index) => [word, index + 10]),
);
const ordinalTens = new Map([
  ['twentieth', 20],
  ['thirtieth', 30],
]);

interface Word {
  /** Lower case, without punctuation around it. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** What stands between the previous word and this one. */
  readonly gap: string;
}

/** Rewrites number words and ordinal words of a lower-case text as digits; everything else stays as it is. */
export function digitsFromWords(original: string): string {
  const text = original.replaceAll(
    /(\d+(?:\.\d+)?) (hundred|thousand|million)\b/g,
    (_, number: string, scale: string) => String(Number(number) * (scales.get(scale) ?? 1)),
  );
  const words = wordsOf(text);
  let result = '';
  let copied = 0;
  for (let position = 0; position < words.length; ) {
    const run = numberRun(words, position);
    const [first] = run.words;
    const last = run.words.at(-1);
    if (first === undefined || last === undefined || run.text === null) {
      position += 1;
      continue;
    }
    result += text.slice(copied, first.start) + run.text;
    copied = last.end;
    position += run.words.length;
  }
  return result + text.slice(copied);
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let previousEnd = 0;
  for (const match of text.matchAll(/[a-z']+|\d+/g)) {
    words.push({
      word: match[0],
      start: match.index,
      end: match.index + match[0].length,
      gap: text.slice(previousEnd, match.index),
    });
    previousEnd = match.index + match[0].length;
  }
  return words;
}

function isNumberWord(word: string): boolean {
  return units.has(word) || teens.has(word) || tens.has(word);
}

/** The longest run of number words from a position on, and its digits; `text: null` when the words mean something else. */
function numberRun(words: readonly Word[], from: number): { words: Word[]; text: string | null } {
  const taken: Word[] = [];
  for (let position = from; position < words.length; position += 1) {
    const current = words[position];
    if (current === undefined) break;
    if (position > from && !/^[\s-]+$/.test(current.gap)) break;
    const next = words[position + 1];
    const previous = taken.at(-1);
    const belongs =
      isNumberWord(current.word) ||
      (scales.has(current.word) && previous !== undefined) ||
      (current.word === 'a' && next !== undefined && scales.has(next.word) && previous === undefined) ||
      (current.word === 'and' &&
        previous !== undefined &&
        scales.has(previous.word) &&
        next !== undefined &&
        isNumberWord(next.word) &&
        /^\s+$/.test(next.gap)) ||
      (/^(oh|o)$/.test(current.word) &&
        previous !== undefined &&
        next !== undefined &&
        (isNumberWord(next.word) || /^(oh|o)$/.test(next.word))) ||
      // "twenty first" is one word in two; "one second" is not.
      (isOrdinal(current.word) && (previous === undefined || tens.has(previous.word)));
    if (!belongs) break;
    taken.push(current);
    if (isOrdinal(current.word)) break;
  }
  if (taken.length === 0) return { words: taken, text: null };
  const before = words[from - 1]?.word ?? '';
  const after = words[from + taken.length];
  const next = words[from + taken.length + 1]?.word ?? '';
  return { words: taken, text: digitsOf(taken, before, after?.word ?? '', next) };
}

function isOrdinal(word: string): boolean {
  return ordinalUnits.has(word) || ordinalTeens.has(word) || ordinalTens.has(word);
}

const monthWords =
  /^(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/;
const weekdayWords = /^(monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/;

/** "one" and the small ordinals are numbers only in the company of a number's neighbours. */
function digitsOf(taken: readonly Word[], before: string, after: string, next: string): string | null {
  const [first] = taken;
  if (first === undefined) return null;
  if (taken.length === 1 && first.word === 'one') {
    // "which one am I" is no time.
    if (/^(which|that|this|no|the|any|each|every|last|next|only|other|another|new|same)$/.test(before))
      return null;
    const counts =
      /^(at|around|about|by|until|till)$/.test(before) && !/^(of|moment|second|minute|sec)$/.test(after);
    const measured =
      /^(o'clock|am|pm|a|p|dollars?|percent|hundred|thousand|visits?|days?|weeks?|months?|business|\d+)$/.test(
        after,
      );
    return counts || measured || /^\d+$/.test(before) ? '1' : null;
  }
  if (taken.length === 1 && isOrdinal(first.word)) {
    const isDay =
      monthWords.test(before) ||
      weekdayWords.test(before) ||
      (before === 'the' && isDayBefore(first.word, after, next));
    // "the fifteenth" can hardly be anything but a day, "the first" and "a second" can.
    const isBig = ordinalTeens.has(first.word) || ordinalTens.has(first.word);
    return isDay || (isBig && before === 'the') ? ordinalText(0, first.word) : null;
  }
  return runDigits(taken.map(({ word }) => word));
}

/** "the third at nine" is a day; "the first is on Tuesday" and "the first and last name" are not. */
function isDayBefore(word: string, after: string, next: string): boolean {
  if (/^(?:of|at|through|to)$/.test(after) || after === '') return true;
  if (/^(?:or|and)$/.test(after)) return /^(?:the|\d+)$/.test(next) || isOrdinal(next);
  return (
    !/^(?:first|second|third)$/.test(word) &&
    /^(?:in|is|works?|would|does|for|just|yep|yes|yeah|so|but|it|it's|that's|we|they|she|he|i|anything|what|then|okay|there)$/.test(
      after,
    )
  );
}

function ordinalText(base: number, word: string): string {
  const value = base + (ordinalUnits.get(word) ?? ordinalTeens.get(word) ?? ordinalTens.get(word) ?? 0);
  return `${value}${ordinalSuffix(value)}`;
}

/** `st`, `nd`, `rd` or `th` */
export function ordinalSuffix(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}

/**
 * Reads number words as people say them: words that combine make one number ("twenty six" → 26), words that do not
 * start the next one ("ten thirty" → 10 30, "nineteen eighty five" → 19 85, "four oh two" → 4 0 2).
 */
function runDigits(run: readonly string[]): string {
  const numbers: string[] = [];
  /** The number being built: what is already scaled, and the part below the next scale word. */
  let scaled = 0;
  let part = 0;
  let building = false;
  /** What may still be added to the part: anything below this. */
  let room = 0;
  const close = (): void => {
    if (building) numbers.push(String(scaled + part));
    scaled = 0;
    part = 0;
    building = false;
  };
  const add = (value: number, nextRoom: number): void => {
    if (building && value < room && value > 0) part += value;
    else {
      close();
      part = value;
      building = true;
    }
    room = nextRoom;
  };
  for (const word of run) {
    const unit = units.get(word) ?? (word === 'a' ? 1 : word === 'oh' || word === 'o' ? 0 : undefined);
    const scale = scales.get(word);
    if (unit !== undefined) add(unit, 0);
    else if (teens.has(word)) add(teens.get(word) ?? 0, 0);
    else if (tens.has(word)) add(tens.get(word) ?? 0, 10);
    else if (scale === 100) {
      part = (building ? part : 1) * 100;
      building = true;
      room = 100;
    } else if (scale !== undefined) {
      scaled += (building ? part : 1) * scale;
      part = 0;
      building = true;
      room = scale;
    } else if (isOrdinal(word)) {
      // A tens word before an ordinal belongs to it.
      numbers.push(ordinalText(part, word));
      building = false;
    }
  }
  close();
  return numbers.join(' ');
}
