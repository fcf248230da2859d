import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import type { Call } from '#shared/domain/call.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log, logError } from '#shared/observability/log.ts';
import type { CallServices } from './call-services.ts';

/** The carrier's answer, or null if there is none: then only our own limits apply. */
export async function askCarrier<Answer>(request: () => Promise<Answer> | null): Promise<Answer | null> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    annotateLog({ carrier_answer: error.kind });
    if (error.kind === 'configuration') logError(alarmingEvents.carrierRefusesOurConfiguration, error);
    return null;
  }
}

/**
 * A call's carrier, for work that is impossible without it. Throws a `CarrierError` of kind `throttled` while the
 * service lacks its credentials: nothing was done, so retry later.
 */
export async function carrierOf(
  services: Pick<CallServices, 'carrier'>,
  call: Pick<Call, 'carrier'>,
): Promise<CarrierClient> {
  const carrier = await services.carrier(call.carrier);
  if (carrier !== null) return carrier;
  log(alarmingEvents.carrierWithoutCredentials, { carrier: call.carrier });
  throw new CarrierError('throttled', 'find carrier');
}
