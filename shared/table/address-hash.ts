import { createHash } from 'node:crypto';

/** Stands for an e-mail address in keys that go through a queue. */
export function addressHash(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}
