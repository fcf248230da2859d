import { describe, expect, test } from 'vitest';
import { conductOf } from './conduct.ts';
import type { Exchange } from './exchanges.ts';
import { exchange, someHeld } from './some-held.ts';

const conductIn = (...exchanges: Partial<Exchange>[]) =>
  conductOf(someHeld({ called: { exchanges: exchanges.map(exchange) } }));
const notice = 'Hello, this is an automated assistant. This call is recorded.';

describe('repeated sentences', () => {
  const asked = { heard: 'Have I reached the right office?', says: ['What?'] };

  test('count from the third time on', () => {
    expect(conductIn(asked, asked).repeats).toEqual([]);
    expect(conductIn(asked, asked, asked).repeats).toEqual(['3 times "have i reached the right office"']);
  });

  test('count for each listener', () => {
    expect(conductIn(asked, asked, { ...asked, stage: 'other' }).repeats).toEqual([]);
  });

  test('do not count on request', () => {
    const again = { ...asked, about: ['say again'] };
    expect(conductIn(again, again, again, again).repeats).toEqual([]);
    const told = {
      heard: 'The birth date is March 5th, 1979.',
      says: ['And the birthday?'],
      about: ['ask birth'],
    };
    expect(conductIn(told, told, told, told).repeats).toEqual([]);
  });

  test('do not count if everyone says them', () => {
    const thanks = { heard: 'All right, thank you.' };
    expect(conductIn(thanks, thanks, thanks).repeats).toEqual([]);
  });
});

describe("the person's questions", () => {
  const asks = { says: ['What is her birthday?'], about: ['ask birth'] };

  test.each([
    ['a question of our own', 'Is the coverage active?', true],
    ['an acknowledgement and a question', 'All right. Is the coverage active?', true],
    ['the answer', 'March 5th, 1979. Is the coverage active?', false],
    ['the reason why there is none', 'I do not have that.', false],
    ['what has to come before', 'First, to be sure: is this Maple Health?', false],
  ])('are answered by %s: ignored %s', (_, heard, isIgnored) => {
    expect(conductIn(asks, { heard }).ignoredQuestions).toEqual(isIgnored ? ['What is her birthday?'] : []);
  });

  test('do not count if only the beginning of our words was heard', () => {
    expect(conductIn(asks, { heard: 'Is', wasCut: true }).ignoredQuestions).toEqual([]);
  });
});

describe('the notice', () => {
  test('must reach every person who speaks with us', () => {
    expect(conductIn({ heard: notice }).unnotified).toEqual([]);
    expect(conductIn({ heard: notice }, { heard: 'Is it active?', stage: 'colleague' }).unnotified).toEqual([
      'colleague',
    ]);
  });

  test('says both that a machine calls and that it records', () => {
    expect(conductIn({ heard: 'Hello, this is an automated assistant.' }).unnotified).toEqual(['person']);
  });

  test('is not required for machines, or for people who hear nothing', () => {
    expect(conductIn({ heard: 'Benefits.', isHuman: false, stage: 'menu' }).unnotified).toEqual([]);
    expect(conductIn({ says: ['Hello?'] }).unnotified).toEqual([]);
  });
});
