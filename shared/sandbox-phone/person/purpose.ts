import type { StaffedDesk } from './character.ts';
import type { Heard } from './heard.ts';
import { findPattern } from './pattern.ts';
import type { Turn } from './turn.ts';

/**
 * The caller's business. The desk with most of the caller's words wins; an open business is left for another only when
 * the caller's words do not fit it.
 */
export function understandPurpose(turn: Turn, heard: Heard): boolean {
  const { draft } = turn;
  const scores = turn.character.desks.map((desk) => ({ desk, score: purposeScore(desk, heard) }));
  const current = scores.find(({ desk }) => desk.desk === draft.desk);
  const best = scores.reduce<(typeof scores)[number] | undefined>(
    (top, one) => (one.score > (top?.score ?? 0) ? one : top),
    undefined,
  );
  if (current !== undefined && current.score > 0) {
    wantAppointment(turn, current.desk);
    return true;
  }
  if (best === undefined) return false;
  const staysWithCurrent = current !== undefined && draft.answered.length === 0 && draft.asking !== null;
  if (!staysWithCurrent) openDesk(turn, best.desk);
  return true;
}

/** How many of the words for this business occur. */
export function purposeScore(desk: StaffedDesk, heard: Heard): number {
  return desk.purpose.filter((pattern) =>
    heard.sentences.some((sentence) => findPattern(pattern, sentence.words) !== null),
  ).length;
}

export function openDesk(turn: Turn, desk: StaffedDesk): void {
  if (turn.draft.desk === desk.desk) return;
  turn.draft.desk = desk.desk;
  turn.draft.asking = null;
  wantAppointment(turn, desk);
}

function wantAppointment({ draft }: Turn, desk: StaffedDesk): void {
  if (desk.calendar !== undefined) draft.appointment = { ...draft.appointment, wanted: true };
}
