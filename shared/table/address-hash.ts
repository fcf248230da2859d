import { createHash } from 'node:crypto';

/** Stands for an email address in keys that go through a queue. */
export function addressHash(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}
