/** How much one response can hold. The sender knows; use cases only ask. */
export interface ResponseBudget {
  /** Takes what `part` needs if there is that much left; otherwise takes nothing and returns false. */
  take(part: unknown): boolean;
}

/** Begins a response that holds `whole` in any case. */
export type OpenBudget = (whole: unknown) => ResponseBudget;
