import type { CallServices } from '#shared/calls/call-services.ts';
import type { OptOutScope } from '#shared/domain/opt-out.ts';

/** The operator's limits for all calls, as environment variables. */
interface OperatorLimits {
  readonly LIVE_CARRIER_CALLS_PER_SECOND: number;
  readonly LIVE_CARRIER_MAX_CALLS: number;
  readonly NUMBER_CALLS_PER_DAY: number;
  readonly NUMBER_GAP_MINUTES: number;
  readonly SHARED_LINE_CALLS_PER_DAY: number;
  readonly SHARED_LINE_GAP_MINUTES: number;
  readonly OPT_OUT_SCOPE: OptOutScope;
}

/** The limits as the dial rules take them. */
export function dialLimits(
  env: OperatorLimits,
): Pick<CallServices, 'carrierLimits' | 'numberLimits' | 'optOutScope'> {
  return {
    carrierLimits: {
      // The sandbox phone could do more; a demonstration needs no more, and shows every limit at work.
      sandbox: { callsPerSecond: 20, maxCalls: 100 },
      live: {
        callsPerSecond: env.LIVE_CARRIER_CALLS_PER_SECOND,
        maxCalls: env.LIVE_CARRIER_MAX_CALLS,
      },
    },
    numberLimits: {
      ordinary: { callsPerDay: env.NUMBER_CALLS_PER_DAY, gapSeconds: env.NUMBER_GAP_MINUTES * 60 },
      shared: { callsPerDay: env.SHARED_LINE_CALLS_PER_DAY, gapSeconds: env.SHARED_LINE_GAP_MINUTES * 60 },
    },
    optOutScope: env.OPT_OUT_SCOPE,
  };
}
