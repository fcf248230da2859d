import { createHash } from 'node:crypto';
import { invalidField } from '#shared/domain/errors.ts';
import { cursorBytes, fromUuid, toUuid, uuidBytes } from './cursor-bytes.ts';

/** What a list shows: owner, kind and filters. A cursor works only for the same list. */
export type ListIdentity = readonly (string | null)[];

/** An opaque position in a list. @param id the UUID that the page ended with */
export function encodeListCursor(list: ListIdentity, id: string): string {
  return Buffer.concat([digest(list), fromUuid(id)]).toString('base64url');
}

/** The ID in a cursor. Throws `invalid_request` for anything but a cursor of this list. */
export function decodeListCursor(list: ListIdentity, cursor: string): string {
  const bytes = cursorBytes(cursor, 2 * uuidBytes);
  if (bytes === null || !bytes.subarray(0, uuidBytes).equals(digest(list))) {
    throw invalidField('cursor', 'cursor does not belong to this list');
  }
  return toUuid(bytes.subarray(uuidBytes));
}

/** Against mistakes, not against forgery: a position reveals nothing, and a list never leaves its project. */
function digest(list: ListIdentity): Buffer {
  return createHash('sha256').update(JSON.stringify(list)).digest().subarray(0, uuidBytes);
}
