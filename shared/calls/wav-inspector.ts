/** What the bytes of a recording say about it. */
export interface WavFacts {
  readonly bytes: number;
  readonly channels: number;
  readonly durationSeconds: number;
}

/** The bytes are not a whole WAV recording. */
export class InvalidWav extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'InvalidWav';
  }
}

/** A writer that could not go back to its header leaves one of these for "until the end". */
const unknownLengths: ReadonlySet<number> = new Set([0, 0xffffffff]);
const maxHeaderBytes = 64 * 1024;

interface WavHeader {
  readonly channels: number;
  readonly bytesPerSecond: number;
  readonly dataStart: number;
  readonly dataLength: number | null;
}

/**
 * Reads a WAV file as it streams by: keeps the header until the audio begins, then only counts. Says at the end whether
 * the audio was whole, and how long it is, from the bytes and not from what somebody reported.
 */
export class WavInspector {
  #head = Buffer.alloc(0);
  #header: WavHeader | null = null;
  #bytes = 0;

  /** Takes the next bytes. Throws `InvalidWav` as soon as they cannot be a WAV file. */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#header !== null) return;
    this.#head = Buffer.concat([this.#head, chunk]);
    this.#header = readHeader(this.#head);
    if (this.#header !== null) this.#head = Buffer.alloc(0);
    else if (this.#head.length > maxHeaderBytes) throw new InvalidWav('no audio within the first 64 KiB');
  }

  /** Throws `InvalidWav` when audio is missing at the end, or altogether. */
  finish(): WavFacts {
    if (this.#header === null) throw new InvalidWav('it ends before the audio begins');
    const { channels, bytesPerSecond, dataStart, dataLength } = this.#header;
    const received = this.#bytes - dataStart;
    const audioBytes = dataLength ?? received;
    if (received < audioBytes) throw new InvalidWav('it ends before its audio does');
    if (audioBytes === 0) throw new InvalidWav('it holds no audio');
    return { bytes: this.#bytes, channels, durationSeconds: audioBytes / bytesPerSecond };
  }
}

/** The header once all of it is there, null as long as more bytes are needed. */
function readHeader(head: Buffer): WavHeader | null {
  if (head.length < 12) return null;
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') {
    throw new InvalidWav('it does not begin as a WAV file');
  }
  let format: Pick<WavHeader, 'channels' | 'bytesPerSecond'> | null = null;
  let position = 12;
  while (position + 8 <= head.length) {
    const name = head.toString('latin1', position, position + 4);
    const length = head.readUInt32LE(position + 4);
    const content = position + 8;
    if (name === 'data') {
      if (format === null) throw new InvalidWav('its audio comes before the format');
      return { ...format, dataStart: content, dataLength: unknownLengths.has(length) ? null : length };
    }
    if (name === 'fmt ') {
      if (head.length < content + 16) return null;
      format = readFormat(head, content);
    }
    // Chunks are padded to an even length.
    position = content + length + (length % 2);
  }
  return null;
}

function readFormat(head: Buffer, start: number): Pick<WavHeader, 'channels' | 'bytesPerSecond'> {
  const channels = head.readUInt16LE(start + 2);
  const bytesPerSecond = head.readUInt32LE(start + 8);
  if (channels < 1 || channels > 2) throw new InvalidWav('it has neither one channel nor two');
  if (bytesPerSecond === 0) throw new InvalidWav('its format has no data rate');
  return { channels, bytesPerSecond };
}
