import { chance, chanceBetween } from '#shared/sandbox-phone/person/seeded.ts';

/** When and how the stack is killed. */
export interface Kill {
  /** `starting`: before the stack responds; `running`: in the middle of its work. */
  readonly moment: 'starting' | 'running';
  /** Since the start of the process, or since the stack first responded. */
  readonly afterMs: number;
  /** `group`: the process that runs the stack; `everything`: at the same instant also the servers that it started. */
  readonly extent: 'group' | 'everything';
  /** Until the next start. None at all is the hardest case, because killed processes may not be gone yet. */
  readonly pauseMs: number;
}

const longestRunMs = 6_000;
const longestPauseMs = 1_500;
/** One kill out of this many hits a start, the others work in progress. */
const killsPerStart = 3;

/**
 * One kill of a seed; the same arguments give the same kill.
 *
 * @param index counts the kills of a run from 0
 * @param startMs how long an undisturbed start takes on this machine
 */
export function planKill(seed: string, index: number, startMs: number): Kill {
  const occasion = `kill ${index}`;
  const firstStart = chanceBetween(seed, 'first start', 0, killsPerStart - 1);
  const moment = index % killsPerStart === firstStart ? 'starting' : 'running';
  const longestMs = moment === 'starting' ? startMs : longestRunMs;
  const isFollowedAtOnce = chance(seed, `${occasion} at once`) < 0.5;
  return {
    moment,
    afterMs: chanceBetween(seed, `${occasion} after`, 0, longestMs),
    extent: chance(seed, `${occasion} extent`) < 0.5 ? 'group' : 'everything',
    pauseMs: isFollowedAtOnce ? 0 : chanceBetween(seed, `${occasion} pause`, 1, longestPauseMs),
  };
}

export function describeKill({ moment, afterMs, extent }: Kill): string {
  const when = moment === 'starting' ? 'into the start' : 'after it answered';
  return `${(afterMs / 1000).toFixed(1)} s ${when}, ${extent === 'group' ? 'its own process' : 'all its processes'}`;
}
