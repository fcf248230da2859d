const units: Readonly<Record<string, number>> = {
  zero: 0,
  oh: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
};

const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
  thirtieth: 30,
};

const tens: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};

/**
 * Number words as digits, group by group as they are spoken: "twenty-fourth" is "24th", "ten thirty" is "10 30",
 * "nineteen eighty-five" is "19 85", "two thousand five" is "2005", "one two three" is "1 2 3".
 */
export function digitsForWords(text: string): string {
  const words = text.replace(/\b([a-z]+ty)-([a-z]+)\b/gi, '$1 $2').split(/(\s+)/);
  const result: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const { bare, rest } = withoutPunctuation(words[at] ?? '');
    // Words stand at even places, the space between them at odd ones.
    const next = withoutPunctuation(words[at + 2] ?? '');
    const followed = rest === '' && words[at + 2] !== undefined;
    const ten = tens[bare];
    const unit = units[bare];
    if (ten !== undefined) {
      const nextUnit = followed ? units[next.bare] : undefined;
      const nextOrdinal = followed ? ordinals[next.bare] : undefined;
      if (nextUnit !== undefined && nextUnit > 0 && nextUnit < 10) {
        result.push(`${ten + nextUnit}${next.rest}`);
        at += 2;
      } else if (nextOrdinal !== undefined && nextOrdinal < 10) {
        result.push(`${ten + nextOrdinal}th${next.rest}`);
        at += 2;
      } else {
        result.push(`${ten}${rest}`);
      }
    } else if (bare === 'oh' && followed && (units[next.bare] ?? 10) < 10) {
      // "nine oh five" is 9 05.
      result.push(`0${units[next.bare]}${next.rest}`);
      at += 2;
    } else if (unit !== undefined && unit > 0 && followed && next.bare === 'thousand') {
      at += 2;
      const after = withoutPunctuation(words[at + 2] ?? '');
      const more = next.rest === '' ? (units[after.bare] ?? tens[after.bare]) : undefined;
      if (more === undefined) {
        result.push(`${unit * 1000}${next.rest}`);
      } else {
        result.push(`${unit * 1000 + more}${after.rest}`);
        at += 2;
      }
    } else if (unit !== undefined) {
      result.push(`${unit}${rest}`);
    } else if (ordinals[bare] !== undefined) {
      result.push(`${ordinals[bare]}th${rest}`);
    } else {
      result.push(words[at] ?? '');
    }
  }
  return result.join('');
}

function withoutPunctuation(word: string): { bare: string; rest: string } {
  const match = /^([a-z]+)([^a-z]*)$/i.exec(word);
  return { bare: (match?.[1] ?? '').toLowerCase(), rest: match?.[2] ?? '' };
}

const smallNumbers = (
  'zero one two three four five six seven eight nine ten ' +
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
).split(' ');
const tensNames = ['', '', ...Object.keys(tens)];
const irregularOrdinals: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** A whole number in words, up to millions: "one thousand five hundred", "twenty-four". */
export function cardinalWords(count: number): string {
  const scale = (
    [
      [1_000_000, 'million'],
      [1000, 'thousand'],
      [100, 'hundred'],
    ] as const
  ).find(([size]) => count >= size);
  if (scale !== undefined) {
    const [size, name] = scale;
    const rest = count % size;
    return `${cardinalWords(Math.floor(count / size))} ${name}${rest === 0 ? '' : ` ${cardinalWords(rest)}`}`;
  }
  if (count < 20) return smallNumbers[count] ?? '';
  const ten = tensNames[Math.floor(count / 10)] ?? '';
  return count % 10 === 0 ? ten : `${ten}-${smallNumbers[count % 10] ?? ''}`;
}

/** "twenty-fourth", "first". */
export function ordinalWords(count: number): string {
  return cardinalWords(count).replace(/[a-z]+$/, (last) => {
    const irregular = irregularOrdinals[last];
    if (irregular !== undefined) return irregular;
    return last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`;
  });
}

/** Digit by digit: "two zero two". */
export function digitWords(digits: string): string {
  return [...digits].map((digit) => smallNumbers[Number(digit)] ?? digit).join(' ');
}

/** "nineteen eighty-four", "two thousand five", "twenty twenty-six". */
export function yearWords(year: number): string {
  const century = Math.floor(year / 100);
  const rest = year % 100;
  if (year >= 2000 && year < 2010) return cardinalWords(year);
  if (rest === 0) return `${cardinalWords(century)} hundred`;
  return `${cardinalWords(century)} ${rest < 10 ? `oh ${cardinalWords(rest)}` : cardinalWords(rest)}`;
}
