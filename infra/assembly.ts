import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleFunctions } from './bundle.ts';
import type { StageName } from './constructs/stage.ts';
import type { Synthesis } from './synth.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const keptDir = join(root, '.build', 'assemblies');

/** Inputs of a template and its code. The lock file represents the libraries. */
const sourceDirs = ['functions', 'infra', 'shared'];
const sourceFiles = ['package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * The cloud assembly of a stage, with the sandbox phone unless it is `off`; synthesized only if a source has changed.
 * It is shared in `.build`: to run its code, take a copy with `copyAssembly`. `cdk synth` always rebuilds.
 */
export async function builtAssembly(stage: StageName, sandboxPhone: 'on' | 'off' = 'on'): Promise<Synthesis> {
  const assemblyDir = await builtOnce(`${stage}-phone-${sandboxPhone}`, (outDir) =>
    buildAssembly(outDir, stage, sandboxPhone),
  );
  return assemblyIn(assemblyDir);
}

/** The shared directory of all functions' bundles, rebuilt only if a source has changed. */
export async function builtBundles(): Promise<string> {
  const directory = await builtOnce('bundles', async (outDir) => {
    await bundleFunctions({ outDir: join(outDir, 'functions'), metafilePath: join(outDir, 'meta.json') });
  });
  return join(directory, 'functions');
}

/** The directory that `build` wrote from the current sources. */
async function builtOnce(name: string, build: (outDir: string) => Promise<void>): Promise<string> {
  await mkdir(keptDir, { recursive: true });
  for (;;) {
    const key = sourcesKey();
    const directory = join(keptDir, `${name}-${key}`);
    if (existsSync(directory)) return directory;
    const outDir = await mkdtemp(join(keptDir, 'unfinished-'));
    await build(outDir);
    // The key does not cover sources that changed during the build.
    if (key === sourcesKey()) await keep(outDir, directory, key);
    else await rm(outDir, { recursive: true });
  }
}

/** Copies the assembly of a stage into the caller's directory, where it stays the same during a run. */
export async function copyAssembly(stage: StageName, directory: string): Promise<Synthesis> {
  const { assemblyDir } = await builtAssembly(stage);
  await cp(assemblyDir, directory, { recursive: true });
  return assemblyIn(directory);
}

async function assemblyIn(assemblyDir: string): Promise<Synthesis> {
  const names = await readdir(assemblyDir);
  const template = names.find((name) => name.endsWith('.template.json'));
  if (template === undefined) throw new Error(`${assemblyDir} was removed while in use`);
  return { assemblyDir, templatePath: join(assemblyDir, template) };
}

/**
 * Changes with the content or name of any source. Synchronous reads of a thousand small files take a fifth of the time.
 *
 * @param project root directory of the sources
 */
export function sourcesKey(project = root): string {
  const listed = sourceDirs.flatMap((dir) =>
    readdirSync(join(project, dir), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const hash = createHash('sha256');
  for (const path of [...listed, ...sourceFiles.map((name) => join(project, name))].sort()) {
    const contents = readFileSync(path);
    hash.update(`${relative(project, path)}\n${contents.byteLength}\n`).update(contents);
  }
  return hash.digest('hex').slice(0, 16);
}

async function buildAssembly(outDir: string, stage: StageName, sandboxPhone: 'on' | 'off'): Promise<void> {
  // A process of its own, because the compiler and the CDK take a gigabyte that only exiting frees.
  const script = fileURLToPath(new URL('build-assembly.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script, outDir, stage, sandboxPhone]);
  // Like on Lambda, no package.json applies to the code: a copy may lie below an ES module package.
  await writeFile(join(outDir, 'package.json'), '{ "type": "commonjs" }\n');
}

async function keep(built: string, directory: string, key: string): Promise<void> {
  try {
    await rename(built, directory);
  } catch (error) {
    // Another process built it first.
    await rm(built, { recursive: true });
    if (!existsSync(directory)) throw error;
  }
  await removeOldExcept(key);
}

/** Newer ones may still be being copied or written by another process. */
const removableAgeMs = 10 * 60_000;

async function removeOldExcept(key: string): Promise<void> {
  for (const name of await readdir(keptDir)) {
    const path = join(keptDir, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (name.endsWith(key) || Date.now() - mtimeMs < removableAgeMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}
