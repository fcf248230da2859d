/**
 * Whether tests also take the many further cases for which a sample stands in `npm test`. `npm run test:full` runs the
 * test files that ask here, and CI runs it, too.
 */
export const inFull = process.env.IN_FULL === '1';

/** The steps at which a sweep interrupts some work, without an end: every fourth, or all of them. */
export function* sweptSteps(): Generator<number, never> {
  for (let step = inFull ? 1 : 2; ; step += inFull ? 1 : 4) yield step;
}
