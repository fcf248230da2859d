import type { ApiKey } from '#shared/domain/api-key.ts';
import { hourMs, timestampAfter } from '#shared/domain/time.ts';

/** How long a replaced key keeps working, so that its users can switch. */
export const usualOverlapHours = 24;
export const longestOverlapHours = 7 * 24;

/** When a key expires that is replaced now: never later than it would have. */
export function endAfterRotation(
  { expires_at }: Pick<ApiKey, 'expires_at'>,
  overlapHours: number,
  now: Date,
): string {
  const endOfOverlap = timestampAfter(now, overlapHours * hourMs);
  return expires_at !== null && Date.parse(expires_at) < Date.parse(endOfOverlap) ? expires_at : endOfOverlap;
}
