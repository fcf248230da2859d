import { expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, told } from './told-in.ts';

const asked = (question: string, said: string) => {
  const item = clientItem('question_0', question, null, []);
  const heard = understand(said, 1, { today: '2026-11-16', after: 'yes-no-question' });
  return evidenceIn(heard, { ...benefits, items: [item] }, item)[0];
};

test('a question is answered by a whole sentence', () => {
  const said = 'two of the three vans got a lift so yeah we can take a chair';
  const found = asked('Can the van take a wheelchair?', said);
  expect(found?.value).toBe(true);
  expect(found?.confidence).toBeGreaterThanOrEqual(0.8);
});

test.each(['Monday until Saturday. On the Sunday nobody.', 'We drive Saturday, not Sunday.'])(
  'another day is no yes for the one asked about: "%s"',
  (said) => {
    expect(asked('Do you drive on Sundays?', said)?.value ?? null).not.toBe(true);
  },
);

test('nor does another day deny it', () => {
  const found = asked('Do you drive on Saturdays?', 'We drive Saturday, not Sunday.');
  expect(found?.value === false && found.confidence >= 0.8).toBe(false);
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

test('no appointment is a yes to one without', () => {
  expect(asked('Can visitors walk in without an appointment?', 'No appointment.')?.value).toBe(true);
});
