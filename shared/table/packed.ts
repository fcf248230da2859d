import { deflateRawSync, inflateRawSync } from 'node:zlib';

/*
 * DynamoDB bills writes by the kilobyte. Values that only their owner reads, and that are written again and again, are
 * kept deflated, in a third to half of their size.
 */

/** A JSON value as it is stored. */
export function pack(value: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(value));
}

/** The value that was packed. Items of earlier versions hold it as it is. */
export function unpack(stored: unknown): unknown {
  return stored instanceof Uint8Array ? JSON.parse(inflateRawSync(stored).toString('utf8')) : stored;
}
