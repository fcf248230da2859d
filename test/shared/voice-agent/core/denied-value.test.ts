import { expect, test } from 'vitest';
import { denialOf } from '#shared/voice-agent/core/yes-no-value.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits } from './told-in.ts';

test.each([
  ["i don't show a coinsurance for therapy it's a copay benefit", 0.9],
  ["I don't see a coinsurance on here, just the copay.", 0.9],
  ['There is no coinsurance.', 0.9],
])('whoever sees none in the file knows that there is none: "%s"', (said, least) => {
  expect(denialIn(said)).toBeGreaterThanOrEqual(least);
});

test.each(["I don't see the coinsurance.", 'Hm, that I do not see.'])(
  'whoever does not see it does not know: "%s"',
  (said) => {
    expect(denialIn(said)).toBe(0);
  },
);

function denialIn(said: string): number {
  const [item] = benefits.items.filter(({ key }) => key === 'coinsurance');
  if (item === undefined) throw new Error('no such item');
  const { moves } = understand(said, 3, { today: '2026-11-16', after: 'question' });
  return Math.max(...moves.map((move) => denialOf(item, move)));
}
