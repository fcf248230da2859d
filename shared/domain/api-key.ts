import * as z from 'zod/mini';
import { AddressRange } from './address-range.ts';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** Scopes that limit a key. Each client operation requires one of these. */
export const Scope = z.enum([
  'patients:read',
  'patients:write',
  'tasks:read',
  'tasks:write',
  'recordings:read',
  'erasures:read',
  'erasures:write',
]);
export type Scope = z.infer<typeof Scope>;

/** Limits that may be set when a key is created. */
export const KeyScopes = z.array(Scope).check(z.minLength(1), z.maxLength(Scope.options.length));
export const KeyAddresses = z.array(AddressRange).check(z.minLength(1), z.maxLength(20));

/**
 * The stored form of an API key: never the key itself, only its SHA-256 (in the table key) and a few harmless facts.
 */
export const ApiKey = z.object({
  /** The key's name for people; the key itself exists only in the response that created it. */
  id: Uuid,
  key_hash: z.string(),
  project_id: Uuid,
  /** First characters of the key, enough to recognize it in a list. */
  prefix: z.string(),
  name: z.string(),
  created_at: Timestamp,
  /** Email address of its creator; null for one made by a command. */
  created_by: z.nullable(z.string()),
  expires_at: z.nullable(Timestamp),
  revoked_at: z.nullable(Timestamp),
  /** The key that replaced it when it was rotated, which happens once; null if none. */
  replaced_by: z._default(z.nullable(Uuid), null),
  /** Null for every scope, as for keys older than scopes. */
  scopes: z._default(z.nullable(z.array(Scope)), null),
  /** Source addresses that may use the key; null for all. */
  allowed_addresses: z._default(z.nullable(z.array(z.string())), null),
  /** Accurate to the minute: it is written at most once a minute. */
  last_used_at: z.nullable(Timestamp),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Whether the key is active: not revoked, not expired. */
export function isUsableApiKey(
  { expires_at, revoked_at }: Pick<ApiKey, 'expires_at' | 'revoked_at'>,
  nowMs: number,
): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs);
}
