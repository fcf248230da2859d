/**
 * The person's time is natural and may pass at once, but an application needs real time to think, however fast the
 * simulated clock runs. These are the real times that it is given, in milliseconds.
 */
export interface RealTimes {
  /**
   * In the first, the application may begin to speak before somebody who picks up does; in the second, it answers them
   * when it is being started just then and has begun only after them.
   */
  readonly opening: { readonly early: number; readonly late: number };
  /** A silence counts as one only after this (or its natural length, if that is shorter). */
  readonly thinking: number;
  /** In this, frames that belong together arrive. */
  readonly settling: number;
  /** In this, an answer comes to what the person said while the agent was already speaking of something else. */
  readonly answering: number;
  /** In this, an answer comes to one of several utterances, or to somebody who is about to look something up. */
  readonly aside: number;
  /** In this, another answer comes when there were more prompts than answers. */
  readonly owing: number;
}

const opening = { early: 250, late: 3000 };
const patient = { opening, thinking: 7000, settling: 30, answering: 1500, aside: 300 };

/**
 * Nobody listens to calls that take no time, and many of them run at once, so they wait for an application only as long
 * as it has shown to need.
 * @param slowestMs the longest time in which it has answered a prompt so far; null when it has not answered any
 */
export function realTimes(pace: number, slowestMs: number | null): RealTimes {
  const owing = Math.min(patient.answering, Math.max(120, (slowestMs ?? 200) * 3));
  if (pace > 0) return { ...patient, owing };
  return {
    opening,
    thinking: slowestMs === null ? 5000 : Math.max(1500, slowestMs * 5),
    // Frames of one turn come one right after the other; how fast, the time for a whole turn tells.
    settling: Math.min(15, Math.max(4, (slowestMs ?? 50) * 0.3)),
    answering: patient.answering,
    aside: Math.min(600, owing),
    owing,
  };
}

/** An application that takes longer than this to answer may have been started just now, and its first words be old. */
export const startingUpMs = 150;
