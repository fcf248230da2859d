import { findMentions, type Placed, type Rule } from './mentions.ts';

export type MoneyMention = Placed & {
  readonly amount: number;
  /** "Twelve fifty" may be 1,250 or 12.50: the likelier one, to be asked for again. */
  readonly isAmbiguous?: boolean;
};
export type PercentMention = Placed & { readonly percent: number };

const digits = '\\d{1,3}(?:,\\d{3})+|\\d+';

/**
 * Amounts of money in a plain text.
 *
 * @param bare also numbers without a currency, for places where only money can be meant
 */
export function findMoney(plain: string, { bare = false }: { bare?: boolean } = {}): MoneyMention[] {
  const rules: Rule<{ amount: number; isAmbiguous?: boolean }>[] = [
    ...spokenRuns(bare),
    {
      pattern: new RegExp(
        `(?:us)?\\$ ?(?<whole>${digits})(?:\\.(?<cents>\\d{1,2})\\b)?(?<kilo> ?k\\b)?`,
        'g',
      ),
      read: (g) => amountOf(g),
    },
    {
      pattern: new RegExp(
        `(?<![\\d.,$])(?<whole>${digits})(?:\\.(?<cents>\\d{1,2}))? (?:us )?(?:dollars?|bucks|usd)\\b(?:,? (?:and )?(?<spoken>\\d{1,2}) cents?\\b| and (?<odd>\\d{1,2})\\b(?! ?(?:%|percent|dollars?|days?|visits?)))?`,
        'g',
      ),
      read: (g) =>
        amountOf({ ...g, cents: g.cents ?? g.spoken?.padStart(2, '0') ?? g.odd?.padStart(2, '0') }),
    },
    {
      pattern: /\b(?:zero|no) dollars\b|\b0 dollars\b/g,
      read: () => ({ amount: 0 }),
    },
  ];
  if (bare) {
    rules.push({
      pattern: new RegExp(
        `(?<![\\d.,$/:#-])(?<![a-z])(?<whole>${digits})(?:\\.(?<cents>\\d{2}))?(?![\\d%/:-]|[.,]\\d|[a-z])(?! ?(?:percent|days?|business|weeks?|months?|years?|visits?|sessions?|units?|hours?|minutes?|th\\b|st\\b|nd\\b|rd\\b|dollars?|bucks|[ap]\\.?m\\b|o'clock|per ?cent|codes?|pages?))`,
        'g',
      ),
      read: (g) => amountOf(g),
    });
  }
  return findMentions(plain, rules);
}

function amountOf(groups: Readonly<Record<string, string | undefined>>): { amount: number } | null {
  const whole = Number((groups.whole ?? '').replaceAll(',', ''));
  const cents = groups.cents === undefined ? 0 : Number(groups.cents.padEnd(2, '0')) / 100;
  const amount = (whole + cents) * (groups.kilo === undefined ? 1 : 1000);
  return Number.isFinite(amount) ? { amount: Math.round(amount * 100) / 100 } : null;
}

/**
 * Amounts that are spoken digit by digit or in pieces: "one five zero zero dollars", "six twenty fifty". They cover the
 * single numbers that they consist of.
 *
 * @param bare also without a currency behind them
 */
function spokenRuns(bare: boolean): Rule<{ amount: number; isAmbiguous?: boolean }>[] {
  const currency = '(?: (?:dollars?|bucks))';
  const end = `(?:${currency}\\b|${bare ? '(?![\\d.,:/%-])(?! (?:\\d|percent|days?|weeks?|visits?|[ap]\\.?m\\b))' : '(?=$)(?!$)'})`;
  const begin =
    '(?<![\\d.,$:/#-])(?<!\\d )(?<!\\b(?:in|since|year|of|january|february|march|april|may|june|july|august|september|october|november|december|\\dst|\\dnd|\\drd|\\dth),? )';
  return [
    {
      // "two thousand five hundred" heard as two numbers, "three thousand two fifty"
      pattern: new RegExp(`${begin}(?<thousands>\\d{1,3}000) (?<hundreds>\\d00)${end}`, 'g'),
      read: (g) => ({ amount: Number(g.thousands) + Number(g.hundreds) }),
    },
    {
      pattern: new RegExp(`${begin}(?<thousands>\\d{1,3})00(?<hundreds>[1-9]) (?<rest>\\d{2})${end}`, 'g'),
      read: (g) => ({ amount: Number(g.thousands) * 1000 + Number(g.hundreds) * 100 + Number(g.rest) }),
    },
    {
      pattern: new RegExp(`${begin}(?<digits>[1-9](?: \\d){2,5})${end}`, 'g'),
      read: (g) => ({ amount: Number((g.digits ?? '').replaceAll(' ', '')) }),
    },
    {
      // "four oh nine ninety two", "six twenty fifty"
      pattern: new RegExp(`${begin}(?<whole>[1-9] (?:\\d \\d|\\d{2})) (?<cents>\\d{2})${end}`, 'g'),
      read: (g) => ({
        amount: Number(`${(g.whole ?? '').replaceAll(' ', '')}.${g.cents}`),
        isAmbiguous: true,
      }),
    },
    {
      // "twelve fifty"
      pattern: new RegExp(`${begin}(?<hundreds>[1-9]\\d?) (?<rest>\\d{2})${end}`, 'g'),
      read: (g) => ({ amount: Number(g.hundreds) * 100 + Number(g.rest), isAmbiguous: true }),
    },
    {
      pattern: /(?<![\d.,$])(?<whole>\d{1,2}) and a half thousand\b/g,
      read: (g) => ({ amount: Number(g.whole) * 1000 + 500 }),
    },
    {
      pattern: /(?<![\d.,$])(?<whole>\d{1,3}(?:,\d{3})*|\d+) dollars?,? and (?:oh|o) (?<cents>\d) cents?\b/g,
      read: (g) => ({ amount: Number((g.whole ?? '').replaceAll(',', '')) + Number(g.cents) / 100 }),
    },
  ];
}

/** Percentages in a plain text. */
export function findPercentages(plain: string): PercentMention[] {
  return findMentions(plain, [
    {
      pattern: /(?<![\d.,])(?<number>\d{1,3}(?:\.\d+)?) ?(?:%|percent\b|per ?cent\b)/g,
      read: (g) => (Number(g.number) <= 100 ? { percent: Number(g.number) } : null),
    },
  ]);
}

/** `$1,500`, `$42.50` */
export function writtenMoney(amount: number): string {
  const [whole = '0', cents = '00'] = amount.toFixed(2).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return cents === '00' ? `$${grouped}` : `$${grouped}.${cents}`;
}

export type IdentifierMention = Placed & { readonly identifier: string };

/**
 * Reference numbers, codes and the like, written together ("RC-48213") or spelled out ("R C dash 4 8 2", "B as in boy,
 * double seven"). Positions are those of the plain text.
 *
 * @param original the same words with their capitals: a code without any digit is known by them alone
 */
export function findIdentifiers(plain: string, original: string): IdentifierMention[] {
  const tokens = [...plain.matchAll(/[a-z0-9](?:[a-z0-9]|[-/.](?=[a-z0-9]))*'?[a-z]*|[#]/g)].map((match) => ({
    word: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  const found: IdentifierMention[] = [];
  for (let index = 0; index < tokens.length; ) {
    const read = readIdentifier(tokens, index, plain);
    if (read === null) {
      index += 1;
      continue;
    }
    const [first, last] = [tokens[index], tokens[read.next - 1]];
    if (first !== undefined && last !== undefined) {
      found.push({ identifier: asWritten(read.identifier, original), start: first.start, end: last.end });
    }
    index = read.next;
  }
  const capitals = [...original.matchAll(/\b[A-Z]{4,12}\b/g)]
    .map((match) => match[0])
    .filter((word) => !knownCapitals.test(word))
    .flatMap((word) => {
      const start = plain.indexOf(word.toLowerCase());
      return start === -1 ? [] : [{ identifier: word, start, end: start + word.length }];
    })
    .filter((mention) => !found.some(({ start, end }) => start < mention.end && mention.start < end));
  return [...found, ...capitals].sort((a, b) => a.start - b.start);
}

const knownCapitals =
  /^(?:HMO|PPO|EPO|POS|HDHP|HIPAA|ASAP|DOB|NPI|CPT|PCP|OOP|COBRA|HSA|FSA|AARP|BCBS|UHC|EOB|MRI|USPS)$/;

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Reads one identifier from a token on; it needs a digit and at least three characters. */
function readIdentifier(
  tokens: readonly Token[],
  from: number,
  plain: string,
): { identifier: string; next: number } | null {
  let identifier = '';
  let index = from;
  let pieces = 0;
  let separator = '';
  while (index < tokens.length) {
    const token = tokens[index];
    if (token === undefined) break;
    const gap = index === from ? '' : plain.slice(tokens[index - 1]?.end ?? 0, token.start);
    if (index > from && !/^[\s,.-]{0,3}$/.test(gap)) break;
    // A sentence within the same text ends what is spelled.
    if (index > from && /\. $/.test(gap) && token.word.length > 1 && !/\d/.test(token.word)) break;
    const repeat = /^(double|triple)$/.exec(token.word);
    const following = tokens[index + 1];
    if (repeat !== null && following !== undefined && /^[a-z0-9]$/.test(following.word)) {
      identifier += separator + following.word.repeat(token.word === 'double' ? 2 : 3);
      separator = '';
      pieces += 1;
      index += 2;
      continue;
    }
    if (/^(dash|hyphen|slash)$/.test(token.word) && identifier !== '') {
      separator = token.word === 'slash' ? '/' : '-';
      index += 1;
      continue;
    }
    const isLetterI =
      token.word === 'i' &&
      /^[a-z0-9]$|^\d+$/.test(following?.word ?? '') &&
      // "I 2…" are words, "the number is I W 9" is spelled.
      (index > from || /\b(?:is|number|reference|id|code|it's)[:,]? $/.test(plain.slice(0, token.start)));
    if (isLetterI || isPiece(token.word, tokens, index, plain)) {
      identifier += separator + token.word;
      separator = '';
      pieces += 1;
      index += 1;
      // "B as in boy", "b for bravo"
      if (/^(as|for|like)$/.test(tokens[index]?.word ?? '') && /^[a-z]$/.test(token.word)) {
        const skipped = tokens[index]?.word === 'as' && tokens[index + 1]?.word === 'in' ? 3 : 2;
        index += skipped;
      }
      continue;
    }
    break;
  }
  // "It's EV567, E V 5 6 7": said, and then spelled.
  const twice = /^(.{4,})[-/]?\1$/.exec(identifier)?.[1];
  if (twice !== undefined) identifier = twice;
  const compact = identifier.replaceAll(/[^a-z0-9]/g, '');
  const spelledLetters = pieces >= 4 && /^[a-z]+$/.test(compact) && pieces === compact.length;
  const valid = (compact.length >= 3 && /\d/.test(compact)) || spelledLetters;
  if (!valid || index === from) return null;
  // "180 days" and "5 percent" count something.
  const counted =
    /^\d+$/.test(identifier) &&
    /^ ?(?:%|business|calendar|working|days?|weeks?|months?|years?|visits?|sessions?|minutes?|hours?|percent|dollars?|pages?|units?)/.test(
      plain.slice(tokens[index - 1]?.end ?? 0),
    );
  if (counted) return null;
  // "5-5-0-9" is spelled, not written with hyphens.
  const isSpelled = /^[a-z0-9](?:-[a-z0-9])+$/.test(identifier);
  return { identifier: (isSpelled ? compact : identifier).toUpperCase(), next: index };
}

function isPiece(word: string, tokens: readonly Token[], index: number, plain: string): boolean {
  if (/\d/.test(word)) {
    // Ordinals and measured numbers are no codes.
    return !/^\d+(?:st|nd|rd|th|am|pm|k)$/.test(word);
  }
  if (/^[a-z]$/.test(word)) {
    if (word !== 'a' && word !== 'i') return true;
    const next = tokens[index + 1];
    // "a 30 day supply" and "I 2…" are words; "A 4 7" is spelled.
    return next !== undefined && (/^[a-z0-9]$/.test(next.word) || next.word === 'as') && word === 'a';
  }
  const next = tokens[index + 1];
  // "SO dash 7 1": even a word is spelled when a dash is named after it.
  if (/^[a-z]{1,4}$/.test(word) && /^(?:dash|hyphen)$/.test(next?.word ?? '')) return true;
  // "RC 48213": two or three letters right before digits.
  return (
    /^[a-z]{2,3}$/.test(word) &&
    !commonShortWords.test(word) &&
    next !== undefined &&
    /^\d/.test(next.word) &&
    /^[ -]$/.test(plain.slice(tokens[index]?.end ?? 0, next.start))
  );
}

const commonShortWords =
  /^(?:is|it|at|on|in|to|of|or|by|so|we|he|me|my|no|an|as|be|do|go|if|up|us|am|pm|the|and|for|you|has|had|was|are|can|did|her|him|his|its|our|out|say|see|she|two|one|ten|six|got|get|not|but|all|any|now|off|per|yes|yep|id|uh|um|oh|ok|max|met|pay|cpt|npi|dob|day|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|est|rd|st|dr|mr|ms|fax|ext|box|til|only|just|code|that|like|over|from|with)$/;

/** Gives the identifier the capitals and separators in which it was written, if it was written in one piece. */
function asWritten(identifier: string, original: string): string {
  const piece = original
    .match(/[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*/g)
    ?.find((word) => word.toUpperCase() === identifier);
  return piece === undefined ? identifier : piece.toUpperCase();
}
