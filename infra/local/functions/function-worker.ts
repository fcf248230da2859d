/*
 * The local stand-in for Lambda's Node runtime: loads one function's bundle in a thread of its own and runs one request
 * at a time. It is bundled to plain JavaScript once per start, because stripping its types in each thread costs 25 ms.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { getPriority, constants as osConstants, setPriority } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import { type MessagePort, parentPort, threadId, workerData } from 'node:worker_threads';
import type {
  FunctionErrorDescription,
  InvokeMessage,
  WorkerMessage,
  WorkerStart,
} from './function-messages.ts';

type Handler = (event: unknown, context: unknown) => unknown;

// The other end is our own pool, so the shape is known.
const start: WorkerStart = workerData;

async function loadHandler({ codeDir, handler }: WorkerStart): Promise<Handler> {
  const dot = handler.lastIndexOf('.');
  const exported = handler.slice(dot + 1);
  const base = join(codeDir, handler.slice(0, dot));
  const file = ['.js', '.mjs', '.cjs'].map((extension) => base + extension).find((path) => existsSync(path));
  if (file === undefined) throw runtimeError('Runtime.ImportModuleError', `Cannot find module '${base}'`);
  const module: unknown = isModule(file, codeDir)
    ? await import(pathToFileURL(file).href)
    : loadCommonJs(file, codeDir);
  const found = typeof module === 'object' && module !== null ? Reflect.get(module, exported) : undefined;
  if (typeof found !== 'function') {
    throw runtimeError('Runtime.HandlerNotFound', `${handler} is undefined or not exported`);
  }
  return (event, context) => found(event, context);
}

/** As on Lambda, where nothing lies above the code: only the function's own package.json says what its files are. */
function isModule(file: string, codeDir: string): boolean {
  if (!file.endsWith('.js')) return file.endsWith('.mjs');
  const manifest = join(codeDir, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
}

const loaded = new Map<string, { exports: unknown }>();

/**
 * Node itself would take the project's package.json, which says that files are ES modules, and would find packages in
 * the project that the bundle lacks. A deployed function has neither, so its files are loaded by hand.
 */
function loadCommonJs(file: string, codeDir: string): unknown {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module: { exports: unknown } = { exports: {} };
  loaded.set(file, module);
  const source = readFileSync(file, 'utf8');
  if (file.endsWith('.json')) {
    module.exports = JSON.parse(source);
    return module.exports;
  }
  const nodeRequire = createRequire(file);
  const require = (id: string): unknown => {
    if (isBuiltin(id)) return nodeRequire(id);
    const target = resolveWithin(codeDir, nodeRequire, id);
    return target.endsWith('.node') ? nodeRequire(target) : loadCommonJs(target, codeDir);
  };
  const run = compile(source, file);
  run.call(module.exports, module.exports, require, module, file, dirname(file));
  return module.exports;
}

type ModuleFunction = (
  this: unknown,
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  directory: string,
) => void;

/** Shorter files are compiled faster than what was made of them is read. */
const cachedFromBytes = 50_000;
/** Files whose compiled code is cached once a request has shown which functions it needs. */
const uncached: { readonly script: Script; readonly cachePath: string }[] = [];

/** Compiling is most of what loading a bundle costs, so it is done once and not in each thread. */
function compile(source: string, file: string): ModuleFunction {
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const cachePath =
    source.length < cachedFromBytes
      ? null
      : join(start.codeCacheDir, createHash('sha256').update(process.version).update(source).digest('hex'));
  const cachedData = cachePath !== null && existsSync(cachePath) ? readFileSync(cachePath) : undefined;
  const script = new Script(wrapped, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (cachePath !== null && (cachedData === undefined || script.cachedDataRejected === true)) {
    uncached.push({ script, cachePath });
  }
  return script.runInThisContext();
}

function keepCompiledCode(): void {
  for (const { script, cachePath } of uncached.splice(0)) {
    const unfinished = `${cachePath}.${process.pid}.${threadId}`;
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, cachePath);
  }
}

function resolveWithin(codeDir: string, nodeRequire: NodeJS.Require, id: string): string {
  try {
    const target = nodeRequire.resolve(id);
    if (target.startsWith(codeDir + sep)) return target;
  } catch {
    // Not found is the same as found outside.
  }
  throw runtimeError('Runtime.ImportModuleError', `Cannot find module '${id}' in the function's bundle`);
}

function runtimeError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

function describe(error: unknown): FunctionErrorDescription {
  return error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };
}

function contextOf({ requestId, deadlineMs }: InvokeMessage): Record<string, unknown> {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: start.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: start.functionArn,
    memoryLimitInMB: String(start.memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${start.functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

/**
 * In levels of `nice`: of a busy machine, functions whose answer nobody waits for get half as much. They must not
 * starve.
 */
const backgroundNiceness = 3;

/**
 * Leaves the processors to those whom somebody waits for. Only Linux has priorities of threads: elsewhere the whole
 * process would get this one.
 */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  const lowest = osConstants.priority.PRIORITY_LOW;
  setPriority(Math.min(lowest, getPriority() + backgroundNiceness));
}

async function serve(port: MessagePort): Promise<void> {
  if (start.isBackground) yieldToOthers();
  // Code that a thread is given as text finds these as globals, which no module of a function may see.
  for (const name of ['require', 'module', 'exports', '__filename', '__dirname']) {
    Reflect.deleteProperty(globalThis, name);
  }
  const send = (message: WorkerMessage): void => port.postMessage(message);
  let handle: Handler;
  try {
    handle = await loadHandler(start);
  } catch (error) {
    send({ kind: 'failed-to-load', error: describe(error) });
    return;
  }
  port.on('message', async (message: InvokeMessage) => {
    const { requestId } = message;
    try {
      const result = await handle(JSON.parse(message.event), contextOf(message));
      send({ kind: 'succeeded', requestId, payload: JSON.stringify(result) ?? 'null' });
    } catch (error) {
      send({ kind: 'failed', requestId, error: describe(error) });
      return;
    }
    keepCompiledCode();
  });
  send({ kind: 'ready' });
}

if (parentPort !== null) void serve(parentPort);
