import { expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, told } from './told-in.ts';

test.each([
  ['Do you drive on Sundays?', 'Monday until Saturday. On the Sunday nobody.', 0, 0.8],
  ['Can the van take a wheelchair?', 'two of the three vans got a lift so yeah we can take a chair', 0.8, 1],
])('%s is answered by the whole of "%s"', (question, said, least, most) => {
  const item = clientItem('question_0', question, null, []);
  const heard = understand(said, 1, { today: '2026-11-16', after: 'yes-no-question' });
  const [found] = evidenceIn(heard, { ...benefits, items: [item] }, item);
  expect(found?.value).toBe(true);
  expect(found?.confidence).toBeGreaterThanOrEqual(least);
  expect(found?.confidence).toBeLessThan(most);
});

test('what follows a condition does not answer in its place', () => {
  const said = "Well, only after the twelfth visit. The first twelve you're fine.";
  expect(told(benefits, 'pre_authorization', said).pre_authorization ?? null).toBeNull();
});

test.each([
  ['in_network', "they're not out no in network"],
  ['service_covered', "it isn't excluded no therapy's covered"],
])('%s is not denied by a no that may end a denial of the opposite: "%s"', (key, said) => {
  expect(told(benefits, key, said)).not.toHaveProperty(key);
});

test.each(["no we don't cover that", "we don't cover that no"])(
  'a no is one beside a denial: "%s"',
  (said) => {
    expect(told(benefits, 'service_covered', said)).toEqual({ service_covered: false });
  },
);
