/** What a clause says about an item. */
export interface ClauseValue {
  readonly key: string;
  /** Null when no definite value can be made of the words. */
  readonly value: string | number | boolean | null;
  /** In words. */
  readonly answer: string;
  readonly quote: string;
  readonly turn: number;
  /** 0 to 1 */
  readonly confidence: number;
  /** It holds only under a condition that the quote names. */
  readonly isConditional: boolean;
  /** The value is denied, or said of what is over. */
  readonly isGone?: boolean;
}
