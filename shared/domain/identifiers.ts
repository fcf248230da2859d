import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';

/** Any RFC 9562 UUID, in either letter case; stored and compared in lower case. */
export const Uuid = z.pipe(
  z
    .string()
    .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')),
  z.transform((text: string) => text.toLowerCase()),
);

/** When a UUIDv7 was created, in Unix milliseconds (RFC 9562 §5.7). */
export function createdAtMs(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
}

/** The last moment that the 48 bits can hold. */
const lastMs = 2 ** 48 - 1;

/**
 * Sorts before every UUIDv7 made at a moment or later, and after all earlier ones. None was made before 1970, when
 * their time begins.
 */
export function firstIdAt(moment: Date): string {
  return uuidv7(Math.min(Math.max(moment.getTime(), 0), lastMs), new Uint8Array(10));
}

/**
 * A UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then random bits, so IDs sort by creation time. Time and
 * randomness are parameters for tests and replays.
 */
export function uuidv7(nowMs: number = Date.now(), random: Uint8Array = randomBytes(10)): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.set(random, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
