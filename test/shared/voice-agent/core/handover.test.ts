import { expect, test } from 'vitest';
import { transferIn } from '#shared/voice-agent/core/handover.ts';
import { hear } from './party-heard.ts';

test('putting something on is no handover', () => {
  expect(transferIn(hear('Let me put my reading glasses on.', false))).toBe(0);
  expect(transferIn(hear('Let me put my coat on.', false))).toBe(0);
  expect(transferIn(hear('Let me put my manager on.', false))).toBeGreaterThan(0.5);
});
