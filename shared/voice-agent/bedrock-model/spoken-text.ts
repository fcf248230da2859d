/*
 * What a language model writes is not all for speaking: thoughts in tags, stage directions in brackets, markup. Only
 * words go on the line, and only whole ones.
 */

/** Tags whose content is not spoken either. */
const silentTags = 'think|thinking|reasoning|event|heard|notes|plan|tool_call|function_calls?|invoke';

const closedSilentTag = new RegExp(`<(${silentTags})\\b[^>]*>[\\s\\S]*?</\\1\\s*>`, 'gi');
const openSilentTag = new RegExp(`<(?:${silentTags})\\b`, 'i');

/** Takes the pieces of a text as they come and gives back its spoken words as soon as they are whole. */
export class SpokenText {
  #written = '';
  #emitted = 0;

  /** The words that this piece completes. */
  push(piece: string): string[] {
    this.#written += piece;
    const spoken = spokenPart(this.#written, false);
    // The last word may go on in the next piece.
    return this.#wordsUpTo(spoken, spoken.search(/\S*$/));
  }

  /** The rest, once the text has ended. */
  finish(): string[] {
    const spoken = spokenPart(this.#written, true);
    return this.#wordsUpTo(spoken, spoken.length);
  }

  #wordsUpTo(spoken: string, end: number): string[] {
    const words = spoken.slice(this.#emitted, end).match(/\S+/g) ?? [];
    this.#emitted = Math.max(this.#emitted, end);
    return words.filter((word) => /[\p{L}\p{N}]/u.test(word) || /^[-–—]+$/.test(word));
  }
}

/** What of a text is for speaking, as far as that is certain: cut where something begins whose end has not come yet. */
function spokenPart(written: string, isWhole: boolean): string {
  let text = written.replaceAll(closedSilentTag, ' ');
  const open = text.search(openSilentTag);
  if (open !== -1) text = text.slice(0, open);
  text = text
    .replaceAll(/<\/?(?:br|p|li|div)\b[^<>]*>/gi, ' ')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/\[[^\][]*\]/g, ' ');
  const unclosed = text.search(
    isWhole ? /<\/?[a-z][^<>]*$|\[[^\][]*$/i : /<(?:\/?[a-z][^<>]*|\/)?$|\[[^\][]*$/i,
  );
  if (unclosed !== -1) text = text.slice(0, unclosed);
  return (
    text
      // As many spaces, so that nothing that was given back already moves.
      .replaceAll(/(?<=^|\n)[ \t]*(?:[-•]|#{1,6})[ \t]+/g, (marker) => ' '.repeat(marker.length))
      .replaceAll(/[*`#|~]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
      .replaceAll(/\p{Extended_Pictographic}/gu, '')
  );
}
