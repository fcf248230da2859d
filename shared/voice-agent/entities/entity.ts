/** An entity's position in the original text, its words, and their certainty. */
interface Found {
  /** Offsets into the original text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The words, verbatim. */
  readonly text: string;
  /** 0 to 1; below 0.6 the words may well mean something else; ask again. */
  readonly certainty: number;
}

export interface DateValue {
  /** `YYYY-MM-DD`; the first day of the span for a week, month or year. */
  readonly day: string;
  /** The last day of the span; `day` itself for single days. */
  readonly lastDay: string;
  readonly precision: 'day' | 'week' | 'month' | 'year';
  /** The spoken duration in place of a date ("in two weeks"), which may be meant as only that. */
  readonly offset?: QuantityValue;
}

export interface QuantityValue {
  readonly value: number;
  readonly unit: string;
}

export type DateEntity = Found & { readonly type: 'date'; readonly value: DateValue };
/** Minutes since midnight. */
export type TimeEntity = Found & { readonly type: 'time'; readonly value: number };
/** "Between 9 and 11", "after 2", "in the morning"; minutes since midnight, 0 and 1440 for open ends. */
export type TimeRangeEntity = Found & {
  readonly type: 'time-range';
  readonly value: { readonly from: number; readonly to: number; readonly daypart: string | null };
};
/** A day and its clock time. */
export type MomentEntity = Found & {
  readonly type: 'moment';
  readonly value: { readonly day: string; readonly minutes: number };
};
/** Dollars. "Twelve fifty" is 1,250 or 12.50: the more likely one is the value, the other an alternative. */
export type MoneyEntity = Found & {
  readonly type: 'money';
  readonly value: number;
  readonly alternatives?: readonly number[];
};
export type PercentEntity = Found & { readonly type: 'percent'; readonly value: number };
export type QuantityEntity = Found & { readonly type: 'quantity'; readonly value: QuantityValue };
/** A number whose words do not say its meaning. */
export type NumberEntity = Found & { readonly type: 'number'; readonly value: number };
/** Upper case, with spoken or written dashes and slashes. */
export type IdentifierEntity = Found & { readonly type: 'identifier'; readonly value: string };
/** E.164 */
export type PhoneEntity = Found & { readonly type: 'phone'; readonly value: string };
/** The name in the speaker's introduction. */
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
  /** The day at the called place, `YYYY-MM-DD`. */
  readonly today: string;
  /**
   * The direction of days without a year: future for appointments (the default), past for payers; `recent` for claims,
   * where a day of next month is likelier than one of nearly a year ago.
   */
  readonly direction?: 'past' | 'recent' | 'future';
  /** The day or month (`YYYY-MM`) mentioned before, which "the 9th" and "Thursday" refer to. */
  readonly anchor?: string | null;
  /** The requested kind: a bare "forty" is money if an amount was asked, a bare "dana" a name. */
  readonly expecting?: readonly EntityType[];
}
