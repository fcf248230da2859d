import { expect, test } from 'vitest';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

test.each([
  ['prairie silver hmo', 'was there anything else you needed'],
  ['yup active', 'anything else'],
  ['it runs to the end of march', 'is there anything else i can help you with'],
  ['nobody has looked at it', 'do you need anything else'],
])('without punctuation, "%s" ends where "%s" begins', (told, ending) => {
  const { moves } = understand(`${told} ${ending}`, 1, { today: '2026-11-20', after: 'question' });
  const [first, ...rest] = moves.map(({ text }) => text);
  expect([first, rest.join(' ')]).toEqual([told, ending]);
});

test.each([
  "And the subscriber's first and last name?",
  'can you give me the first and last name of the dependent',
])('an ordinal stays with its noun: "%s"', (said) => {
  const { moves } = understand(said, 1, { today: '2026-11-20', after: 'question' });
  expect(moves.map(({ text }) => text)).toEqual([said]);
});

test.each([
  ['the desk is not outside', 'it is inside'],
  ["the room isn't upstairs", "it's downstairs"],
  ['a number for the reminder text,', "because ours here's from 2015."],
])('"%s" stands apart from "%s"', (first, second) => {
  const { moves } = understand(`${first} ${second}`, 1, { today: '2026-11-20', after: 'question' });
  expect(moves.map(({ text }) => text)).toEqual([first, second]);
});

test.each(['i am not sure it is covered', 'the claim is not late because it is new'])(
  'what is not so embeds what is: "%s"',
  (said) => {
    const { moves } = understand(said, 1, { today: '2026-11-20', after: 'question' });
    expect(moves.map(({ text }) => text)).not.toContain(said.slice(said.indexOf('it is')));
  },
);

test.each([
  ["And no, I'm not the recording.", false],
  ["I'm not talking to a recording.", true],
])('a person who is no machine refuses none: "%s"', (said, refuses) => {
  const { moves } = understand(said, 1, { today: '2026-11-20', after: 'opening' });
  expect(moves.some(({ act }) => act === 'refuses-machine')).toBe(refuses);
});

test('a filler belongs to the sentence that it starts', () => {
  const said = 'So, no. Um, did you need anything else?';
  const { moves } = understand(said, 1, { today: '2026-11-20', after: 'yes-no-question' });
  expect(moves.map(({ text }) => text)).toEqual(['So, no. Um,', 'did you need anything else?']);
});
