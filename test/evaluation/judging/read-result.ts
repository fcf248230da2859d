import type { CallAnswer } from '#shared/domain/call-result.ts';

/** Whether the service itself says that somebody should look at this answer. */
export function needsReview({ needs_review }: CallAnswer): boolean {
  return needs_review === true;
}

/** An open question that is marked for review says nothing, and so nothing wrong. */
export function saysSomething(answer: CallAnswer): boolean {
  return answer.value !== null || (answer.answer !== null && !needsReview(answer));
}
