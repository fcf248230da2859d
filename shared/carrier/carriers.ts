import type { CarrierName } from '#shared/domain/project.ts';
import { type CarrierClient, createCarrierClient, liveCarrierBaseUrl } from './carrier-client.ts';
import { loadCarrierCredentials } from './credentials.ts';

/** Where the credentials of each carrier lie; empty for a carrier that is not configured. */
export interface CarrierSecretIds {
  readonly sandbox: string;
  readonly live: string;
}

/** The auth tokens of every configured carrier: whatever one of them signed comes from a carrier of ours. */
export async function loadAuthTokens(secretIds: CarrierSecretIds): Promise<string[]> {
  const configured = [secretIds.sandbox, secretIds.live].filter((secretId) => secretId !== '');
  const credentials = await Promise.all(configured.map((secretId) => loadCarrierCredentials(secretId)));
  return credentials.flatMap(({ authTokens }) => authTokens);
}

/** The auth token that new signatures and tokens for this carrier are made with, or null when it is not configured. */
export async function loadNewestAuthToken(
  secretIds: CarrierSecretIds,
  carrier: CarrierName,
): Promise<string | null> {
  const secretId = secretIds[carrier];
  return secretId === '' ? null : (await loadCarrierCredentials(secretId)).authTokens[0];
}

/** Finds the client of a carrier by name; null when the service has no credentials for it. */
export function carrierClients(
  secretIds: CarrierSecretIds,
  sandboxBaseUrl: string,
): (name: CarrierName) => Promise<CarrierClient | null> {
  const baseUrls = { sandbox: sandboxBaseUrl, live: liveCarrierBaseUrl } as const;
  return async (name) => {
    const secretId = secretIds[name];
    if (secretId === '') return null;
    // Made anew each time, because the credentials behind it may have been rotated; it holds nothing else.
    return createCarrierClient({
      baseUrl: baseUrls[name],
      credentials: await loadCarrierCredentials(secretId),
    });
  };
}
