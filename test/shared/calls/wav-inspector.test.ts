import { describe, expect, test } from 'vitest';
import { InvalidWav, type WavFacts, WavInspector } from '#shared/calls/wav-inspector.ts';
import { wavFile } from '../../support/wav-file.ts';

function inspect(bytes: Buffer, chunkSize: number): WavFacts {
  const inspector = new WavInspector();
  for (let start = 0; start < bytes.length; start += chunkSize) {
    inspector.push(bytes.subarray(start, start + chunkSize));
  }
  return inspector.finish();
}

describe('a whole recording', () => {
  const file = wavFile({ channels: 2, seconds: 1.5 });

  test.each([1, 7, 43, 44, 45, 1000, 1_000_000])('is understood in chunks of %i bytes', (chunkSize) => {
    expect(inspect(file, chunkSize)).toEqual({ bytes: file.length, channels: 2, durationSeconds: 1.5 });
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
    expect(inspect(bytes, 5)).toEqual({ bytes: bytes.length, channels: 2, durationSeconds: 1.5 });
  });

  test('may leave its length open, as a writer does that cannot go back', () => {
    for (const length of [0, 0xffffffff]) {
      const open = Buffer.from(file);
      open.writeUInt32LE(length, 40);
      expect(inspect(open, 999)).toMatchObject({ durationSeconds: 1.5 });
    }
  });
});

describe('anything else is refused', () => {
  const file = wavFile({ channels: 2, seconds: 1 });

  test('a file that ends too early, wherever that is', () => {
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
