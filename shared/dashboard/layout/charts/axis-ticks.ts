/**
 * Round tick values of an axis from 0: whole, evenly spaced, two to five of them, the last one not below the largest
 * value.
 *
 * @param largest what the axis must reach; a whole number
 */
export function axisTicks(largest: number): number[] {
  const step = stepFor(Math.max(largest, 1) / 4);
  const count = Math.ceil(Math.max(largest, 1) / step);
  return Array.from({ length: count + 1 }, (_, position) => position * step);
}

/** The smallest of 1, 2, 5, 10, 20, 50, … that is not below it. */
function stepFor(least: number): number {
  const power = 10 ** Math.max(Math.floor(Math.log10(least)), 0);
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
