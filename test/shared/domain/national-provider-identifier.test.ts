import { describe, expect, test } from 'vitest';
import { isNationalProviderIdentifier } from '#shared/domain/national-provider-identifier.ts';

describe('a National Provider Identifier', () => {
  // The first is the example of the standard; the others differ from it in one digit and in two that changed places.
  test.each([
    ['1234567893', true],
    ['1234567890', false],
    ['1234567983', false],
    ['123456789', false],
    ['12345678933', false],
    ['3234567893', false],
    ['123456789x', false],
    ['', false],
  ])('%s: %s', (text, holds) => {
    expect(isNationalProviderIdentifier(text)).toBe(holds);
  });

  test('differs from every number with one wrong digit', () => {
    const npi = '1245319599';
    expect(isNationalProviderIdentifier(npi)).toBe(true);
    for (const [place, digit] of [...npi].entries()) {
      for (const other of '0123456789'.replace(digit, '')) {
        const slip = `${npi.slice(0, place)}${other}${npi.slice(place + 1)}`;
        expect(isNationalProviderIdentifier(slip)).toBe(false);
      }
    }
  });
});
