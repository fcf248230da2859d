import type { CarrierRecording } from '#shared/carrier/carrier-client.ts';

/**
 * The recording that is kept of a call. We ask for one, but should the carrier have made several, the longest holds the
 * most of the conversation. Null when none is complete.
 */
export function longestRecording(recordings: readonly CarrierRecording[]): CarrierRecording | null {
  const complete = recordings.filter(({ status }) => status === 'completed');
  return complete.reduce<CarrierRecording | null>(
    (longest, recording) => (longest === null || seconds(recording) > seconds(longest) ? recording : longest),
    null,
  );
}

function seconds({ durationSeconds }: CarrierRecording): number {
  return durationSeconds ?? 0;
}
