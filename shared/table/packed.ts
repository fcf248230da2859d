import { deflateRawSync, inflateRawSync } from 'node:zlib';

/*
 * DynamoDB bills writes by the kilobyte. Values that are rewritten often and read only by their owner are deflated to
 * a third or half of their size.
 */

/** A JSON value as stored. */
export function pack(value: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(value));
}

/** The packed value. Items of earlier versions have it uncompressed. */
export function unpack(stored: unknown): unknown {
  return stored instanceof Uint8Array ? JSON.parse(inflateRawSync(stored).toString('utf8')) : stored;
}
