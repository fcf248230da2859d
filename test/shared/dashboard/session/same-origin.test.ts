import { describe, expect, test } from 'vitest';
import { isFromOwnPage } from '#shared/dashboard/session/same-origin.ts';

describe('a request counts as coming from our own pages', () => {
  const origin = 'https://tasks.example.com';
  test.each([
    [{ 'sec-fetch-site': 'same-origin', origin }, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ origin }, true],
    [{}, false],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example.com' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
    [{ origin: 'https://tasks.example.com.evil.example.com' }, false],
  ])('by its headers %j: %s', (headers: Record<string, string>, isOurs) => {
    expect(isFromOwnPage((name) => headers[name], origin)).toBe(isOurs);
  });
});
