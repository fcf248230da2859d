import { WaveformMeter } from './waveform.ts';

/** What a recording's bytes reveal. */
export interface WavFacts {
  readonly bytes: number;
  readonly channels: number;
  readonly durationSeconds: number;
  /** Loudness of each channel, as in `WaveformMeter`; null for audio that is not 16-bit PCM. */
  readonly waveform: readonly string[] | null;
}

/** The bytes are not a complete WAV recording. */
export class InvalidWav extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'InvalidWav';
  }
}

/** Placeholder lengths, meaning "until the end", of writers that could not go back to the header. */
const unknownLengths: ReadonlySet<number> = new Set([0, 0xffffffff]);
const maxHeaderBytes = 64 * 1024;

/**
 * Format tags of audio with equally sized samples, so that length and duration follow from each other (RFC 2361): PCM,
 * A-law and µ-law. Phone recordings use nothing else.
 */
const evenFormats: ReadonlyMap<number, readonly number[]> = new Map([
  [0x0001, [8, 16, 24, 32]],
  [0x0006, [8]],
  [0x0007, [8]],
]);
/** The real tag is in the first two bytes of a longer format's identifier. */
const extensibleFormat = 0xfffe;
const extensibleFormatOffset = 24;

interface WavFormat {
  readonly channels: number;
  readonly isPcm16: boolean;
  readonly bytesPerSecond: number;
}

interface WavHeader extends WavFormat {
  /** The file size it declares, or null if unknown. */
  readonly fileLength: number | null;
  readonly dataStart: number;
  readonly dataLength: number | null;
}

/**
 * Reads a streaming WAV file: keeps the header until the audio begins, then only counts. At the end it knows, from the
 * bytes rather than a report, whether the audio was complete and how long it is.
 */
export class WavInspector {
  #head = Buffer.alloc(0);
  #header: WavHeader | null = null;
  #waveform: WaveformMeter | null = null;
  #bytes = 0;

  /** Takes the next bytes. Throws `InvalidWav` as soon as they cannot be a WAV file. */
  push(chunk: Uint8Array): void {
    const start = this.#bytes;
    this.#bytes += chunk.byteLength;
    if (this.#header !== null) {
      this.#measure(this.#header, chunk, start);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    this.#header = readHeader(this.#head);
    if (this.#header !== null) {
      if (this.#header.isPcm16) this.#waveform = new WaveformMeter(this.#header.channels);
      this.#measure(this.#header, this.#head, 0);
      this.#head = Buffer.alloc(0);
    } else if (this.#head.length > maxHeaderBytes) throw new InvalidWav('no audio within the first 64 KiB');
  }

  /** @param start the chunk's offset in the file */
  #measure({ dataStart, dataLength }: WavHeader, chunk: Uint8Array, start: number): void {
    const end = dataStart + (dataLength ?? Number.POSITIVE_INFINITY) - start;
    if (end > 0) this.#waveform?.push(chunk.subarray(Math.max(0, dataStart - start), end));
  }

  /** Throws `InvalidWav` if something is missing at the end, or there is no audio at all. */
  finish(): WavFacts {
    if (this.#header === null) throw new InvalidWav('it ends before the audio begins');
    const { channels, bytesPerSecond, fileLength, dataStart, dataLength } = this.#header;
    const received = this.#bytes - dataStart;
    const audioBytes = dataLength ?? received;
    if (received < audioBytes) throw new InvalidWav('it ends before its audio does');
    if (fileLength !== null && this.#bytes < fileLength) throw new InvalidWav('it ends before the file does');
    if (audioBytes === 0) throw new InvalidWav('it holds no audio');
    return {
      bytes: this.#bytes,
      channels,
      durationSeconds: audioBytes / bytesPerSecond,
      waveform: this.#waveform?.finish() ?? null,
    };
  }
}

/** The complete header, or null while more bytes are needed. */
function readHeader(head: Buffer): WavHeader | null {
  if (head.length < 12) return null;
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') {
    throw new InvalidWav('it does not begin as a WAV file');
  }
  const riffLength = head.readUInt32LE(4);
  let format: WavFormat | null = null;
  let position = 12;
  while (position + 8 <= head.length) {
    const name = head.toString('latin1', position, position + 4);
    const length = head.readUInt32LE(position + 4);
    const content = position + 8;
    if (name === 'data') {
      if (format === null) throw new InvalidWav('its audio comes before the format');
      // A writer that did not know the length of the audio did not know the file's either.
      const isOpen = unknownLengths.has(length);
      return {
        ...format,
        fileLength: isOpen || unknownLengths.has(riffLength) ? null : riffLength + 8,
        dataStart: content,
        dataLength: isOpen ? null : length,
      };
    }
    if (name === 'fmt ') {
      if (head.length < content + length) return null;
      format = readFormat(head.subarray(content, content + length));
    }
    // Chunks are padded to an even length.
    position = content + length + (length % 2);
  }
  return null;
}

function readFormat(chunk: Buffer): WavFormat {
  if (chunk.length < 16) throw new InvalidWav('its format is cut short');
  const channels = chunk.readUInt16LE(2);
  if (channels < 1 || channels > 2) throw new InvalidWav('it has neither one channel nor two');
  const samplesPerSecond = chunk.readUInt32LE(4);
  const bytesPerSecond = chunk.readUInt32LE(8);
  const bitsPerSample = chunk.readUInt16LE(14);
  if (evenFormats.get(formatTag(chunk))?.includes(bitsPerSample) !== true) {
    throw new InvalidWav('its samples are of no even format');
  }
  if (samplesPerSecond === 0 || bytesPerSecond !== (samplesPerSecond * channels * bitsPerSample) / 8) {
    throw new InvalidWav('its data rate is not that of its samples');
  }
  return { channels, bytesPerSecond, isPcm16: formatTag(chunk) === 0x0001 && bitsPerSample === 16 };
}

function formatTag(chunk: Buffer): number {
  const tag = chunk.readUInt16LE(0);
  const isExtensible = tag === extensibleFormat && chunk.length >= extensibleFormatOffset + 2;
  return isExtensible ? chunk.readUInt16LE(extensibleFormatOffset) : tag;
}
