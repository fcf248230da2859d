import type { OpenBudget, ResponseBudget } from '#shared/lists/response-budget.ts';

/**
 * Lambda returns at most 6 MB, counted after it has escaped the response, itself JSON, as a JSON string. The remainder
 * is for headers and uncounted separators.
 */
const maxAnswerBytes = 5_500_000;

/** Counts the used part of a response. */
class ResponseSizeBudget implements ResponseBudget {
  #bytesLeft: number;

  /** @param whole what the response contains in any case */
  constructor(whole: unknown) {
    this.#bytesLeft = maxAnswerBytes - sizeInAnswer(whole);
  }

  /** Takes what `part` needs if enough is left; otherwise takes nothing and returns false. */
  take(part: unknown): boolean {
    const size = sizeInAnswer(part);
    if (size > this.#bytesLeft) return false;
    this.#bytesLeft -= size;
    return true;
  }
}

/** The capacity of a response. */
export const openResponseBudget: OpenBudget = (whole) => new ResponseSizeBudget(whole);

/** Bytes of a value in a response; the comma after it is counted with the surrounding quotation marks. */
function sizeInAnswer(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}
