import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HandlerFile {
  /** Without the extension. */
  readonly base: string;
  /** Null if there is none. */
  readonly path: string | null;
  /** The name of the exported handler. */
  readonly exported: string;
  readonly isModule: boolean;
}

/** Where Lambda finds the handler `file.export`. */
export function handlerFileOf(codeDir: string, handler: string): HandlerFile {
  const dot = handler.lastIndexOf('.');
  const base = join(codeDir, handler.slice(0, dot));
  const path = ['.js', '.mjs', '.cjs'].map((extension) => base + extension).find((file) => existsSync(file));
  const isModule = path !== undefined && isModuleFile(path, codeDir);
  return { base, path: path ?? null, exported: handler.slice(dot + 1), isModule };
}

/** As on Lambda, where nothing lies above the code: only the function's own package.json says what its files are. */
function isModuleFile(file: string, codeDir: string): boolean {
  if (!file.endsWith('.js')) return file.endsWith('.mjs');
  const manifest = join(codeDir, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
}
