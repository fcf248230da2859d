import { chance } from '#shared/sandbox-phone/person/seeded.ts';
import { numbersInWords } from '#shared/sandbox-phone/person/transcription.ts';

/*
 * What a speech recognizer understands on a bad line. Only mistakes that leave the meaning recognizable:
 * negations and figures are kept, because no listener could tell that they are missing.
 */

/** Groups of words that sound alike; a recognizer confuses them. */
const homophones: readonly (readonly string[])[] = [
  ['their', 'there', "they're"],
  ['your', "you're"],
  ['its', "it's"],
  ['to', 'too'],
  ['hear', 'here'],
  ['right', 'write'],
  ['whole', 'hole'],
  ['patient', 'patience'],
  ['patients', 'patience'],
  ['fax', 'facts'],
  ['co-pay', 'co pay', 'copay'],
  ['copay', 'co pay', 'kopay'],
  ['coinsurance', 'co insurance'],
  ['deductible', 'deductable', 'the ductible'],
  ['benefits', 'benefit'],
  ['claim', 'clam'],
  ['claims', 'clams'],
  ['bill', 'bil'],
  ['billing', 'building'],
  ['plan', 'plane'],
  ['ppo', 'p p o'],
  ['hmo', 'h m o'],
  ['npi', 'n p i'],
  ['okay', 'ok'],
  ['appointment', 'a appointment'],
  ['referral', 'referal'],
  ['prior', 'pryor'],
  ['auth', 'off'],
  ['check', 'cheque'],
  ['mail', 'male'],
  ['weak', 'week'],
  ['week', 'weak'],
  ['days', 'daze'],
  ['system', 'sister'],
  ['member', 'remember'],
  ['provider', 'provided'],
  ['dr.', 'doctor'],
];

const soundsLike = new Map(
  homophones.map(([word = '', ...others]) => [word, others.length === 0 ? [word] : others] as const),
);

/** Spoken without stress, so that they are lost first. */
const unstressed = new Set(
  'a an the is are was of to for in on at and so uh um that it i you we he she have has be with do just'.split(
    ' ',
  ),
);
/** Without these, a sentence means something else. */
const decisive = new Set(
  (
    'no not never none nope nothing neither nor without yes yeah only ' +
    'zero one two three four five six seven eight nine ten eleven twelve ' +
    'twenty thirty forty fifty sixty seventy eighty ninety hundred thousand first second third ' +
    'am pm until before after monday tuesday wednesday thursday friday saturday sunday'
  ).split(' '),
);
/** Numbers, negations, and number words by their endings: "fifteen", "ninth", "isn't". */
const decisiveForm = /\d|(?:teen|th|n['’]t)$/i;

function isDecisive(word: string): boolean {
  return decisive.has(word.toLowerCase()) || decisiveForm.test(word);
}

/** The probability of each mistake on the noisiest line: per word, or per utterance. */
const atWorst = { losesUnstressed: 0.12, losesWord: 0.03, mishears: 0.5, isPlain: 1, saysNumbers: 1 };

/**
 * Speech recognition on a line with this noise. The same level and seed make the same mistakes.
 *
 * @param level 0 to 1: 0 writes what was said; from 0.5 on, nothing has punctuation and numbers are words
 */
export function noiseFor(level: number, seed: string): (words: string) => string {
  if (level === 0) return (words) => words;
  let utterances = 0;
  return (words) => {
    utterances += 1;
    const happens = (what: string, likelihood: number): boolean =>
      chance(seed, `noise ${utterances} ${what}`) < Math.min(1, likelihood);
    const written = happens('numbers', atWorst.saysNumbers * level * 2) ? numbersInWords(words) : words;
    const flat = happens('plain', atWorst.isPlain * level * 2) ? withoutPunctuation(written) : written;
    const heard = flat.split(/\s+/).flatMap((word, place) => {
      if (isDecisive(bare(word))) return [word];
      const loses = unstressed.has(bare(word)) ? atWorst.losesUnstressed : atWorst.losesWord;
      if (happens(`loses ${place}`, loses * level)) return [];
      const others = soundsLike.get(bare(word));
      if (others === undefined || !happens(`mishears ${place}`, atWorst.mishears * level)) return [word];
      const other = others[Math.floor(chance(seed, `noise ${utterances} other ${place}`) * others.length)];
      return [other ?? word];
    });
    // Something of what was said always arrives.
    return heard.length === 0 ? flat : heard.join(' ');
  };
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}'’-]/gu, '');
}

/** Lower case and without punctuation, except inside of numbers, times and words. */
function withoutPunctuation(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?<!\d)[.,:;]|[.,:;](?!\d)/g, ' ')
    .replaceAll(/[?!"“”()…–—]|(?<!\w)-|-(?!\w)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
