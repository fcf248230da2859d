import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

const directoryPath = join(root, '.build', `chromium-${version}`);

/** Chromium from npm, which {@link unpackChromium} has put there. */
export const chromiumPath = join(directoryPath, 'chromium');

/**
 * Unpacks Chromium, once for each version. The library itself writes to the final path, so another worker would start
 * half a browser (`ETXTBSY`), and an interrupted run would leave it for all later ones.
 */
export async function unpackChromium(): Promise<void> {
  if (existsSync(directoryPath)) return;
  // The first tests of a new clone find nothing built.
  mkdirSync(dirname(directoryPath), { recursive: true });
  const unpackedPath = mkdtempSync(`${directoryPath}-`);
  try {
    // The library unpacks to the temporary directory, which a process of its own can have elsewhere.
    const env = { ...process.env, TMPDIR: unpackedPath };
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)], { env });
    renameSync(unpackedPath, directoryPath);
  } catch (error) {
    rmSync(unpackedPath, { recursive: true, force: true });
    // Another run of the tests was faster.
    if (!existsSync(directoryPath)) throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await chromium.executablePath();
