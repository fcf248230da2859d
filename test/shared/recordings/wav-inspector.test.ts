import { describe, expect, test } from 'vitest';
import { InvalidWav, type WavFacts, WavInspector } from '#shared/recordings/wav-inspector.ts';
import { wavFile } from '../../support/wav-file.ts';

function inspect(bytes: Buffer, chunkSize: number): WavFacts {
  const inspector = new WavInspector();
  for (let start = 0; start < bytes.length; start += chunkSize) {
    inspector.push(bytes.subarray(start, start + chunkSize));
  }
  return inspector.finish();
}

describe('a complete recording', () => {
  const file = wavFile({ channels: 2, seconds: 1.5 });

  test.each([1, 7, 43, 44, 45, 1000, 1_000_000])('is parsed in chunks of %i bytes', (chunkSize) => {
    expect(inspect(file, chunkSize)).toEqual({
      bytes: file.length,
      channels: 2,
      durationSeconds: 1.5,
      waveform: ['5'.repeat(75), '5'.repeat(75)],
    });
  });

  test('may have one channel', () => {
    expect(inspect(wavFile({ channels: 1, seconds: 2 }), 512)).toMatchObject({
      channels: 1,
      durationSeconds: 2,
    });
  });

  test('may have other chunks before and after its audio', () => {
    const extra = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')]);
    const bytes = Buffer.concat([file.subarray(0, 12), extra, file.subarray(12), extra]);
    expect(inspect(bytes, 5)).toMatchObject({
      bytes: bytes.length,
      durationSeconds: 1.5,
      waveform: ['5'.repeat(75), '5'.repeat(75)],
    });
  });

  test('is complete only with the data after its audio', () => {
    const extra = Buffer.concat([Buffer.from('LIST'), Buffer.from([4, 0, 0, 0]), Buffer.from('abcd')]);
    const bytes = Buffer.concat([file, extra]);
    bytes.writeUInt32LE(bytes.length - 8, 4);
    expect(inspect(bytes, 500).bytes).toBe(bytes.length);
    expect(() => inspect(bytes.subarray(0, -1), 500)).toThrow(InvalidWav);
  });

  test('may leave its length open, as a streaming writer does', () => {
    for (const length of [0, 0xffffffff]) {
      const open = Buffer.from(file);
      open.writeUInt32LE(length, 40);
      expect(inspect(open, 999)).toMatchObject({ durationSeconds: 1.5 });
    }
  });
});

describe('the sample format', () => {
  /** A second of silence, 8000 samples of one byte. */
  function eightBit(tag: number, extension = Buffer.alloc(0)): Buffer {
    const format = Buffer.alloc(16);
    format.writeUInt16LE(tag, 0);
    format.writeUInt16LE(1, 2);
    format.writeUInt32LE(8000, 4);
    format.writeUInt32LE(8000, 8);
    format.writeUInt16LE(1, 12);
    format.writeUInt16LE(8, 14);
    return riff([chunk('fmt ', Buffer.concat([format, extension])), chunk('data', Buffer.alloc(8000, 0xff))]);
  }

  function chunk(name: string, content: Buffer): Buffer {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content]);
  }

  function riff(chunks: Buffer[]): Buffer {
    return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));
  }

  test.each([
    ['PCM', 1],
    ['A-law', 6],
    ['µ-law', 7],
  ])('may be %s', (_, tag) => {
    expect(inspect(eightBit(tag), 100)).toMatchObject({
      channels: 1,
      durationSeconds: 1,
      waveform: null,
    });
    // With the length of a missing extension, as many µ-law encoders write it.
    expect(inspect(eightBit(tag, Buffer.alloc(2)), 100)).toMatchObject({ durationSeconds: 1 });
  });

  test('may have the extended header', () => {
    const extension = Buffer.alloc(24);
    extension.writeUInt16LE(22, 0);
    extension.writeUInt16LE(7, 8);
    expect(inspect(eightBit(0xfffe, extension), 100)).toMatchObject({ durationSeconds: 1 });
  });

  test.each([
    ['ADPCM', 2],
    ['MP3', 0x55],
    ['named by a longer form that is not there', 0xfffe],
  ])('may not be one without a constant data rate: %s', (_, tag) => {
    expect(() => inspect(eightBit(tag), 100)).toThrow(InvalidWav);
  });

  test('must fit the data rate', () => {
    const file = wavFile({ channels: 2, seconds: 1 });
    file.writeUInt32LE(8000, 28);
    expect(() => inspect(file, 100)).toThrow(InvalidWav);
  });
});

describe('anything else is refused', () => {
  const file = wavFile({ channels: 2, seconds: 1 });

  test('a truncated file at any position', () => {
    for (let length = 0; length < file.length; length += 97) {
      expect(() => inspect(file.subarray(0, length), 64), `${length} bytes`).toThrow(InvalidWav);
    }
  });

  test.each([
    ['text', Buffer.from('{"code":20404,"message":"not found"}')],
    [
      'silence without end',
      Buffer.concat([file.subarray(0, 12), Buffer.from('JUNK'), Buffer.alloc(100_000, 1)]),
    ],
    ['no audio', wavFile({ channels: 2, seconds: 0 })],
    ['three channels', wavFile({ channels: 3, seconds: 1 })],
  ])('%s', (_, bytes) => {
    expect(() => inspect(bytes, 4096)).toThrow(InvalidWav);
  });
});
