import type { OpenBudget, ResponseBudget } from '#shared/lists/response-budget.ts';

/**
 * Lambda returns 6 MB at most, counted after it has put the answer, which is JSON text already, into a JSON string
 * once more. What is left of the 6 MB is for headers and the separators that are not counted.
 */
const maxAnswerBytes = 5_500_000;

/** Counts how much of one answer is used up. */
class ResponseSizeBudget implements ResponseBudget {
  #bytesLeft: number;

  /** @param whole what the answer holds in any case */
  constructor(whole: unknown) {
    this.#bytesLeft = maxAnswerBytes - sizeInAnswer(whole);
  }

  /** Takes what `part` needs if there is that much left; otherwise takes nothing and says so. */
  take(part: unknown): boolean {
    const size = sizeInAnswer(part);
    if (size > this.#bytesLeft) return false;
    this.#bytesLeft -= size;
    return true;
  }
}

/** What an answer of these functions can hold. */
export const openAnswerBudget: OpenBudget = (whole) => new ResponseSizeBudget(whole);

/** Bytes that a value takes in an answer; the comma after it is counted with the quotation marks around it. */
function sizeInAnswer(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}
