import { invalidField } from '#shared/domain/errors.ts';
import { cursorBytes, fromUuid, toUuid, uuidBytes } from '#shared/lists/cursor-bytes.ts';

/** Where the next page of a task's calls begins. */
export interface CallsPosition {
  readonly callId: string;
  /** The first remaining turn of the call's transcript, or null when the whole call was returned. */
  readonly turn: number | null;
}

/** More turns than any call has. */
const wholeCall = 0xffff_ffff;

/** An opaque position among the calls of one task. */
export function encodeCursor(taskId: string, { callId, turn }: CallsPosition): string {
  const position = Buffer.alloc(4);
  position.writeUInt32BE(turn ?? wholeCall);
  return Buffer.concat([fromUuid(taskId), fromUuid(callId), position]).toString('base64url');
}

/** Throws `invalid_request` for anything but a cursor of this task. */
export function decodeCursor(taskId: string, cursor: string): CallsPosition {
  const bytes = cursorBytes(cursor, 2 * uuidBytes + 4);
  if (bytes === null || !bytes.subarray(0, uuidBytes).equals(fromUuid(taskId))) {
    throw invalidField('cursor', 'cursor does not belong to this task');
  }
  const turn = bytes.readUInt32BE(2 * uuidBytes);
  return {
    callId: toUuid(bytes.subarray(uuidBytes, 2 * uuidBytes)),
    turn: turn === wholeCall ? null : turn,
  };
}
