import type { Character } from './character.ts';
import { minuteWords } from './moment.ts';
import { cardinalWords, digitWords, ordinalWords, yearWords } from './number-words.ts';

/** A recognizer's transcript of what this person says. */
export function transcribe(
  text: string,
  { transcription, numbersAs }: Pick<Character, 'transcription' | 'numbersAs'>,
): string {
  const words = numbersAs === 'words' ? numbersInWords(text) : text;
  return transcription === 'plain' ? plain(words) : words;
}

/** Lower case and without punctuation, except inside of numbers, times and words: "it's $620.50 at 10:30". */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/(?<!\d)[.,:;]|[.,:;](?!\d)/g, ' ')
    .replace(/[?!"“”()…–—]|(?<!\w)-|-(?!\w)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Writes numbers as spoken: "forty dollars", "ten thirty", "November twenty-fourth". Phone numbers, IDs and other
 * figures that are no quantity are read digit by digit: "C R four eight two", "one five zero zero".
 */
export function numbersInWords(text: string): string {
  return text
    .replace(/\$(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{2}))?/g, (_, whole: string, cents: string | undefined) =>
      moneyWords(Number(whole.replaceAll(',', '')), Number(cents ?? 0)),
    )
    .replace(/(\d+(?:\.\d+)?)\s?%/g, (_, number: string) => `${decimalWords(number)} percent`)
    .replace(/(?:\b1[ -])?\(?\b\d{3}\)?[ -]\d{3}-\d{4}\b/g, (number) => digitWords(number.replace(/\D/g, '')))
    .replace(
      /\b(\d{1,2}):(\d{2})\b(?=(\s*[AaPp]\.?[Mm]\b)?)/g,
      (_, hours: string, minutes: string, half?: string) =>
        timeWords(Number(hours), Number(minutes), half !== undefined),
    )
    .replace(/\b(\d+)(?:st|nd|rd|th)\b/g, (_, number: string) => ordinalWords(Number(number)))
    .replace(/\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]+\b/g, identifierWords)
    .replace(/\b\d{1,3}(?:,\d{3})+\b/g, (number) => cardinalWords(Number(number.replaceAll(',', ''))))
    .replace(/\b\d+\.\d+\b/g, decimalWords)
    .replace(/\b\d+\b/g, numberWords);
}

function moneyWords(dollars: number, cents: number): string {
  const whole = `${cardinalWords(dollars)} ${dollars === 1 ? 'dollar' : 'dollars'}`;
  if (cents === 0) return whole;
  const rest = `${cardinalWords(cents)} ${cents === 1 ? 'cent' : 'cents'}`;
  return dollars === 0 ? rest : `${whole} and ${rest}`;
}

function decimalWords(number: string): string {
  const [whole = '0', decimals] = number.split('.');
  const words = cardinalWords(Number(whole));
  return decimals === undefined ? words : `${words} point ${digitWords(decimals)}`;
}

/** "ten thirty", and "nine" where AM or PM follows instead of "nine o'clock". */
function timeWords(hours: number, minutes: number, hasHalf: boolean): string {
  const hour = cardinalWords(hours);
  return minutes === 0 && hasHalf ? hour : `${hour}${minuteWords(minutes)}`;
}

/** "CR482" is said C R four eight two. */
function identifierWords(identifier: string): string {
  return [...identifier]
    .map((character) => (/\d/.test(character) ? digitWords(character) : character.toUpperCase()))
    .join(' ');
}

/** A year as a year, small numbers as quantities, and everything longer digit by digit. */
function numberWords(number: string): string {
  if (/^(?:19|20)\d{2}$/.test(number)) return yearWords(Number(number));
  return number.length <= 3 && !number.startsWith('0') ? cardinalWords(Number(number)) : digitWords(number);
}
