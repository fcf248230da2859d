import { describe, expect, test } from 'vitest';
import { play } from './scripted-caller.ts';
import { quiet, somePersona } from './some-person.ts';

const fee = 'What is the fee?';
const outspoken = {
  manners: {
    ...quiet.manners,
    repeating: ['Sure.'],
    asked_before: ['I told you already. {answer}'],
    asked_too_often: ['Not again.'],
  },
};

describe('a person who is asked the same question again', () => {
  test('answers twice, comments the third time, and refuses from then on', () => {
    const { heard } = play(somePersona(outspoken), fee, fee, fee, fee, fee);
    expect(heard.slice(1)).toEqual([
      'The fee is $40. It is due at the visit.',
      'The fee is $40. It is due at the visit.',
      'I told you already. The fee is $40. It is due at the visit.',
      'Not again.',
      'Not again.',
    ]);
  });

  test('counts each question separately', () => {
    const { heard } = play(
      somePersona(outspoken),
      fee,
      fee,
      'What is the fax number?',
      'What are your hours?',
    );
    expect(heard.join(' ')).not.toContain('I told you already');
  });

  test('repeats the first wording, not the repeated one', () => {
    const again = 'Could you repeat that, please?';
    const { heard } = play(somePersona(outspoken), fee, again, again, again, again);
    expect(heard.slice(2)).toEqual([
      'Sure. The fee is $40. It is due at the visit.',
      'Sure. The fee is $40. It is due at the visit.',
      'I told you already. The fee is $40. It is due at the visit.',
      'Not again.',
    ]);
  });

  test('does the same with an unanswerable question', () => {
    const ignorance = { manners: { ...outspoken.manners, do_not_know: ['No idea.'] } };
    const asked = 'Which brand of coffee does the doctor drink in the morning?';
    const { heard } = play(somePersona(ignorance), fee, asked, asked, asked, asked);
    expect(heard.slice(2)).toEqual(['No idea.', 'No idea.', 'I told you already. No idea.', 'Not again.']);
  });

  test('has a default comment', () => {
    const { heard, state } = play(somePersona(quiet), fee, fee, fee, fee);
    expect(heard[3]).toMatch(/\b(already|before|like i said)\b.*\$40/i);
    expect(heard[4]).not.toContain('$40');
    expect(state.told).toContain('fee');
  });
});
