import { expect, test } from 'vitest';
import { numbersIn, squeezed } from './spoken-numbers.ts';

test.each([
  ['$1,500.00 and 20%', [1500, 20]],
  ['fifteen hundred dollars', [1500]],
  ['three hundred and twenty dollars and fifty cents', [320, 320.5]],
  ['twelve fifty', [1250, 12.5]],
  ['the twenty-fourth at ten thirty', [24, 1030]],
  ['two thousand five hundred', [2500]],
  ['tomorrow at half past two', [230]],
  ['a quarter to three, or ten after 9', [245, 910]],
  ['quarter till one', [1245]],
])('%s contains %j', (text, numbers) => {
  expect([...numbersIn(text)]).toEqual(expect.arrayContaining(numbers));
});

test('numbers that were not said are not included', () => {
  expect(numbersIn('three hundred and twenty dollars').has(340)).toBe(false);
});

test('dictated numbers are equal in any grouping', () => {
  expect(squeezed('R F, four eight, 2-1-3')).toBe('RF48213');
  expect(squeezed('*771#')).toBe(squeezed('star seven seven one pound'));
});
