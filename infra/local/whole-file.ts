import { rename, writeFile } from 'node:fs/promises';

/** Writes a file with secrets atomically, readable only by its owner. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, path);
}

export function writeWholeJson(path: string, content: object): Promise<void> {
  return writeWhole(path, `${JSON.stringify(content, null, 2)}\n`);
}
