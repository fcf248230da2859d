import { createHash } from 'node:crypto';
import { invalidField } from '#shared/domain/errors.ts';
import { cursorBytes, fromUuid, toUuid, uuidBytes } from './cursor-bytes.ts';

/** What a list shows: whose things, of which kind, and by which filters. A cursor is of use with the same list only. */
export type ListIdentity = readonly (string | null)[];

/** An opaque text for a position in a list. @param id the UUID that the page ended with */
export function encodeListCursor(list: ListIdentity, id: string): string {
  return Buffer.concat([digest(list), fromUuid(id)]).toString('base64url');
}

/**
 * The identifier in a cursor. Throws `invalid_request` for anything that `encodeListCursor` did not make for
 * this list.
 */
export function decodeListCursor(list: ListIdentity, cursor: string): string {
  const bytes = cursorBytes(cursor, 2 * uuidBytes);
  if (bytes === null || !bytes.subarray(0, uuidBytes).equals(digest(list))) {
    throw invalidField('cursor', 'cursor is not one that this list was answered with');
  }
  return toUuid(bytes.subarray(uuidBytes));
}

/** Against mistakes, not against forgery: a position reveals nothing, and a list never leaves its project. */
function digest(list: ListIdentity): Buffer {
  return createHash('sha256').update(JSON.stringify(list)).digest().subarray(0, uuidBytes);
}
