import { describe, expect, test } from 'vitest';
import { AddressRange, isWithin } from '#shared/domain/address-range.ts';

describe('a range of addresses', () => {
  test.each(['192.0.2.7', '198.51.100.0/24', '0.0.0.0/0', '2001:db8::/32', '2001:db8::1', '10.0.0.1/32'])(
    'may be %s',
    (text) => {
      expect(AddressRange.safeParse(text).success).toBe(true);
    },
  );

  test.each([
    '',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.0/33',
    '192.0.2.0/',
    '2001:db8::/129',
    'localhost',
    '::/x',
  ])('may not be "%s"', (text) => {
    expect(AddressRange.safeParse(text).success).toBe(false);
  });

  test.each([
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '192.0.2.8', false],
    [['198.51.100.0/24', '192.0.2.7'], '198.51.100.255', true],
    [['198.51.100.0/24'], '198.51.101.0', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['0.0.0.0/0'], '', false],
    [['0.0.0.0/0'], 'unknown', false],
  ])('%j contains %s: %s', (ranges, address, isHeld) => {
    expect(isWithin(ranges, address)).toBe(isHeld);
  });
});
