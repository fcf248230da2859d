/** The certainty of a share: the limits, from 0 to 1, between which it lies with 95 % certainty. */
export type Interval = readonly [low: number, high: number];

const z = 1.959964;

/** Wilson's score interval, which is valid for few conversations and for shares close to none or all. */
export function wilsonInterval(part: number, whole: number): Interval {
  if (whole === 0) return [0, 1];
  const share = part / whole;
  const spread = z * Math.sqrt((share * (1 - share) + (z * z) / (4 * whole)) / whole);
  const center = share + (z * z) / (2 * whole);
  const scale = 1 + (z * z) / whole;
  return [Math.max(0, (center - spread) / scale), Math.min(1, (center + spread) / scale)];
}
