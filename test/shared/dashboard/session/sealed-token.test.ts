import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';

const key = randomBytes(32);
const hour = 3_600_000;

describe('a sealed token', () => {
  test('opens to its content, and reveals nothing of it', async () => {
    const sealer = tokenSealer(async () => key);
    const token = await sealer.seal('session', { email: 'owner@clinic.example.com' }, 60);
    expect(await sealer.open('session', token)).toEqual({ email: 'owner@clinic.example.com' });
    const parts = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(parts.join()).not.toContain('owner');
  });

  test('opens only for its own purpose', async () => {
    const sealer = tokenSealer(async () => key);
    const token = await sealer.seal('sign-in', { to: '/' }, 60);
    expect(await sealer.open('session', token)).toBe(null);
  });

  test('does not open after it expires', async () => {
    let now = Date.parse('2026-11-21T12:00:00Z');
    const sealer = tokenSealer(
      async () => key,
      () => now,
    );
    const token = await sealer.seal('session', {}, 8 * 3600);
    now += 8 * hour - 1000;
    expect(await sealer.open('session', token)).toEqual({});
    now += 1000;
    expect(await sealer.open('session', token)).toBe(null);
  });

  test.each([
    ['changed', (token: string) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
    ['cut', (token: string) => token.slice(0, 40)],
    ['empty', () => ''],
    ['not encrypted at all', () => 'eyJhbGciOiJub25lIn0.eyJjb250ZW50Ijp7fX0.'],
  ])('that is %s does not open', async (_, change) => {
    const sealer = tokenSealer(async () => key);
    expect(await sealer.open('session', change(await sealer.seal('session', {}, 60)))).toBe(null);
  });

  test('of another key does not open', async () => {
    const token = await tokenSealer(async () => randomBytes(32)).seal('session', {}, 60);
    expect(await tokenSealer(async () => key).open('session', token)).toBe(null);
  });

  test('does not sign people out if the key cannot be read', async () => {
    const token = await tokenSealer(async () => key).seal('session', {}, 60);
    const sealer = tokenSealer(async () => {
      throw new Error('no key');
    });
    await expect(sealer.open('session', token)).rejects.toThrow('no key');
  });
});
