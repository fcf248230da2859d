/** Twice as many parts at most as at least: each time there are too many, every two become one. */
const partsAtMost = 160;
/** 20 ms at 8 kHz, with which short recordings have enough parts. */
const firstPartFrames = 160;
/** Levels that one hexadecimal digit tells apart. */
const levels = 15;
const fullScale = 32768;

/**
 * Draws how loud each channel is, as 16-bit PCM streams by: one hexadecimal digit for each part of the recording. Memory
 * does not grow with its length.
 */
export class WaveformMeter {
  readonly #channels: number;
  readonly #peaks: number[][];
  #partFrames = firstPartFrames;
  /** Frames of the part that is being measured, which is the last one of the peaks. */
  #frames = 0;
  #carry = Buffer.alloc(0);

  constructor(channels: number) {
    this.#channels = channels;
    this.#peaks = Array.from({ length: channels }, () => []);
  }

  /** Takes the next bytes of the audio, wherever they were cut. */
  push(chunk: Uint8Array): void {
    const bytes = this.#carry.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#carry, chunk]);
    const frameBytes = this.#channels * 2;
    const end = bytes.length - (bytes.length % frameBytes);
    for (let at = 0; at < end; at += frameBytes) {
      if (this.#frames === 0) this.#startPart();
      for (const [channel, peaks] of this.#peaks.entries()) {
        const last = peaks.length - 1;
        peaks[last] = Math.max(peaks[last] ?? 0, Math.abs(bytes.readInt16LE(at + channel * 2)));
      }
      this.#frames = (this.#frames + 1) % this.#partFrames;
    }
    this.#carry = bytes.subarray(end);
  }

  /** One text for each channel. Quiet speech is shown larger than it is, so that it can be seen beside loud speech. */
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
