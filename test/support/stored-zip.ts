import { crc32 } from 'node:zlib';

const centralEntry = 0x02014b50;
const endOfDirectory = 0x06054b50;
const endLength = 22;

/** The files of a zip without compression, each verified by its checksum; PKWARE's APPNOTE, 4.3. */
export function readStoredZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - endLength;
  if (zip.readUInt32LE(end) !== endOfDirectory) throw new Error('not a whole zip');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (zip.readUInt32LE(at) !== centralEntry || zip.readUInt16LE(at + 10) !== 0) {
      throw new Error('not an entry without compression');
    }
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    if (crc32(content) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is broken`);
    files.set(name, content);
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
