import { expect, test } from 'vitest';
import { ask, type PickedUp, peopleOf, rowsOf } from './verify-strangers.ts';

const desk: PickedUp = {
  who: 'a desk',
  callee: 'clinic',
  is_stranger: false,
  says: ['Lindqvist Dermatology, this is Kit.', 'Yes.'],
};
const home: PickedUp = {
  who: 'a man at home',
  callee: 'clinic',
  is_stranger: true,
  says: ['Hello?', 'No, you have the wrong number.', 'Good-bye.'],
};

test('people are asked until they are the right party or a wrong number', () => {
  expect(ask(desk)).toEqual({ person: desk, status: 'verified', heard: desk.says.slice(0, 1) });
  expect(ask(home)).toEqual({ person: home, status: 'wrong', heard: home.says.slice(0, 2) });
});

test('strangers and desks are counted by what was called', () => {
  const child: PickedUp = { ...home, who: 'a child', says: ['hi', 'yes'] };
  const silent: PickedUp = { ...desk, says: ['Hm.'] };
  const rows = rowsOf([desk, silent, home, child].map(ask));
  expect(rows.find(({ callee }) => callee === 'clinic')).toEqual({
    callee: 'clinic',
    strangers: 2,
    mistaken: 1,
    right: 2,
    verified: 1,
  });
  expect(rows.find(({ callee }) => callee === 'office')).toMatchObject({ strangers: 0, right: 0 });
});

test.each(['dev', 'blind'])(
  'the people of %s are many, and of both kinds for everything that is called',
  (split) => {
    const rows = rowsOf(peopleOf(split).map((person) => ({ person, status: 'unverified', heard: [] })));
    for (const { strangers, right } of rows) expect(Math.min(strangers, right)).toBeGreaterThanOrEqual(30);
  },
);
