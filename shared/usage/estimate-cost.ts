import { callLines, carrierLines, total, usualCall } from '#shared/cost/arithmetic.ts';
import { callCounts } from '#shared/cost/call-counts.ts';
import { priceList } from '#shared/cost/prices.ts';
import { type Call, wasAnswered } from '#shared/domain/call.ts';
import type { CarrierName } from '#shared/domain/project.ts';

/** Calls of a period, with what determines their cost. */
export interface CostlyCalls {
  readonly calls_placed: number;
  readonly calls_answered: number;
  readonly minutes: number;
  /** Each call's minutes, rounded up. */
  readonly billed_minutes: number;
}

/** The only region with known prices. */
const region = 'us-east-1';
export const pricesDate = priceList.date;

/**
 * US dollars, computed as in `npm run cost`: AWS charges grow with call minutes as in the measured calls, and the
 * sandbox phone is free. Excludes the fixed costs of a stack.
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

/** The cost of one completed call in US dollars, computed as above. */
export function estimateCostOfCall(call: Call): number {
  const minutes = (call.talk_seconds ?? 0) / 60;
  const { aws, carrier } = estimateCost(call.carrier, {
    calls_placed: call.carrier_call_sid === null ? 0 : 1,
    calls_answered: wasAnswered(call) ? 1 : 0,
    minutes,
    billed_minutes: Math.ceil(minutes),
  });
  return inMicrodollars(aws + carrier);
}

function inMicrodollars(dollars: number): number {
  return Math.round(dollars * 1_000_000) / 1_000_000;
}
