import type { CallAnswer } from '#shared/domain/call-result.ts';

/** Whether the service itself marks this answer for review. */
export function needsReview({ needs_review }: CallAnswer): boolean {
  return needs_review === true;
}

/** An open question marked for review says nothing, so nothing wrong. */
export function saysSomething(answer: CallAnswer): boolean {
  return answer.value !== null || (answer.answer !== null && !needsReview(answer));
}
