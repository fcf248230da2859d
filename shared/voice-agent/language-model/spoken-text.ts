/*
 * Not everything a language model writes is for speech: thoughts in tags, stage directions in brackets, markup. Only
 * whole words go on the line.
 */

/** Tags whose content is not spoken either. */
const silentTags = new Set(
  'think thinking reasoning event heard notes plan tool_call function_call function_calls invoke'.split(' '),
);
/** Tags that separate words; others are inside one. */
const partingTags = new Set(['br', 'p', 'li', 'div']);

/** Takes a text in pieces and returns its spoken words as soon as they are complete. */
export class SpokenText {
  #words: string[] = [];
  #word = '';
  #isLineStart = true;
  /** An unfinished tag or bracket, from `<` or `[` on. */
  #aside = '';
  /** The tag whose content is skipped. */
  #silentTag: string | null = null;

  /** The words completed by this piece. */
  push(piece: string): string[] {
    for (const character of piece) this.#take(character);
    return this.#words.splice(0);
  }

  /** The rest, once the text has ended. */
  finish(): string[] {
    this.#endWord();
    return this.#words.splice(0);
  }

  #take(character: string): void {
    const isNoTag = this.#aside === '<' && character !== '/' && !isLetter(character);
    // A less-than sign, which is not spoken.
    if (isNoTag) this.#aside = '';
    if (this.#aside !== '') this.#takeAside(character);
    else if (character === '<' || (character === '[' && this.#silentTag === null)) this.#aside = character;
    else if (this.#silentTag !== null) return;
    else if (character.trim() !== '') this.#word += character;
    else this.#endWord(character === '\n');
  }

  #takeAside(character: string): void {
    const aside = this.#aside;
    const isTag = aside.startsWith('<');
    this.#aside = character === (isTag ? '>' : ']') ? '' : aside + character;
    if (this.#aside !== '') return;
    if (isTag) this.#endTag(aside.slice(1).toLowerCase());
    else this.#endWord();
  }

  /** @param tag the text between `<` and `>` */
  #endTag(tag: string): void {
    const [name = ''] = tag.replace('/', '').split(' ');
    const isClosing = tag.startsWith('/');
    if (this.#silentTag !== null) {
      if (isClosing && name === this.#silentTag) this.#silentTag = null;
    } else if (silentTags.has(name) || partingTags.has(name)) {
      this.#endWord();
      this.#silentTag = silentTags.has(name) && !isClosing ? name : null;
    }
  }

  #endWord(endsLine = false): void {
    const word = this.#word.replaceAll(/[*_`#|~]|\p{Extended_Pictographic}/gu, '');
    // At the start of a line a dash marks a list item.
    const isPause = word.length === 1 && '-–—'.includes(word) && !this.#isLineStart;
    if (isPause || /[\p{L}\p{N}]/u.test(word)) this.#words.push(word);
    this.#isLineStart = endsLine || (this.#isLineStart && this.#word === '');
    this.#word = '';
  }
}

function isLetter(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}
