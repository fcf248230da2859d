/*
 * Not everything a language model writes is for speech: thoughts in tags, stage directions in brackets, markup, and
 * tool calls or control tokens that the service has not understood. Only whole words go on the line.
 */

/** Tags whose content is not spoken either. */
const silentTags = new Set(
  'think thinking reasoning event heard notes plan tool_call function function_call function_calls invoke'.split(
    ' ',
  ),
);
/** After a control token such as `<|channel|>`, only the message to the user is spoken. */
const controlToken = '|';
const spokenChannel = 'final';
/** Tags that separate words; others are inside one. */
const partingTags = new Set(['br', 'p', 'li', 'div']);

/** Takes a text in pieces and returns its spoken words as soon as they are complete. */
export class SpokenText {
  #words: string[] = [];
  #word = '';
  #isLineStart = true;
  /** An unfinished tag, bracket or JSON object, from `<`, `[` or `{` on. */
  #aside = '';
  /** How many braces are open in it. */
  #braces = 0;
  /** The tag whose content is skipped. */
  #silentTag: string | null = null;
  /** What follows the last control token. */
  #header = '';

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
    const isNoTag = this.#aside === '<' && !'/|'.includes(character) && !isLetter(character);
    // A less-than sign, which is not spoken.
    if (isNoTag) this.#aside = '';
    if (this.#aside !== '') this.#takeAside(character);
    else if (character === '<' || ('[{'.includes(character) && this.#silentTag === null)) {
      this.#aside = character;
      this.#braces = 1;
    } else if (this.#silentTag !== null) this.#header += character;
    else if (character.trim() !== '') this.#word += character;
    else this.#endWord(character === '\n');
  }

  #takeAside(character: string): void {
    const aside = this.#aside;
    if (aside.startsWith('{')) {
      this.#braces += character === '{' ? 1 : character === '}' ? -1 : 0;
      if (this.#braces === 0) this.#aside = '';
      return;
    }
    const isTag = aside.startsWith('<');
    this.#aside = character === (isTag ? '>' : ']') ? '' : aside + character;
    if (this.#aside !== '') return;
    if (isTag) this.#endTag(aside.slice(1).toLowerCase());
    else this.#endWord();
  }

  /** @param tag the text between `<` and `>` */
  #endTag(tag: string): void {
    // "<function=note_person>"
    const [name = ''] = tag.replace('/', '').split(/[ =]/);
    const isClosing = tag.startsWith('/');
    if (name.startsWith(controlToken)) {
      this.#endWord();
      const isSpoken = name === '|message|' && this.#header.trim() === spokenChannel;
      this.#silentTag = isSpoken ? null : controlToken;
      this.#header = '';
    } else if (this.#silentTag !== null) {
      if (isClosing && name === this.#silentTag) this.#silentTag = null;
    } else if (silentTags.has(name) || partingTags.has(name)) {
      this.#endWord();
      this.#silentTag = silentTags.has(name) && !isClosing ? name : null;
    }
  }

  #endWord(endsLine = false): void {
    // "```json" names the language of what follows.
    const isFence = this.#word.startsWith('```');
    const word = isFence ? '' : this.#word.replaceAll(/[*_`#|~]|\p{Extended_Pictographic}/gu, '');
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
