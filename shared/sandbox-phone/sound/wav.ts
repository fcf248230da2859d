import { endianness } from 'node:os';

/** Telephone sound: 16-bit samples at this rate. */
export const telephoneSampleRate = 8000;

const headerBytes = 44;

/** Telephone sound as a 16-bit PCM WAV file (RIFF, little-endian). Pads shorter channels with silence. */
export function encodeWav(channels: readonly Int16Array[]): Buffer {
  const frames = Math.max(0, ...channels.map((channel) => channel.length));
  const frameBytes = channels.length * 2;
  const wav = Buffer.alloc(headerBytes + frames * frameBytes);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels.length, 22);
  wav.writeUInt32LE(telephoneSampleRate, 24);
  wav.writeUInt32LE(telephoneSampleRate * frameBytes, 28);
  wav.writeUInt16LE(frameBytes, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(frames * frameBytes, 40);
  const body = new Int16Array(wav.buffer, wav.byteOffset + headerBytes, frames * channels.length);
  for (const [index, channel] of channels.entries()) {
    for (let at = 0; at < channel.length; at += 1) {
      body[at * channels.length + index] = channel[at] ?? 0;
    }
  }
  // Calls are minutes long, so samples are written as the machine has them; all that Lambda runs on are little-endian.
  if (endianness() === 'BE') wav.subarray(headerBytes).swap16();
  return wav;
}

export interface DecodedWav {
  readonly sampleRate: number;
  readonly channels: readonly Int16Array[];
}

/** Reads a 16-bit PCM WAV file; throws a descriptive error for any other. */
export function decodeWav(wav: Buffer): DecodedWav {
  if (wav.toString('latin1', 0, 4) !== 'RIFF' || wav.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('not a RIFF/WAVE file');
  }
  let format: { channelCount: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= wav.length; ) {
    const id = wav.toString('latin1', at, at + 4);
    const size = wav.readUInt32LE(at + 4);
    const body = at + 8;
    if (id === 'fmt ') {
      if (wav.readUInt16LE(body) !== 1 || wav.readUInt16LE(body + 14) !== 16) {
        throw new Error('not 16-bit PCM');
      }
      format = { channelCount: wav.readUInt16LE(body + 2), sampleRate: wav.readUInt32LE(body + 4) };
    }
    if (id === 'data') {
      if (format === undefined) throw new Error('the data chunk comes before the format chunk');
      const { channelCount, sampleRate } = format;
      // A writer that streams leaves the size open, so what is there counts.
      const available = Math.min(size, wav.length - body);
      const frames = Math.floor(available / 2 / channelCount);
      const channels = Array.from({ length: channelCount }, (_, channel) => {
        const samples = new Int16Array(frames);
        for (let frame = 0; frame < frames; frame += 1) {
          samples[frame] = wav.readInt16LE(body + (frame * channelCount + channel) * 2);
        }
        return samples;
      });
      return { sampleRate, channels };
    }
    at = body + size + (size % 2);
  }
  throw new Error('no data chunk');
}

/** One channel that holds all of them at equal shares, so that nothing can clip. */
export function mixDown(channels: readonly Int16Array[]): Int16Array {
  const length = Math.max(0, ...channels.map((channel) => channel.length));
  const mixed = new Int16Array(length);
  for (let at = 0; at < length; at += 1) {
    let sum = 0;
    for (const channel of channels) sum += channel[at] ?? 0;
    mixed[at] = Math.round(sum / channels.length);
  }
  return mixed;
}
