import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newFormToken, readFormToken } from '#shared/dashboard/session/form-token.ts';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';
import type { Person } from '#shared/domain/person.ts';

const key = randomBytes(32);
const hour = 3_600_000;

describe('a form', () => {
  const sealer = tokenSealer(async () => key);
  const owner: Person = { subject: 'demo-owner', email: 'owner@clinic.example.com', name: null };

  test('names the person it was made for, even after they sign in again', async () => {
    expect(await readFormToken(sealer, await newFormToken(sealer, owner))).toBe('demo-owner');
  });

  test('is valid for a day', async () => {
    let now = Date.parse('2026-11-21T12:00:00Z');
    const sealerOfThen = tokenSealer(
      async () => key,
      () => now,
    );
    const token = await newFormToken(sealerOfThen, owner);
    now += 24 * hour - 1000;
    expect(await readFormToken(sealerOfThen, token)).toBe('demo-owner');
    now += 1000;
    expect(await readFormToken(sealerOfThen, token)).toBe(null);
  });

  test.each([
    ['no token', async () => null],
    ['an empty token', async () => ''],
    ['part of a token', async () => (await newFormToken(sealer, owner)).slice(0, -4)],
    [
      'a token of another key',
      () =>
        newFormToken(
          tokenSealer(async () => randomBytes(32)),
          owner,
        ),
    ],
    ['the cookie of a session', () => sealer.seal('session', { person: owner, subject: 'demo-owner' }, 60)],
  ])('with %s belongs to no one', async (_, sent) => {
    expect(await readFormToken(sealer, await sent())).toBe(null);
  });
});
