import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** What is stored of an API key: never the key itself, only its SHA-256 (in the table key) and a few safe facts. */
export const ApiKey = z.object({
  /** By which people speak of it; the key itself is nowhere to be had after the answer that made it. */
  id: Uuid,
  key_hash: z.string(),
  project_id: Uuid,
  /** First characters of the key, enough to recognise it in a list. */
  prefix: z.string(),
  name: z.string(),
  created_at: Timestamp,
  /** Email address of its creator; null for one made by a command. */
  created_by: z.nullable(z.string()),
  expires_at: z.nullable(Timestamp),
  revoked_at: z.nullable(Timestamp),
  /** The key that took its place when it was rotated, which happens once; null when none has. */
  replaced_by: z._default(z.nullable(Uuid), null),
  /** To the minute: it is written at most once a minute. */
  last_used_at: z.nullable(Timestamp),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Whether requests may be made with the key: it was not revoked and has not expired. */
export function isUsableApiKey(
  { expires_at, revoked_at }: Pick<ApiKey, 'expires_at' | 'revoked_at'>,
  nowMs: number,
): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs);
}
