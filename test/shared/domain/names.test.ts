import { expect, test } from 'vitest';
import { givenName } from '#shared/domain/names.ts';

const Name = givenName(10);

test.each(['', ' \t\n', 'a\u0000b', 'a\nb', '\u200b', 'a\u202eb', 'a\ufffdb', 'abcdefghijk'])(
  'nothing can be named %j',
  (name) => {
    expect(Name.safeParse(name).success).toBe(false);
  },
);

test.each([
  [' Night duty ', 'Night duty'],
  ['Zoe\u0308', 'Zo\u00eb'],
  ['  abcdefghij', 'abcdefghij'],
])('%j is kept without outer spaces, in composed form', (name, kept) => {
  expect(Name.parse(name)).toBe(kept);
});
