import { durationMs } from '../sound/synthesizer.ts';
import { telephoneSampleRate } from '../sound/wav.ts';
import type { SpokenLine } from '../store/sandbox-call.ts';

export type Speaker = SpokenLine['speaker'];

interface Stretch {
  readonly speaker: Speaker;
  readonly startMs: number;
  readonly samples: Int16Array;
}

/** Everything that sounded on a line, by natural time since the call began. */
export class SoundTrack {
  readonly #stretches: Stretch[] = [];
  readonly #lines: SpokenLine[] = [];

  play(speaker: Speaker, startMs: number, samples: Int16Array): void {
    this.#stretches.push({ speaker, startMs, samples });
  }

  /** Cuts off what a speaker is saying now; the rest was never heard. */
  cutAt(speaker: Speaker, atMs: number): void {
    for (const [index, stretch] of this.#stretches.entries()) {
      if (stretch.speaker !== speaker) continue;
      const kept = Math.max(0, samplesIn(atMs - stretch.startMs));
      if (kept >= stretch.samples.length) continue;
      this.#stretches[index] = { ...stretch, samples: stretch.samples.subarray(0, kept) };
    }
  }

  note(line: SpokenLine): void {
    this.#lines.push(line);
  }

  /** The transcript with its offsets counted from `originMs`. */
  linesFrom(originMs: number): SpokenLine[] {
    return this.#lines.map((line) => ({
      ...line,
      start_ms: Math.max(0, line.start_ms - originMs),
      end_ms: Math.max(0, line.end_ms - originMs),
    }));
  }

  /** One speaker's channel between two moments. */
  channel(speaker: Speaker, fromMs: number, toMs: number): Int16Array {
    const length = Math.max(0, samplesIn(toMs - fromMs));
    const channel = new Int16Array(length);
    for (const stretch of this.#stretches) {
      if (stretch.speaker !== speaker) continue;
      const offset = samplesIn(stretch.startMs - fromMs);
      const first = Math.max(0, -offset);
      const kept = stretch.samples.subarray(first, Math.max(first, length - offset));
      if (kept.length > 0) channel.set(kept, offset + first);
    }
    return channel;
  }

  /** First and last moment with sound between the two, for a recording whose silence is trimmed. */
  soundingPart(fromMs: number, toMs: number): { fromMs: number; toMs: number } {
    const starts = this.#stretches.map((stretch) => stretch.startMs);
    const ends = this.#stretches.map((stretch) => stretch.startMs + durationMs(stretch.samples));
    const from = Math.max(fromMs, Math.min(...starts, toMs));
    return { fromMs: from, toMs: Math.max(from, Math.min(toMs, Math.max(...ends, from))) };
  }
}

function samplesIn(ms: number): number {
  return Math.round((ms * telephoneSampleRate) / 1000);
}
