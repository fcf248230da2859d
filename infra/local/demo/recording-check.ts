/** What a recording's bytes reveal. */
export interface RecordingFacts {
  readonly channels: number;
  readonly sampleRate: number;
  readonly durationSeconds: number;
  /** Root mean square of each channel's samples, 0 to 1: about 0.05 to 0.2 for speech, 0 for silence. */
  readonly loudness: readonly number[];
}

/**
 * Reads a 16-bit PCM WAV file (RIFF, little-endian). Throws a descriptive error for anything else, or when the length
 * does not match the header.
 */
export function inspectRecording(wav: Buffer): RecordingFacts {
  if (wav.toString('latin1', 0, 4) !== 'RIFF' || wav.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('not a RIFF/WAVE file');
  }
  let format: { channels: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= wav.length; ) {
    const id = wav.toString('latin1', at, at + 4);
    const size = wav.readUInt32LE(at + 4);
    const body = at + 8;
    if (id === 'fmt ') {
      if (wav.readUInt16LE(body) !== 1 || wav.readUInt16LE(body + 14) !== 16)
        throw new Error('not 16-bit PCM');
      format = { channels: wav.readUInt16LE(body + 2), sampleRate: wav.readUInt32LE(body + 4) };
    }
    if (id === 'data') {
      if (format === undefined) throw new Error('the data chunk comes before the format');
      if (body + size > wav.length)
        throw new Error(`truncated: ${wav.length - body} of ${size} bytes of sound`);
      return { ...format, ...measure(wav.subarray(body, body + size), format) };
    }
    at = body + size + (size % 2);
  }
  throw new Error('no sound in the file');
}

/** The minimum loudness of an audible channel. */
const audible = 0.005;

export function isAudibleOnBothChannels(facts: RecordingFacts): boolean {
  return facts.channels === 2 && facts.durationSeconds > 1 && facts.loudness.every((rms) => rms > audible);
}

function measure(
  data: Buffer,
  { channels, sampleRate }: { channels: number; sampleRate: number },
): { durationSeconds: number; loudness: number[] } {
  const frames = Math.floor(data.length / 2 / channels);
  const squares = new Array<number>(channels).fill(0);
  for (let frame = 0; frame < frames; frame += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      const sample = data.readInt16LE((frame * channels + channel) * 2) / 32768;
      squares[channel] = (squares[channel] ?? 0) + sample * sample;
    }
  }
  return {
    durationSeconds: frames / sampleRate,
    loudness: squares.map((sum) => Math.sqrt(sum / Math.max(frames, 1))),
  };
}
