import * as z from 'zod/mini';

/** The attribute by which DynamoDB expires items. */
export const timeToLiveAttribute = 'expires_at_seconds';

/** DynamoDB deletes an item some time after this Unix second; until it does, readers must ignore it themselves. */
export const ExpiresAtSeconds = z.int();

/** The one place where a time-to-live is computed. */
export function expiresIn(seconds: number, nowMs: number): { expires_at_seconds: number } {
  return { expires_at_seconds: Math.floor(nowMs / 1000) + seconds };
}

export function isExpired(item: { expires_at_seconds?: number | undefined }, nowMs: number): boolean {
  return item.expires_at_seconds !== undefined && item.expires_at_seconds * 1000 <= nowMs;
}
