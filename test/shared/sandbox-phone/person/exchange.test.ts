import { expect, test } from 'vitest';
import { calledPerson } from '#shared/sandbox-phone/person/called-person.ts';
import { CalledPerson } from '#shared/sandbox-phone/store/sandbox-call.ts';
import { play } from './scripted-caller.ts';
import { quiet, somePersona } from './some-person.ts';

test('a call leaves an account of words heard, words said, and their topics', () => {
  const { state } = play(somePersona(quiet), 'What is the fee?', 'I would like to make an appointment.');
  expect(state.exchanges.map(({ heard, says, about }) => ({ heard, says, about }))).toEqual([
    { heard: null, says: ['Maple Street Clinic, Ines speaking.'], about: ['greeting'] },
    {
      heard: 'What is the fee?',
      says: ['The fee is $40. It is due at the visit.'],
      about: expect.arrayContaining(['topic fee']),
    },
    {
      heard: 'I would like to make an appointment.',
      says: ['Who is it for?'],
      about: expect.arrayContaining(['ask patient_name']),
    },
  ]);
});

test('a late answer belongs to its earlier question', () => {
  const traits = { looks_up: { likelihood: 1, says: ['One moment.'], ms: [1000, 1000] } };
  const { state } = play(somePersona({ ...quiet, temper: traits }), 'What is the fee?');
  const late = state.exchanges.at(-1);
  expect(late?.heard).toBeNull();
  expect(late?.says.join(' ')).toContain('$40');
  expect(late?.about).toContain('topic fee');
});

test('it distinguishes machines from people, and who heard what', () => {
  const line = {
    first: 'menu',
    stages: {
      menu: { kind: 'menu', says: ['For the desk, press 1.'], choices: { 1: { to: 'person' } } },
    },
  };
  const { state } = play(somePersona({ ...quiet, line }), { keys: '1' }, 'What is the fee?');
  expect(state.exchanges.map(({ stage, isHuman, heard }) => [stage, isHuman, heard])).toEqual([
    ['menu', false, null],
    ['person', true, null],
    ['person', true, 'What is the fee?'],
  ]);
});

test('the account can be stored', () => {
  const character = somePersona(quiet);
  const { state } = play(character, 'What is the fee?');
  const account = calledPerson(character, state);
  expect(CalledPerson.parse(JSON.parse(JSON.stringify(account)))).toEqual(account);
  expect(account).toMatchObject({ id: 'receptionist', told: ['fee'], booked: null });
  expect(calledPerson(character, null)).toMatchObject({ told: [], exchanges: [] });
});
