import type { Submission } from '#shared/domain/call.ts';

/** Shows whether the carrier accepted a call. */
export type SubmissionSign =
  /** The carrier identified the call: in its response, a report or its call list. */
  | 'found'
  /** Its response to our request was lost. */
  | 'answer-lost'
  /** Its call list has been missing the call for long enough. */
  | 'absent'
  /** It refused the number for good. */
  | 'refused';

/** Transitions from each state; an unlisted sign changes nothing. */
const transitions: Readonly<Record<Submission, Partial<Record<SubmissionSign, Submission>>>> = {
  claimed: { found: 'submitted', 'answer-lost': 'unknown', absent: 'abandoned', refused: 'abandoned' },
  unknown: { found: 'adopted', absent: 'abandoned', refused: 'abandoned' },
  submitted: {},
  adopted: {},
  abandoned: {},
};

/** The state that a sign leads to; null if it changes nothing. */
export function submissionAfter(submission: Submission, sign: SubmissionSign): Submission | null {
  return transitions[submission][sign] ?? null;
}
