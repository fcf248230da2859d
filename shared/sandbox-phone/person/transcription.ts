import type { Character } from './character.ts';

/** What a recogniser makes of something said, as this person's words reach the caller. */
export function transcribe(
  text: string,
  { transcription, numbersAs }: Pick<Character, 'transcription' | 'numbersAs'>,
): string {
  const words = numbersAs === 'words' ? text : text;
  return transcription === 'plain' ? plain(words) : words;
}

/** Lower case and without punctuation, except inside of numbers, times and words: "it's $620.50 at 10:30". */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/(?<!\d)[.,:;]|[.,:;](?!\d)/g, ' ')
    .replace(/[?!"“”()…]|(?<!\w)-|-(?!\w)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
