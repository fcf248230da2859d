import type { CarrierName } from '#shared/domain/project.ts';
import { type CarrierClient, createCarrierClient, liveCarrierBaseUrl } from './carrier-client.ts';
import { CarrierError } from './carrier-error.ts';
import {
  type CarrierCredentials,
  CarrierSecretError,
  loadCarrierCredentials,
  reloadCarrierCredentials,
} from './credentials.ts';

/** Secret IDs of the carriers' credentials; empty for a carrier that is not configured. */
export interface CarrierSecretIds {
  readonly sandbox: string;
  readonly live: string;
}

const carrierNames = ['sandbox', 'live'] as const satisfies CarrierName[];

/**
 * The carrier with a token for which `holds` is true, or null: an auth token authenticates its own carrier and no
 * other. Rereads the secrets before returning null, because a token may have been rotated. Throws when a carrier's
 * secret cannot be read and no other carrier's token holds.
 */
export async function findCarrier(
  secretIds: CarrierSecretIds,
  holds: (authTokens: readonly string[]) => boolean,
): Promise<CarrierName | null> {
  return (
    (await findAmong(secretIds, loadCarrierCredentials, holds).catch(() => null)) ??
    (await findAmong(secretIds, reloadCarrierCredentials, holds))
  );
}

async function findAmong(
  secretIds: CarrierSecretIds,
  read: (secretId: string) => Promise<CarrierCredentials>,
  holds: (authTokens: readonly string[]) => boolean,
): Promise<CarrierName | null> {
  const configured = carrierNames.filter((name) => secretIds[name] !== '');
  const searches = configured.map(async (name) => {
    const { authTokens } = await read(secretIds[name]);
    return holds(authTokens) ? name : Promise.reject(noneHolds);
  });
  try {
    // The first match decides: a slow or unreadable secret must not delay the other carrier.
    return await Promise.any(searches);
  } catch (error) {
    const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
    const unread = failures.find((failure) => failure !== noneHolds);
    if (unread !== undefined) throw unread;
    return null;
  }
}

const noneHolds = new Error('no auth token of the carrier matches');

/** The auth token for new signatures and tokens of this carrier, or null when it is not configured. */
export async function loadNewestAuthToken(
  secretIds: CarrierSecretIds,
  carrier: CarrierName,
): Promise<string | null> {
  const secretId = secretIds[carrier];
  return secretId === '' ? null : (await loadCarrierCredentials(secretId)).authTokens[0];
}

/**
 * Finds a carrier's client by name; null without credentials for it. If they are configured but unreadable, each
 * operation throws a `CarrierError`: `configuration` when a person must act, `throttled` while Secrets Manager does
 * not respond.
 */
export function carrierClients(
  secretIds: CarrierSecretIds,
  sandboxBaseUrl: string,
  liveBaseUrl: string = liveCarrierBaseUrl,
): (name: CarrierName) => Promise<CarrierClient | null> {
  const baseUrls = { sandbox: sandboxBaseUrl, live: liveBaseUrl } as const;
  return async (name) => {
    const secretId = secretIds[name];
    return secretId === '' ? null : clientOfSecret(secretId, baseUrls[name]);
  };
}

/** A client that reads its credentials from the secret for each operation, so that it survives rotation. */
function clientOfSecret(secretId: string, baseUrl: string): CarrierClient {
  async function run<Answer>(
    operation: string,
    work: (client: CarrierClient) => Promise<Answer>,
  ): Promise<Answer> {
    const credentials = await readFor(operation, loadCarrierCredentials(secretId));
    try {
      return await work(createCarrierClient({ baseUrl, credentials }));
    } catch (error) {
      // The carrier has not executed an unauthorized request, so it may be sent once more.
      if (!(error instanceof CarrierError) || error.status !== 401) throw error;
      const renewed = await readFor(operation, reloadCarrierCredentials(secretId));
      if (isSameLogin(credentials, renewed)) throw error;
      return work(createCarrierClient({ baseUrl, credentials: renewed }));
    }
  }
  return {
    placeCall: (call) => run('place call', (client) => client.placeCall(call)),
    endCall: (callSid) => run('end call', (client) => client.endCall(callSid)),
    deleteCall: (callSid) => run('delete call', (client) => client.deleteCall(callSid)),
    getCall: (callSid) => run('get call', (client) => client.getCall(callSid)),
    listCalls: (query) => run('list calls', (client) => client.listCalls(query)),
    listRecordings: (callSid) => run('list recordings', (client) => client.listRecordings(callSid)),
    fetchRecordingMedia: (recordingSid) =>
      run('fetch recording', (client) => client.fetchRecordingMedia(recordingSid)),
    deleteRecording: (recordingSid) =>
      run('delete recording', (client) => client.deleteRecording(recordingSid)),
    ownsNumber: (phoneNumber) => run('list own numbers', (client) => client.ownsNumber(phoneNumber)),
  };
}

/** Without credentials, the carrier was not contacted. */
async function readFor(
  operation: string,
  credentials: Promise<CarrierCredentials>,
): Promise<CarrierCredentials> {
  try {
    return await credentials;
  } catch (error) {
    if (!(error instanceof CarrierSecretError)) throw error;
    const kind = error.fault === 'unavailable' ? 'throttled' : 'configuration';
    throw new CarrierError(kind, operation, { cause: error });
  }
}

function isSameLogin(one: CarrierCredentials, other: CarrierCredentials): boolean {
  return (
    one.accountSid === other.accountSid &&
    one.restUser === other.restUser &&
    one.restPassword === other.restPassword
  );
}
