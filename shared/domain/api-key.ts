import * as z from 'zod/mini';
import { AddressRange } from './address-range.ts';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** What a key may be limited to. Each operation for clients asks for one of these. */
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

/** Limits that may be set when a key is made. */
export const KeyScopes = z.array(Scope).check(z.minLength(1), z.maxLength(Scope.options.length));
export const KeyAddresses = z.array(AddressRange).check(z.minLength(1), z.maxLength(20));

/**
 * What is stored of an API key: never the key itself, only its SHA-256 (in the table key) and a few safe
 * facts.
 */
export const ApiKey = z.object({
  /** By which people speak of it; the key itself is nowhere to be had after the answer that made it. */
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
  /** The key that took its place when it was rotated, which happens once; null when none has. */
  replaced_by: z._default(z.nullable(Uuid), null),
  /** Null for a key that may do everything, as every one of before there were scopes. */
  scopes: z._default(z.nullable(z.array(Scope)), null),
  /** Addresses that requests with the key may come from; null for all. */
  allowed_addresses: z._default(z.nullable(z.array(z.string())), null),
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
