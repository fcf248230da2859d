import { hashApiKey, isWellFormedApiKey } from '#shared/api-keys/key-format.ts';
import { isWithin } from '#shared/domain/address-range.ts';
import { type ApiKey, isUsableApiKey } from '#shared/domain/api-key.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import { getApiKey, noteApiKeyUse } from '#shared/table/api-key.ts';
import type { Table } from '#shared/table/client.ts';
import type { KeyHolder, RawRequest } from '#shared/triggers/http.ts';
import { bearerToken } from './bearer-token.ts';

/** How long a lookup is cached, so a revoked key works no longer than this. */
const cacheMs = 10_000;
/** Key usage is recorded at most this often, by all instances together. */
const noteUseEveryMs = 60_000;
/** An instance that serves very many projects forgets the oldest lookups first. */
const maxCachedKeys = 1000;

/** Only the gateway reports the source address; without it there is none. */
type KeyedRequest = Pick<RawRequest, 'headers'> & Partial<Pick<RawRequest, 'sourceEvent'>>;

/**
 * Checks the bearer key of a request against the table, at most once per key and 10 s, and the source address against
 * the key's ranges. Every failure gives the same response, so that keys cannot be probed. Records at most once a
 * minute that a key was used; a failure to do so does not fail the request.
 */
export function apiKeyAuthentication(
  table: Table,
  now: () => number = Date.now,
): (request: KeyedRequest) => Promise<KeyHolder> {
  const cache = new Map<string, { readonly apiKey: ApiKey; readonly readAtMs: number }>();

  const lookUp = async (keyHash: string): Promise<ApiKey | null> => {
    const cached = cache.get(keyHash);
    if (cached !== undefined && now() - cached.readAtMs < cacheMs) return cached.apiKey;
    cache.delete(keyHash);
    const readAtMs = now();
    const apiKey = await getApiKey(table, keyHash);
    if (apiKey !== null) {
      cache.set(keyHash, { apiKey, readAtMs });
      const [oldest] = cache.keys();
      if (cache.size > maxCachedKeys && oldest !== undefined) cache.delete(oldest);
    }
    return apiKey;
  };

  const noteUse = async (apiKey: ApiKey): Promise<void> => {
    const { last_used_at, key_hash } = apiKey;
    const nowMs = now();
    if (last_used_at !== null && nowMs - Date.parse(last_used_at) < noteUseEveryMs) return;
    const usedAt = new Date(nowMs).toISOString();
    // Set before the write, so that concurrent requests do not repeat it.
    const cached = cache.get(key_hash);
    if (cached !== undefined) cache.set(key_hash, { ...cached, apiKey: { ...apiKey, last_used_at: usedAt } });
    try {
      await noteApiKeyUse(table, apiKey, usedAt, new Date(nowMs - noteUseEveryMs).toISOString());
    } catch (error) {
      logError('api-key-use-not-noted', error, { api_key_id: apiKey.id });
    }
  };

  return async (request) => {
    const key = bearerToken(request);
    if (key === null || !isWellFormedApiKey(key)) throw invalidApiKey();
    const apiKey = await lookUp(hashApiKey(key));
    if (apiKey === null || !isUsableApiKey(apiKey, now())) throw invalidApiKey();
    const { id, project_id, scopes, allowed_addresses } = apiKey;
    const sourceIp = request.sourceEvent?.requestContext.identity?.sourceIp ?? '';
    if (allowed_addresses !== null && !isWithin(allowed_addresses, sourceIp)) {
      // The client learns only that the key is invalid; the log says why.
      annotateLog({ api_key_id: id, refused: 'address' });
      throw invalidApiKey();
    }
    await noteUse(apiKey);
    return { projectId: project_id, apiKeyId: id, scopes };
  };
}

function invalidApiKey(): ServiceError {
  return new ServiceError('unauthenticated', 'Invalid API key', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
