import { expect, test } from 'vitest';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import { allPersonas, type Casting } from '../cast.ts';
import { judge } from '../judging/judge.ts';
import { openModelUnderTest } from '../model-under-test.ts';
import { holdInProcess, type Studio } from './hold-in-process.ts';

const { personas } = bundledDirectory();
const studio: Studio = {
  model: openModelUnderTest(),
  people: personas,
  at: new Date('2026-11-20T15:00:00Z'),
  noise: 0,
};

function castingOf(id: string, seed = 0): Casting {
  const casting = allPersonas(personas, personas, seed + 1).find(
    (one) => one.person.id === id && one.seed === seed,
  );
  if (casting === undefined) throw new Error(`nobody is called ${id}`);
  return casting;
}

test('a conversation ends and can be judged', async () => {
  const held = await holdInProcess(studio, castingOf('clinic-front-desk'));
  expect(held).toMatchObject({ taskStatus: 'COMPLETED', modelErrors: [] });
  expect(held.called?.booked?.moment).toMatch(/^2026-11-/);
  expect(held.transcript.length).toBeGreaterThan(5);
  expect(judge(held)).toMatchObject({ isGood: true, wrongFacts: [] });
});

test('the same call has the same course', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(() => holdInProcess(studio, castingOf('insurer-provider-line'))),
  );
  expect(one?.transcript).toEqual(other?.transcript);
  expect(one?.result).toEqual(other?.result);
});

test('a persona that is busy twice is called three times', async () => {
  const held = await holdInProcess(studio, castingOf('busy-twice'));
  expect(held.taskStatus).toBe('COMPLETED');
  expect(held.transcript.length).toBeGreaterThan(0);
});

test('unreachable personas have no transcript', async () => {
  const person = personas.find(({ id }) => id === 'not-in-service');
  if (person === undefined) throw new Error('that number is in service');
  const held = await holdInProcess(studio, { ...castingOf('clinic-front-desk'), person });
  expect(held).toMatchObject({ taskStatus: 'FAILED', result: null, transcript: [], called: null });
});

test('days are local to the called place, also in the evening', async () => {
  // A Saturday evening in America, already Sunday in UTC.
  const evening: Studio = { ...studio, at: new Date('2026-11-22T02:00:00Z') };
  const monday: Studio = { ...studio, at: new Date('2026-11-24T02:00:00Z') };
  for (const { at } of [evening, monday]) {
    const held = await holdInProcess({ ...studio, at }, castingOf('clinic-front-desk'));
    const verdict = judge(held);
    expect(verdict).toMatchObject({ isGood: true, wrongFacts: [] });
    expect(verdict.factsReported).toBe(verdict.factsTold);
  }
  // Three working days after a Monday, not after the Tuesday that it is in UTC.
  const held = await holdInProcess(monday, castingOf('clinic-front-desk'));
  expect(held.called?.booked?.moment.slice(0, 10)).toBe('2026-11-26');
});

test('the spoken words are kept beside the words heard on a noisy line', async () => {
  const held = await holdInProcess({ ...studio, noise: 1 }, castingOf('clinic-front-desk'));
  const heard = held.transcript.filter(({ role }) => role === 'user');
  expect(heard.some(({ said, content }) => said !== undefined && said !== content)).toBe(true);
});
