import { expect, test } from 'vitest';
import { talk } from '../../../support/conversation.ts';

const task = { task_type: 'SCHEDULE_APPOINTMENT', task: 'Schedule a physical.' } as const;

/** Far above what a turn takes and far below what a hang takes; the machine may be busy. */
const generousMs = 20_000;

test.each(['oh boy', 'there now', 'or at', 'so it would be', 'okay then', 'call me back again', 'no, no'])(
  'no speech holds the agent, however often it repeats "%s"',
  { timeout: generousMs },
  (words) => {
    for (const times of [40, 400, 5000]) {
      const { replies } = talk(task, ['Lakeside Clinic, this is Dana.', `${words} `.repeat(times)]);
      expect(replies).toHaveLength(2);
    }
  },
);

test('of a very long speech the beginning is interpreted, and the rest is noted', () => {
  const { record } = talk(task, ['Lakeside Clinic, this is Dana.', 'The parking is behind us. '.repeat(200)]);
  expect(record.follow_ups).toEqual([
    'The person said more in one go than was interpreted; the transcript has all of it.',
  ]);
});
