import { digitsForWords } from '#shared/sandbox-phone/person/number-words.ts';

/*
 * Numbers that words may express. Lenient on purpose: a number counts as said if any reading of the
 * words is it, because this looks for numbers that nobody said at all.
 */

/** Every number that these words may mean: figures, words, and two of them together ("twelve fifty"). */
export function numbersIn(text: string): ReadonlySet<number> {
  const found = groupsIn(text);
  const numbers = new Set([...found, ...clockTimesIn(text)]);
  for (const [index, first] of found.entries()) {
    const second = found[index + 1];
    if (second === undefined || second >= 100) continue;
    // "Three eighty", "twelve fifty", "three hundred twenty dollars and fifty cents", "twenty-four" as "20 4".
    numbers
      .add(first * 100 + second)
      .add(round(first + second / 100))
      .add(first + second);
    const third = found[index + 2];
    if (third !== undefined && third < 100) numbers.add(round(first * 100 + second + third / 100));
  }
  return numbers;
}

const afterHour: Readonly<Record<string, number>> = { half: 30, quarter: 15, ten: 10, twenty: 20, five: 5 };

/** "Half past two" is 230, "a quarter to three" 245. */
function clockTimesIn(text: string): number[] {
  const words = wordsIn(text);
  return words.flatMap((word, at) => {
    const minutes = afterHour[word];
    const hour = groupsIn(words[at + 2] ?? '')[0];
    if (minutes === undefined || hour === undefined || hour > 12) return [];
    if (['past', 'after'].includes(words[at + 1] ?? '')) return [hour * 100 + minutes];
    if (['to', 'till', 'of', 'before'].includes(words[at + 1] ?? ''))
      return [(hour === 1 ? 12 : hour - 1) * 100 + 60 - minutes];
    return [];
  });
}

/** Letters and digits only, number words as digits: what was dictated, however it was grouped. */
export function squeezed(text: string): string {
  return digitsForWords(text.toLowerCase().replaceAll('*', ' star ').replaceAll('#', ' pound '))
    .replaceAll(/\b(\d+)(?:st|nd|rd|th)\b/g, '$1')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
}

/** The kind of a number's last word: it decides whether the next one belongs to it. */
type Last = 'ten' | 'size' | 'other';

/** The numbers in order; words of size belong to what they multiply: "two thousand five hundred". */
function groupsIn(text: string): number[] {
  const found: number[] = [];
  let thousands = 0;
  let current: number | null = null;
  let last: Last = 'other';
  const close = (): void => {
    if (current !== null) found.push(thousands + current);
    thousands = 0;
    current = null;
    last = 'other';
  };
  const take = (number: number, kind: Last): void => {
    const belongs = current !== null && (last === 'size' || (last === 'ten' && number > 0 && number < 10));
    if (!belongs) close();
    current = (current ?? 0) + number;
    last = kind;
  };
  for (const word of wordsIn(text)) {
    if (word === 'hundred') {
      current = (current ?? 1) * 100;
      last = 'size';
    } else if (word === 'thousand') {
      thousands = (thousands + (current ?? 1)) * 1000;
      current = 0;
      last = 'size';
    } else if (word === 'and' && last === 'size') {
      // "Three hundred and twenty".
    } else if (/^\d/.test(word)) take(Number.parseFloat(word), 'other');
    else {
      const number = numbers.get(word);
      if (number === undefined) close();
      else take(number, tens.includes(word) ? 'ten' : 'other');
    }
  }
  close();
  return found;
}

function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3})/g, '')
    .split(/[^\p{L}\d.]+/u)
    .map((word) => (/^\d/.test(word) ? word : word.replaceAll('.', '')))
    .filter((word) => word !== '');
}

const units = (
  'zero one two three four five six seven eight nine ten ' +
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
).split(' ');
const ordinals = (
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth ' +
  'eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'
).split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const numbers: ReadonlyMap<string, number> = new Map([
  ...units.map((word, number) => [word, number] as const),
  ...ordinals.map((word, number) => [word, number] as const),
  ...tens.map((word, index) => [word, (index + 2) * 10] as const),
  ...tens.map((word, index) => [word.replace(/y$/, 'ieth'), (index + 2) * 10] as const),
  ['oh', 0],
  ['noon', 12],
  ['midnight', 12],
  ['half', 30],
  ['quarter', 15],
  ['dozen', 12],
]);

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
