import { expect, test } from 'vitest';
import { transferIn } from '#shared/voice-agent/core/handover.ts';
import { hear } from './party-heard.ts';

test('putting something on is no handover', () => {
  expect(transferIn(hear('Let me put my reading glasses on.', false))).toBe(0);
  expect(transferIn(hear('Let me put my coat on.', false))).toBe(0);
  expect(transferIn(hear('Let me put my manager on.', false))).toBeGreaterThan(0.5);
});

test.each([
  "I'll grab the member number too.",
  "I'll take that ID too, if you've got it.",
  'Let me get her birthday off you while I have you.',
])('noting a fact transfers the call to no one: "%s"', (said) => {
  expect(transferIn(hear(said, false))).toBeLessThan(0.35);
  expect(transferIn(hear(`${said} Then I'll put you through to benefits.`, false))).toBeGreaterThan(0.5);
});
