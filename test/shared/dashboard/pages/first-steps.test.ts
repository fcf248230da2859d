import { expect, test } from 'vitest';
import { sandboxNumbers } from '#shared/dashboard/pages/first-steps.tsx';
import { bundledDirectory, personaAt } from '#shared/sandbox-phone/personas/directory.ts';

test('each listed number reaches a different persona', () => {
  const directory = bundledDirectory();
  const people = sandboxNumbers.map(({ number }) => personaAt(directory, number));
  expect(people.every(({ numbers }) => !numbers.includes('*'))).toBe(true);
  expect(new Set(people.map(({ id }) => id)).size).toBe(sandboxNumbers.length);
});
