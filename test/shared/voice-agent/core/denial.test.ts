import { expect, test } from 'vitest';
import type { Callee } from '#shared/voice-agent/call-plan/call-plan.ts';
import { nobodyYet, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

test.each<[Callee, string, boolean]>([
  ['office', 'Private? No, no, this is a workshop, we fix braces.', false],
  ['office', "Nah, it's the rental shop.", false],
  ['office', 'Wrong number, this is a workshop, we fix braces.', true],
  ['office', 'No, this is my house.', true],
  ['office', 'No, we moved here in June.', true],
  ['clinic', "Nah, it's the rental shop.", true],
])('to be a business does not deny being an office (%s): "%s", %s', (callee, said, isDenied) => {
  const heard = understand(said, 3, { today: '2026-11-16', after: 'reach-question' });
  const party = partyAfter({ ...nobodyYet, is_asked: true }, heard, { callee, place: null }, false);
  expect(party.status === 'wrong').toBe(isDenied);
});
