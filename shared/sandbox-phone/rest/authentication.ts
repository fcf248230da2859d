import { createHash, timingSafeEqual } from 'node:crypto';
import type { CarrierCredentials } from '#shared/carrier/credentials.ts';

/** Whether this is HTTP Basic with the account and an auth token, or with the account's API key pair. */
export function isAuthentic(authorization: string | undefined, credentials: CarrierCredentials): boolean {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  const accepted = [
    ...credentials.authTokens.map((token) => `${credentials.accountSid}:${token}`),
    `${credentials.restUser}:${credentials.restPassword}`,
  ];
  return accepted.some((pair) => isSame(given, pair));
}

function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
