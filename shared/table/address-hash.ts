import { createHash } from 'node:crypto';

/** An email address in keys that go through a queue. */
export function addressHash(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}
