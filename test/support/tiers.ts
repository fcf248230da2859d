import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inFull } from './in-full.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * - `stack`: talks to the one local stack that is started for all of them. By its name, `*.stack.test.ts`.
 * - `isolated`: writes environment variables, for code that reads them once, so each file has a process of its own.
 * - `integration`: starts servers or processes, or builds.
 * - `unit`: all others.
 *
 * The last three are told apart by what a file and the test code that it imports do, so nobody has to remember it.
 */
export type Tier = 'stack' | 'isolated' | 'integration' | 'unit';

/** Modules with which a test starts a server or a process, or builds. */
const starters = /^(node:(child_process|http|net|worker_threads)|esbuild|fauxqs|ws)$/;

const writesEnvironment = /\bassign\(process\.env\b|\bprocess\.env\.\w+ = /;

/** Code of the service itself starts nothing while it is tested. */
const isFollowed = (path: string): boolean => /^(infra|test)\//.test(path.slice(root.length));

/** Takes the README's pictures, which `npm run pictures` asks for. */
const pictures = 'test/dashboard/pictures.stack.test.ts';

/** The test files of each tier, as paths from the root of the project; in full only those that then do more. */
export function testFiles(): Record<Tier, string[]> {
  const files: Record<Tier, string[]> = { stack: [], isolated: [], integration: [], unit: [] };
  for (const file of globSync('test/**/*.test.ts', { cwd: root })) {
    if (file === pictures && process.env.UPDATE_PICTURES !== '1') continue;
    if (inFull && !asksForFull(file)) continue;
    files[tierOf(file)].push(file);
  }
  return files;
}

function asksForFull(file: string): boolean {
  return sourceOf(join(root, file)).imports.some((path) => path.endsWith('test/support/in-full.ts'));
}

/** The test files outside the stack tier that work on a table of DynamoDB, as paths from the root of the project. */
export function filesWithTable(): string[] {
  const { unit, integration, isolated } = testFiles();
  return [...unit, ...integration, ...isolated].filter((file) =>
    codeOf(join(root, file)).some(({ path }) => path.endsWith('test/support/embedded-table.ts')),
  );
}

function tierOf(file: string): Tier {
  if (file.endsWith('.stack.test.ts')) return 'stack';
  const code = codeOf(join(root, file));
  if (code.some(({ writesEnvironment }) => writesEnvironment)) return 'isolated';
  return code.some(({ starts }) => starts) ? 'integration' : 'unit';
}

/** A test file and what it imports of tests and infrastructure, directly or not. */
function codeOf(file: string): Source[] {
  const paths = new Set([file]);
  // What is added meanwhile is visited too.
  for (const path of paths) for (const imported of sourceOf(path).imports) paths.add(imported);
  return Array.from(paths, sourceOf);
}

interface Source {
  readonly path: string;
  /** Paths of the files that are followed. */
  readonly imports: readonly string[];
  readonly starts: boolean;
  readonly writesEnvironment: boolean;
}

const known = new Map<string, Source>();

function sourceOf(path: string): Source {
  const source = known.get(path) ?? readSource(path);
  known.set(path, source);
  return source;
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8');
  // Imports of types load nothing.
  const imports = text.matchAll(
    /^(?:import|export) (?!type )(?:[^;']* from )?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  const names = Array.from(imports, ([, fixed, later]) => fixed ?? later ?? '');
  return {
    path,
    imports: names
      .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
      .map((name) => resolve(dirname(path), name))
      .filter(isFollowed),
    starts: names.some((name) => starters.test(name)),
    writesEnvironment: path.startsWith(join(root, 'test/')) && writesEnvironment.test(text),
  };
}
