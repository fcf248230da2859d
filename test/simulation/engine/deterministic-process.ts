import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { SeededRandom } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { virtualDate } from './virtual-date.ts';

const RealDate = Date;
const { randomBytes, randomUUID } = crypto;

/**
 * Gives this process, including the embedded queue server and all of the scene, the simulated time and
 * randomness from the seed. The functions have their own.
 */
export function makeProcessDeterministic(clock: VirtualClock, random: SeededRandom): void {
  globalThis.Date = virtualDate(() => clock.nowMs, RealDate);
  Object.assign(crypto, {
    randomBytes: (count: number) => random.bytes(count),
    randomUUID: () => random.uuid(),
  });
  syncBuiltinESMExports();
}

export function makeProcessRealAgain(): void {
  globalThis.Date = RealDate;
  Object.assign(crypto, { randomBytes, randomUUID });
  syncBuiltinESMExports();
}
