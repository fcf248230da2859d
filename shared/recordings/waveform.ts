/** The maximum is twice the minimum: when there are too many parts, adjacent ones merge. */
const partsAtMost = 160;
/** 20 ms at 8 kHz, so that short recordings have enough parts. */
const firstPartFrames = 160;
/** Levels that one hexadecimal digit tells apart. */
const levels = 15;
const fullScale = 32768;

/**
 * Measures each channel's loudness in streaming 16-bit PCM: one hexadecimal digit per part. Memory does not grow with
 * the length.
 */
export class WaveformMeter {
  readonly #channels: number;
  readonly #peaks: number[][];
  #partFrames = firstPartFrames;
  /** Frames measured so far of the last peak's part. */
  #frames = 0;
  #carry = Buffer.alloc(0);

  constructor(channels: number) {
    this.#channels = channels;
    this.#peaks = Array.from({ length: channels }, () => []);
  }

  /** Takes the next bytes of the audio, however they are split. */
  push(chunk: Uint8Array): void {
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const end = bytes.length - (bytes.length % (this.#channels * 2));
    // Most chunks are aligned for 16-bit numbers; a copy always is. WAV and Lambda's processors are little-endian.
    const aligned = bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes);
    const samples = new Int16Array(aligned.buffer, aligned.byteOffset, end / 2);
    this.#carry = Buffer.from(bytes.subarray(end));
    const frames = samples.length / this.#channels;
    for (let frame = 0; frame < frames; ) {
      if (this.#frames === 0) this.#startPart();
      const partEnd = Math.min(frames, frame + this.#partFrames - this.#frames);
      for (const [channel, peaks] of this.#peaks.entries()) {
        const first = frame * this.#channels + channel;
        const peak = loudest(samples, first, partEnd * this.#channels, this.#channels);
        peaks.push(Math.max(peaks.pop() ?? 0, peak));
      }
      this.#frames = (this.#frames + partEnd - frame) % this.#partFrames;
      frame = partEnd;
    }
  }

  /** One text per channel. Quiet speech is scaled up, so that it stays visible beside loud speech. */
  finish(): string[] {
    return this.#peaks.map((peaks) =>
      peaks.map((peak) => Math.round(levels * Math.sqrt(peak / fullScale)).toString(16)).join(''),
    );
  }

  #startPart(): void {
    if ((this.#peaks[0]?.length ?? 0) >= partsAtMost) {
      for (const peaks of this.#peaks) {
        const merged = Array.from({ length: partsAtMost / 2 }, (_, part) =>
          Math.max(peaks[2 * part] ?? 0, peaks[2 * part + 1] ?? 0),
        );
        peaks.splice(0, peaks.length, ...merged);
      }
      this.#partFrames *= 2;
    }
    for (const peaks of this.#peaks) peaks.push(0);
  }
}

/** The peak of every `stride`th sample. A hot loop over millions of samples, so kept simple. */
function loudest(samples: Int16Array, first: number, end: number, stride: number): number {
  let peak = 0;
  for (let at = first; at < end; at += stride) {
    const sample = samples[at] ?? 0;
    const level = sample < 0 ? -sample : sample;
    if (level > peak) peak = level;
  }
  return peak;
}
