import { CarrierError } from '#shared/carrier/carrier-error.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';

/** An answer of the carrier, or null when it has none: then only our own limits count. */
export async function askCarrier<Answer>(request: () => Promise<Answer> | null): Promise<Answer | null> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    annotateLog({ carrier_answer: error.kind });
    if (error.kind === 'configuration') logError('carrier-refuses-our-configuration', error);
    return null;
  }
}
