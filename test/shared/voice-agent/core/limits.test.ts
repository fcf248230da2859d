import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits } from './told-in.ts';

/* Replies that limit their yes or no, in whatever words. */

function answerTo(question: string, said: string) {
  const item = clientItem('question_0', question, null, []);
  const heard = understand(said, 1, { today: '2026-11-16', after: 'yes-no-question' });
  return evidenceIn(heard, { ...benefits, items: [item] }, item)[0];
}

test.each([
  ['Can you take a scooter on board?', "We can, but it has to fold up. The lift's at the garage."],
  ['Do you see children?', 'From age nine up we do.'],
  ['May her daughter pick up the films?', 'With a signed slip and a picture ID she may.'],
  ['Is a referral needed?', 'Not for the first six visits. From the seventh on we need one.'],
  ['Do you fit custom braces?', 'Just for knees and ankles.'],
  [
    'Do you service scooters that were bought online?',
    'We do brakes, tires and mirrors, but not the engine or wiring.',
  ],
])('asked "%s", "%s" is neither yes nor no', (question, said) => {
  expect(answerTo(question, said)).toMatchObject({ value: null, quote: said, isConditional: true });
});

describe('what is added to a plain answer does not limit it', () => {
  test.each([
    ['Do you see children?', "We do, there's a whole corner with toys.", true],
    ['Is there parking?', "There's a lot behind the building, two dollars a day.", true],
    ['Do you see children?', 'No, we quit that when Dr. Pell retired. She was the one who did it.', false],
  ])('asked "%s": "%s"', (question, said, value) => {
    expect(answerTo(question, said)?.value).toBe(value);
  });
});

test.each([
  ['Do you take walk-ins?', 'It runs about ten business days.'],
  ['Is parking free?', "The lot's behind the building, off Tanner Street."],
  ['Do you see children?', 'Dr. Pell does the ears and Dr. Hart does the eyes.'],
])('asked "%s", words that tell something else are neither yes nor no: "%s"', (question, said) => {
  const { value = null, confidence = 0 } = answerTo(question, said) ?? {};
  expect(value).toBeNull();
  expect(confidence).toBeLessThan(0.5);
});
