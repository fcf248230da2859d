import type { Voice } from '../sound/synthesizer.ts';
import { durationMs } from '../sound/synthesizer.ts';
import type { SpokenLine } from '../store/sandbox-call.ts';
import type { LineContext } from './line-context.ts';
import { startLine } from './speak.ts';
import type { SpeechPiece } from './talk-cycles.ts';

/** One talk cycle of the application as it sounds on the line, piece by piece. */
export class AgentSpeech {
  readonly #context: LineContext;
  readonly #voice: Voice;
  readonly #startMs: number;
  #line: SpokenLine | null = null;
  /** The heard part of the cycle, exactly as the application sent it. */
  #heard = '';

  constructor(context: LineContext, voice: Voice) {
    this.#context = context;
    this.#voice = voice;
    this.#startMs = context.clock.elapsedMs;
  }

  /** What a listener has heard, without needless space. */
  get text(): string {
    return plain(this.#heard);
  }

  /** What the carrier reports of a cycle interrupted here. */
  get untilCut(): { utteranceUntilInterrupt: string; durationUntilInterruptMs: number } {
    return {
      utteranceUntilInterrupt: this.#heard,
      durationUntilInterruptMs: this.#context.clock.elapsedMs - this.#startMs,
    };
  }

  /** Speaks a piece, which takes its natural time. */
  async speak(text: string): Promise<void> {
    const { clock, track, speech, passTime } = this.#context;
    this.#heard += text;
    if (plain(text) === '') return;
    this.#line ??= startLine(this.#context, 'agent', '');
    this.#line.text = this.text;
    const samples = await speech(plain(text), this.#voice);
    track.play('agent', clock.elapsedMs, samples);
    this.#line.end_ms = clock.elapsedMs + durationMs(samples);
    await passTime(durationMs(samples));
  }

  /**
   * How much of the piece is heard when the listener interrupts after so many words of the cycle (null: does not);
   * null for all of it.
   */
  cutAfter(words: number | null, { text }: SpeechPiece): string | null {
    if (words === null) return null;
    const left = words - wordCount(this.#heard);
    if (wordCount(text) <= left) return null;
    return left <= 0 ? '' : (new RegExp(`^(?:\\s*\\S+){${left}}`).exec(text)?.[0] ?? '');
  }
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
