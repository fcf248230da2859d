import { createHash } from 'node:crypto';

/**
 * Reproducible chance: a number in [0, 1) that depends only on the two texts, without generator state, so the person
 * stays a pure function.
 */
export function chance(seed: string, occasion: string): number {
  const digest = createHash('sha256').update(`${seed}\n${occasion}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/** A whole number from `low` to `high`, both included. */
export function chanceBetween(seed: string, occasion: string, low: number, high: number): number {
  return low + Math.floor(chance(seed, occasion) * (high - low + 1));
}

/** `#` becomes a digit and everything else stays: `RF#####` gives RF48213. */
export function chanceDigits(seed: string, occasion: string, pattern: string): string {
  let position = 0;
  return pattern.replace(/#/g, () => {
    position += 1;
    return String(chanceBetween(seed, `${occasion} ${position}`, position === 1 ? 1 : 0, 9));
  });
}
