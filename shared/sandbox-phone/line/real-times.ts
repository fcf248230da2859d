/**
 * The person's time is simulated and may pass instantly, but an application needs real time to respond, whatever the
 * pace. These are its allowances in real milliseconds.
 */
export interface RealTimes {
  /**
   * First: the application may open before the person who picks up does; second: it responds to them after a cold
   * start.
   */
  readonly opening: { readonly early: number; readonly late: number };
  /** A silence counts as one only after this (or its natural length, if that is shorter). */
  readonly thinking: number;
  /** Frames that belong together arrive within this. */
  readonly settling: number;
  /** An answer to what the person said while the agent was already speaking arrives within this. */
  readonly answering: number;
  /** An answer to one of several utterances, or to a person about to look something up, arrives within this. */
  readonly aside: number;
  /** Another answer arrives within this when there were more prompts than answers. */
  readonly owing: number;
}

const opening = { early: 250, late: 3000 };
const patient = { opening, thinking: 7000, settling: 30, answering: 1500, aside: 300 };

/**
 * Calls at pace 0 have no listener and run in parallel, so they wait for an application only as long as it has
 * needed so far.
 * @param slowestMs its longest response time to a prompt so far; null before the first
 */
export function realTimes(pace: number, slowestMs: number | null): RealTimes {
  const owing = Math.min(patient.answering, Math.max(120, (slowestMs ?? 200) * 3));
  if (pace > 0) return { ...patient, owing };
  return {
    opening,
    thinking: slowestMs === null ? 5000 : Math.max(1500, slowestMs * 5),
    // Frames of one turn follow each other; the time of a whole turn shows how fast.
    settling: Math.min(15, Math.max(4, (slowestMs ?? 50) * 0.3)),
    answering: patient.answering,
    aside: Math.min(600, owing),
    owing,
  };
}

/** An application slower than this may just have been started, and its first words be old. */
export const startingUpMs = 150;
