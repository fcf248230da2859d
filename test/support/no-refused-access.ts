import { afterAll, expect } from 'vitest';
import { stack } from './stack.ts';

/* In every stack test: functions tried nothing that they may not do in production. */
afterAll(async () => {
  const response = await fetch(`${stack().controlUrl}/refused-access`);
  expect(await response.json(), 'requests that the roles of functions do not allow').toEqual([]);
});
