import { createHash } from 'node:crypto';

/** The stored form of a secret token, as of a link or a cookie. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
