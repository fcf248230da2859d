/* Parts of cursors: IDs as bytes, in URL-safe text. */

export const uuidBytes = 16;

export function fromUuid(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

export function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The bytes of a cursor, or null for a text of another length or a non-canonical one. */
export function cursorBytes(cursor: string, length: number): Buffer | null {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.byteLength === length && bytes.toString('base64url') === cursor ? bytes : null;
}
