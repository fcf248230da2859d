import type { LikelyValue } from './meant-value.ts';

/** What a clause says about an item. */
export interface ClauseValue {
  readonly key: string;
  /** Null if the words give no definite value. */
  readonly value: string | number | boolean | null;
  /** In words. */
  readonly answer: string;
  readonly quote: string;
  readonly turn: number;
  /** 0 to 1 */
  readonly confidence: number;
  /** Applies only under a condition in the quote. */
  readonly isConditional: boolean;
  /** The value is denied, or past. */
  readonly isGone?: boolean;
  /** How likely it is the one that is meant of the values in the reply. */
  readonly likely?: Omit<LikelyValue, 'entity'>;
}
