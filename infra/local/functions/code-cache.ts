import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../../../.build/code-cache', import.meta.url));
/** Bundles that were not made for so long are of older sources. */
const keptMs = 3 * 24 * 60 * 60 * 1000;

/** The directory of compiled bundles, without outdated ones. */
export function openCodeCache(): string {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - writtenAt > keptMs) rmSync(path, { force: true });
  }
  return directory;
}
