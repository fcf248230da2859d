import { describe, expect, test } from 'vitest';
import { apiKeyPrefix, generateApiKey, hashApiKey, isWellFormedApiKey } from '#shared/api-keys/key-format.ts';

describe('an API key', () => {
  test('shows its kind of project and always has the same length', () => {
    expect(generateApiKey('sandbox')).toMatch(/^vat_test_[0-9A-Za-z]{49}$/);
    expect(generateApiKey('live')).toMatch(/^vat_live_[0-9A-Za-z]{49}$/);
    for (const byte of [0x00, 0xff]) {
      const key = generateApiKey('sandbox', new Uint8Array(32).fill(byte));
      expect(key).toHaveLength(58);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
  });

  test('contains 256 random bits, each of which changes it', () => {
    const keys = new Set<string>();
    for (let bit = 0; bit < 256; bit += 1) {
      const random = new Uint8Array(32);
      random[bit >> 3] = 1 << (bit & 7);
      keys.add(generateApiKey('sandbox', random));
    }
    expect(keys.size).toBe(256);
  });

  test('is recognized as invalid with one wrong, missing, doubled or swapped character', () => {
    const key = generateApiKey('sandbox');
    for (let position = 0; position < key.length; position += 1) {
      const [before, character, after] = [
        key.slice(0, position),
        key.charAt(position),
        key.slice(position + 1),
      ];
      const next = key.charAt(position + 1);
      const mistakes = [
        `${before}${character === 'x' ? 'y' : 'x'}${after}`,
        `${before}${after}`,
        `${before}${character}${character}${after}`,
      ];
      if (next !== '' && next !== character) mistakes.push(`${before}${next}${character}${after.slice(1)}`);
      for (const mistake of mistakes) expect(isWellFormedApiKey(mistake)).toBe(false);
    }
  });

  test.each([
    '',
    'Bearer',
    'vat_test_',
    `vat_prod_${'0'.repeat(49)}`,
    ` ${generateApiKey('live')}`,
    `${generateApiKey('live')}\n`,
  ])('is not %j', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  test('is recognizable by a prefix that reveals nothing', () => {
    const key = generateApiKey('live');
    expect(key.startsWith(apiKeyPrefix(key))).toBe(true);
    expect(apiKeyPrefix(key)).toHaveLength(13);
  });

  test('is hashed with SHA-256', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
