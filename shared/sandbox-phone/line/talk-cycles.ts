/** A speakable part of the application's speech: up to the end of a sentence or of the talk cycle. */
export interface SpeechPiece {
  readonly kind: 'speech';
  /** Counts talk cycles: tokens up to one with `last`. */
  readonly cycle: number;
  /** The words as spoken, without markup, with spaces: the pieces join to the text of the cycle. */
  readonly text: string;
  readonly isLast: boolean;
  /** What the frame says about interruption; null leaves it to the document. */
  readonly isInterruptible: boolean | null;
  readonly isPreemptible: boolean;
  /** On the clock of `performance.now()`. */
  readonly receivedAt: number;
}

export interface TextFrame {
  readonly token: string;
  readonly last?: boolean | undefined;
  readonly interruptible?: boolean | undefined;
  readonly preemptible?: boolean | undefined;
}

/** Text that was never closed by `last: true` is finished after so long without another token. */
const unfinishedMs = 2500;
/** An application that stops a cycle without closing it has finished after this long without a token. */
const givenUpMs = 400;
/** The maximum wait for that; a person continues talking. */
const longestDropMs = 3000;

/** Combines the application's tokens into speakable pieces as they arrive. */
export class TalkCycles {
  #cycle = 0;
  #isOpen = false;
  #text = '';
  #isInterruptible: boolean | null = null;
  #isPreemptible = false;
  #lastTokenAt = 0;
  /** When the open cycle was dropped; null while none is being dropped. */
  #droppedAt: number | null = null;

  /** When a cycle that was left open is due to be finished; null when none is open. */
  get dueAt(): number | null {
    return this.#isOpen ? this.#lastTokenAt + unfinishedMs : null;
  }

  /** Whether the frame is heard, or belongs to a dropped cycle. */
  takes({ token, last }: TextFrame, now: number): boolean {
    // An empty token starts nothing: it only keeps the socket open.
    if (!this.#isOpen && token === '' && last !== true) return false;
    if (this.#droppedAt === null) return true;
    if (now - Math.max(this.#lastTokenAt, this.#droppedAt) >= givenUpMs) {
      this.#droppedAt = null;
      return true;
    }
    this.#lastTokenAt = now;
    if (last === true) this.#droppedAt = null;
    return false;
  }

  /** What can be spoken after this frame. */
  add(frame: TextFrame, now: number): { pieces: SpeechPiece[]; startsCycle: boolean } {
    const startsCycle = !this.#isOpen;
    if (startsCycle) {
      this.#cycle += 1;
      this.#isOpen = true;
      this.#isInterruptible = null;
      this.#isPreemptible = false;
    }
    this.#text += frame.token;
    this.#isInterruptible = frame.interruptible ?? this.#isInterruptible;
    this.#isPreemptible = frame.preemptible ?? this.#isPreemptible;
    this.#lastTokenAt = now;
    if (frame.last === true) return { pieces: [this.#finish(now)], startsCycle };
    const endsAt = endOfSentences(this.#text);
    return { pieces: endsAt === 0 ? [] : [this.#take(endsAt, false, now)], startsCycle };
  }

  /** The rest of a cycle left open for too long; null if none. */
  finishOverdue(now: number): SpeechPiece | null {
    return this.dueAt !== null && now >= this.dueAt ? this.#finish(now) : null;
  }

  /** Drops the rest of this cycle. */
  drop(cycle: number): void {
    if (!this.#isOpen || this.#cycle !== cycle) return;
    this.#isOpen = false;
    this.#text = '';
    this.#droppedAt = performance.now();
  }

  /** How long until the application has stopped talking; 0 if it has. */
  dropWaitMs(now: number): number {
    if (this.#droppedAt === null) return 0;
    const quietAt = Math.max(this.#lastTokenAt, this.#droppedAt) + givenUpMs;
    if (now >= quietAt) this.#droppedAt = null;
    return Math.min(quietAt, (this.#droppedAt ?? 0) + longestDropMs) - now;
  }

  #finish(now: number): SpeechPiece {
    this.#isOpen = false;
    return this.#take(this.#text.length, true, now);
  }

  #take(length: number, isLast: boolean, receivedAt: number): SpeechPiece {
    const text = spokenForm(this.#text.slice(0, length));
    this.#text = this.#text.slice(length);
    return {
      kind: 'speech',
      cycle: this.#cycle,
      text,
      isLast,
      isInterruptible: this.#isInterruptible,
      isPreemptible: this.#isPreemptible,
      receivedAt,
    };
  }
}

/** A sentence ends at a mark before a space, except the period of a title or an initial. */
const sentenceEnd = /(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|[A-Z])\.)(?<=[.!?…]["'”’)]*)\s+/g;

/** Where the last whole sentence ends, with the space after it; 0 when there is none yet. */
function endOfSentences(text: string): number {
  let end = 0;
  for (const match of text.matchAll(sentenceEnd)) end = match.index + match[0].length;
  return end;
}

/** The synthesizer reads markup and does not speak it; characters that would look like it come escaped. */
function spokenForm(token: string): string {
  return token
    .replace(/<[^<>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
