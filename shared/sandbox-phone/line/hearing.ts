import type { AgentSpeech } from './agent-speech.ts';
import type { SpeechPiece } from './talk-cycles.ts';

/** What the person hears from the agent until it falls silent: one or more talk cycles. */
export class Hearing {
  /** When the person began to listen, on the clock of `performance.now()`. */
  readonly beganAt = performance.now();
  readonly #speeches: { readonly cycle: number; readonly speech: AgentSpeech }[] = [];

  /** Whether it is the first of the call, when an application on a cold start may open late. */
  readonly isFirst: boolean;
  /** Whether the last talk cycle may be the application's opening rather than an answer. */
  isOpening = false;
  /** Pieces of the last talk cycle. */
  pieces = 0;

  constructor(isFirst: boolean) {
    this.isFirst = isFirst;
  }

  get cycles(): number {
    return this.#speeches.length;
  }

  get text(): string {
    return this.#speeches
      .map(({ speech }) => speech.text)
      .filter((text) => text !== '')
      .join(' ');
  }

  /** Whether this was said before the person's or machine's first words. */
  isOpeningOf({ receivedAt }: SpeechPiece): boolean {
    return this.isFirst && this.cycles === 0 && receivedAt < this.beganAt;
  }

  hasBegun({ cycle }: SpeechPiece): boolean {
    return this.#speeches.at(-1)?.cycle === cycle;
  }

  /** The cycle that the piece belongs to. */
  speechOf({ cycle }: SpeechPiece, create: () => AgentSpeech): AgentSpeech {
    const last = this.#speeches.at(-1);
    this.pieces = last?.cycle === cycle ? this.pieces + 1 : 1;
    if (last?.cycle === cycle) return last.speech;
    const speech = create();
    this.#speeches.push({ cycle, speech });
    return speech;
  }
}
