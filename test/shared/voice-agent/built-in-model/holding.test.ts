import { expect, test } from 'vitest';
import { isHolding } from '#shared/voice-agent/built-in-model/holding.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { notice, outcomeOf } from './asked-item.ts';

test.each([
  ['One sec.', true],
  ["One sec, I'll try it by the date.", true],
  ["Hang on, that's a different tab.", true],
  ["Let me look in referrals. We can't schedule anybody without one.", false],
  ['Hang on. Okay, what else do you need?', false],
  ["One sec. No, I don't know that one.", false],
  ["Tuesday it is, and hold on to WS-1207, that's your number.", false],
])('whether "%s" asks us to wait', (said, expected) => {
  expect(isHolding(understand(said, 1, { today: '2026-11-20', after: 'question' }))).toBe(expected);
});

test.each(['Wait one, dock four is calling.', 'Hold one, line three.'])(
  'a small number beside a request to wait is no answer: "%s"',
  (said) => {
    expect(outcomeOf(notice, said).answers).not.toHaveProperty('question_0');
  },
);
