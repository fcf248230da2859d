import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phoneNumberText, toE164, withWrittenNumbers } from '#shared/domain/written-phone-number.ts';

describe('a phone number', () => {
  test.each([
    ['+12025550143', '+1 (202) 555-0143'],
    ['+442079460018', '+44 20 7946 0018'],
    // No country writes it like this: shown unchanged.
    ['+12', '+12'],
    ['+4402079460018', '+4402079460018'],
  ])('is formatted for its country: %s', (number, text) => {
    expect(phoneNumberText(number)).toBe(text);
  });

  test('stays the same number when its formatted text is entered again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9]\d{1,14}$/), (number) => {
        expect(toE164(phoneNumberText(number), 'US')).toBe(number);
      }),
    );
  });

  test.each([
    ['011 44 20 7946 0018', 'US', '+442079460018'],
    ['020 7946 0018', 'GB', '+442079460018'],
    ['(202) 555-0143', 'CA', '+12025550143'],
    // An invalid country completes nothing.
    ['202 555 0143', 'ZZ', '2025550143'],
  ])('is completed by its country: %s in %s', (text, country, number) => {
    expect(toE164(text, country)).toBe(number);
  });
});

test('numbers within a text are formatted for reading; other text is unchanged', () => {
  expect(
    withWrittenNumbers('Fax: +12025550167. Or +442079460958, not +12, 20250 or +1202555016712345.'),
  ).toBe('Fax: +1 (202) 555-0167. Or +44 20 7946 0958, not +12, 20250 or +1202555016712345.');
});
