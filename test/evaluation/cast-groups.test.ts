import { expect, test } from 'vitest';
import { castGroups } from './cast-groups.ts';
import { type Options, readOptions } from './options.ts';

function optionsOf(...args: string[]): Options {
  const options = readOptions(['--in-process', '--seeds', '1', ...args]);
  if (options === 'help') throw new Error('these are no options');
  return options;
}

test('the blind personas are called separately', async () => {
  const groups = await castGroups(optionsOf('--split', 'blind'));
  const own = new Set(groups.flatMap((group) => group.own.map(({ id }) => id)));
  const called = new Set(groups.flatMap(({ cast }) => cast.map(({ person }) => person.id)));
  expect(groups).toHaveLength(3);
  expect(called.size).toBeGreaterThan(0);
  expect(called).toEqual(own);
});

test('"all" excludes the blind personas', async () => {
  const blind = await castGroups(optionsOf('--split', 'blind'));
  const groups = await castGroups(optionsOf('--split', 'all'));
  const called = new Set(groups.flatMap(({ cast }) => cast.map(({ person }) => person.id)));
  expect(groups).toHaveLength(145);
  const own = blind.flatMap((group) => group.own);
  expect(own.filter(({ id }) => called.has(id))).toEqual([]);
}, 60_000);
