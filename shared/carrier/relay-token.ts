import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The relay's handshake signature covers a constant URL and is therefore the same for every call; it proves the
 * carrier's account, not the call. This token proves the call: it goes into the answer document as a parameter and
 * returns in the first frame. It is derived instead of stored, so checking it needs no read and no cleanup.
 */
export function relayToken(authToken: string, callId: string): string {
  // The prefix separates this use of the auth token from webhook signatures made with the same key.
  return createHmac('sha256', authToken).update(`relay-token:${callId}`, 'utf8').digest('base64url');
}

/** Whether the token was made for this call with one of the auth tokens, in constant time. */
export function verifyRelayToken(authTokens: readonly string[], callId: string, token: string): boolean {
  const given = Buffer.from(token);
  let valid = false;
  for (const authToken of authTokens) {
    const expected = Buffer.from(relayToken(authToken, callId));
    if (given.length === expected.length && timingSafeEqual(given, expected)) valid = true;
  }
  return valid;
}
