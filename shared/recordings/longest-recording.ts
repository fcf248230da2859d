import type { CarrierRecording } from '#shared/carrier/carrier-responses.ts';

/**
 * Which recording of a call is kept. We request one, but if the carrier has made several, the longest has the most of
 * the conversation. The carrier's list lags behind its reports, so it counts only once it includes the reported one.
 *
 * @returns its ID
 */
export function recordingToRetain(reportedSid: string, listed: readonly CarrierRecording[]): string {
  const reported = listed.find(({ sid, status }) => sid === reportedSid && status === 'completed');
  const longest = longestRecording(listed);
  if (reported === undefined || longest === null) return reportedSid;
  return seconds(longest) > seconds(reported) ? longest.sid : reportedSid;
}

/** The longest complete recording, the first of equals; null if there is none. */
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
