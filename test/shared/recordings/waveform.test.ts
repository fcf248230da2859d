import { describe, expect, test } from 'vitest';
import { WaveformMeter } from '#shared/recordings/waveform.ts';

/** Interleaved 16-bit frames, with samples computed by a function of the frame. */
function audio(frames: number, ...channels: readonly ((frame: number) => number)[]): Buffer {
  const bytes = Buffer.alloc(frames * channels.length * 2);
  for (let frame = 0; frame < frames; frame += 1) {
    for (const [channel, sample] of channels.entries()) {
      bytes.writeInt16LE(sample(frame), (frame * channels.length + channel) * 2);
    }
  }
  return bytes;
}

function waveformOf(bytes: Buffer, channels: number, chunkSize: number): string[] {
  const meter = new WaveformMeter(channels);
  for (let start = 0; start < bytes.length; start += chunkSize) {
    meter.push(bytes.subarray(start, start + chunkSize));
  }
  return meter.finish();
}

const second = 8000;

describe('a waveform', () => {
  test.each([1, 3, 4, 1000, 1_000_000])('shows who is loud when, in chunks of %i bytes', (chunkSize) => {
    const first = (frame: number) => (frame < second ? 32_767 : 0);
    const other = (frame: number) => (frame < second ? 0 : -32_768);
    expect(waveformOf(audio(2 * second, first, other), 2, chunkSize)).toEqual([
      'f'.repeat(50) + '0'.repeat(50),
      '0'.repeat(50) + 'f'.repeat(50),
    ]);
  });

  test('has 80 to 160 parts for a recording of any length, and loses no short sound', () => {
    for (const seconds of [4, 60, 600]) {
      const click = (frame: number) => (frame === 3 * second ? 32_767 : 0);
      const [waveform = ''] = waveformOf(audio(seconds * second, click), 1, 64_000);
      expect(waveform.length, `${seconds} s`).toBeGreaterThanOrEqual(80);
      expect(waveform.length, `${seconds} s`).toBeLessThanOrEqual(160);
      const at = (waveform.indexOf('f') / waveform.length) * seconds;
      expect(Math.abs(at - 3), `${seconds} s`).toBeLessThan((2 * seconds) / 80);
    }
  });

  test('of nothing is empty', () => {
    expect(new WaveformMeter(2).finish()).toEqual(['', '']);
  });
});
