/** Where an entity stands in the original text, its words, and how sure it is that they mean this. */
interface Found {
  /** Offsets into the original text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The words, verbatim. */
  readonly text: string;
  /** 0 to 1; below 0.6 the words may as well mean something else and should be asked for again. */
  readonly certainty: number;
}

export interface DateValue {
  /** `YYYY-MM-DD`; the first day of the span when a week, month or year is meant. */
  readonly day: string;
  /** The last day of the span; `day` itself for single days. */
  readonly lastDay: string;
  readonly precision: 'day' | 'week' | 'month' | 'year';
  /** The duration that was said instead of a date ("in two weeks"), as it may be meant as no more than that. */
  readonly offset?: QuantityValue;
}

export interface QuantityValue {
  readonly value: number;
  readonly unit: string;
}

export type DateEntity = Found & { readonly type: 'date'; readonly value: DateValue };
/** Minutes since midnight. */
export type TimeEntity = Found & { readonly type: 'time'; readonly value: number };
/** "Between 9 and 11", "after 2", "in the morning"; minutes since midnight, 0 and 1440 where an end is open. */
export type TimeRangeEntity = Found & {
  readonly type: 'time-range';
  readonly value: { readonly from: number; readonly to: number; readonly daypart: string | null };
};
/** A day and a clock time that belong together. */
export type MomentEntity = Found & {
  readonly type: 'moment';
  readonly value: { readonly day: string; readonly minutes: number };
};
/** Dollars. "Twelve fifty" is 1,250 or 12.50: the likelier one is the value, the other an alternative. */
export type MoneyEntity = Found & {
  readonly type: 'money';
  readonly value: number;
  readonly alternatives?: readonly number[];
};
export type PercentEntity = Found & { readonly type: 'percent'; readonly value: number };
export type QuantityEntity = Found & { readonly type: 'quantity'; readonly value: QuantityValue };
/** A number whose meaning the words do not tell. */
export type NumberEntity = Found & { readonly type: 'number'; readonly value: number };
/** Upper case, with the dashes and slashes that were said or written. */
export type IdentifierEntity = Found & { readonly type: 'identifier'; readonly value: string };
/** E.164 */
export type PhoneEntity = Found & { readonly type: 'phone'; readonly value: string };
/** The name with which the speaker introduces themselves. */
export type NameEntity = Found & { readonly type: 'name'; readonly value: string };
/** `Dr. Okafor` */
export type ProviderEntity = Found & { readonly type: 'provider'; readonly value: string };

export type Entity =
  | DateEntity
  | TimeEntity
  | TimeRangeEntity
  | MomentEntity
  | MoneyEntity
  | PercentEntity
  | QuantityEntity
  | NumberEntity
  | IdentifierEntity
  | PhoneEntity
  | NameEntity
  | ProviderEntity;

export type EntityType = Entity['type'];

export interface EntityContext {
  /** The day at the place that is called, `YYYY-MM-DD`. */
  readonly today: string;
  /** Where days lie that are named without a year: appointments ahead (the default), payments behind. */
  readonly direction?: 'past' | 'future';
  /** The day or the month (`YYYY-MM`) spoken of before, to which "the 9th" and "Thursday" refer. */
  readonly anchor?: string | null;
  /** What was asked for: a bare "forty" is money when an amount was, a bare "dana" a name. */
  readonly expecting?: readonly EntityType[];
}
