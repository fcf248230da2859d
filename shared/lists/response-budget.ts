/** The capacity of a response. The sender knows it; use cases only ask. */
export interface ResponseBudget {
  /** Takes what `part` needs if enough is left; otherwise takes nothing and returns false. */
  take(part: unknown): boolean;
}

/** Begins a response that contains `whole` in any case. */
export type OpenBudget = (whole: unknown) => ResponseBudget;
