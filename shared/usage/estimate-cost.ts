import { callLines, carrierLines, total, usualCall } from '#shared/cost/arithmetic.ts';
import { callCounts } from '#shared/cost/call-counts.ts';
import { priceList } from '#shared/cost/prices.ts';
import type { CarrierName } from '#shared/domain/project.ts';

/** Calls of some time, as far as they cost something. */
export interface CostlyCalls {
  readonly calls_placed: number;
  readonly calls_answered: number;
  readonly minutes: number;
  /** Each call's minutes, a begun one counted as a whole. */
  readonly billed_minutes: number;
}

/** The only region whose prices are known. */
const region = 'us-east-1';
export const pricesDate = priceList.date;

/**
 * US dollars, by the arithmetic of `npm run cost`: what AWS asks grows with the minutes of a call as it does in the
 * measured ones, and the sandbox phone asks for nothing. What a stack without calls costs is no project's.
 */
export function estimateCost(
  carrier: CarrierName,
  { calls_placed, calls_answered, minutes, billed_minutes }: CostlyCalls,
): { aws: number; carrier: number } {
  const prices = priceList.regions[region];
  if (prices === undefined) throw new Error(`no prices of ${region}`);
  const usual = usualCall(callCounts.calls);
  const awsOf = (callMinutes: number): number =>
    total(
      callLines(callCounts, prices, {
        turns: (usual.turns / usual.minutes) * callMinutes,
        minutes: callMinutes,
      }),
    );
  const unanswered = Math.max(calls_placed - calls_answered, 0);
  const answered = calls_answered === 0 ? 0 : calls_answered * awsOf(minutes / calls_answered);
  return {
    aws: inMicrodollars(answered + unanswered * awsOf(0)),
    carrier:
      carrier === 'sandbox'
        ? 0
        : inMicrodollars(total(carrierLines(priceList, billed_minutes, calls_answered))),
  };
}

function inMicrodollars(dollars: number): number {
  return Math.round(dollars * 1_000_000) / 1_000_000;
}
