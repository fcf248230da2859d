/*
 * The local stand-in for Lambda's Node runtime: loads the bundles of functions, each with globals of its own, and runs
 * their requests. It is bundled to plain JavaScript once per start: stripping its types in each thread costs 25 ms.
 */
import { Console } from 'node:console';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { getPriority, constants as osConstants, setPriority } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import { type MessagePort, parentPort, threadId, workerData } from 'node:worker_threads';
import type {
  FunctionErrorDescription,
  FunctionStart,
  HostStart,
  InvokeMessage,
  OpenMessage,
  WorkerMessage,
} from './function-messages.ts';
import { handlerFileOf } from './handler-file.ts';

type Handler = (event: unknown, context: unknown) => unknown;

// The other end is our own pool, so the shape is known.
const host: HostStart = workerData;

async function loadHandler({ codeDir, handler }: FunctionStart, globals: OwnGlobals): Promise<Handler> {
  const { base, path, exported, isModule } = handlerFileOf(codeDir, handler);
  if (path === null) throw runtimeError('Runtime.ImportModuleError', `Cannot find module '${base}'`);
  const module: unknown = isModule
    ? await import(pathToFileURL(path).href)
    : new CommonJsLoader(codeDir, globals).load(path);
  const found = typeof module === 'object' && module !== null ? Reflect.get(module, exported) : undefined;
  if (typeof found !== 'function') {
    throw runtimeError('Runtime.HandlerNotFound', `${handler} is undefined or not exported`);
  }
  return (event, context) => found(event, context);
}

/**
 * Node itself would take the project's package.json, which says that files are ES modules, and would find packages in
 * the project that the bundle lacks. A deployed function has neither, so its files are loaded by hand.
 */
class CommonJsLoader {
  readonly #codeDir: string;
  readonly #globals: OwnGlobals;
  readonly #loaded = new Map<string, { exports: unknown }>();

  constructor(codeDir: string, globals: OwnGlobals) {
    this.#codeDir = codeDir;
    this.#globals = globals;
  }

  load(file: string): unknown {
    const known = this.#loaded.get(file);
    if (known !== undefined) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    this.#loaded.set(file, module);
    const source = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) {
      module.exports = JSON.parse(source);
      return module.exports;
    }
    const nodeRequire = createRequire(file);
    const { process, console } = this.#globals;
    const require = (id: string): unknown => {
      if (/^(node:)?process$/.test(id)) return process;
      if (isBuiltin(id)) return nodeRequire(id);
      const target = resolveWithin(this.#codeDir, nodeRequire, id);
      return target.endsWith('.node') ? nodeRequire(target) : this.load(target);
    };
    const run = compile(source, file);
    run.call(module.exports, module.exports, require, module, file, dirname(file), process, console);
    return module.exports;
  }
}

type ModuleFunction = (
  this: unknown,
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  directory: string,
  process: NodeJS.Process,
  console: Console,
) => void;

/** Shorter files are compiled faster than what was made of them is read. */
const cachedFromBytes = 50_000;
/** Files whose compiled code is cached once a request has shown which functions it needs. */
const uncached: { readonly script: Script; readonly cachePath: string }[] = [];

/** Compiling is most of what loading a bundle costs, so it is done once and not in each thread. */
function compile(source: string, file: string): ModuleFunction {
  const wrapped = `(function (exports, require, module, __filename, __dirname, process, console) {${source}\n})`;
  const cachePath =
    source.length < cachedFromBytes
      ? null
      : join(host.codeCacheDir, createHash('sha256').update(process.version).update(wrapped).digest('hex'));
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

function contextOf(
  { requestId, deadlineMs }: InvokeMessage,
  { name, arn, memoryMb }: FunctionStart,
): Record<string, unknown> {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: arn,
    memoryLimitInMB: String(memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${name}`,
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

/** What a function shares with no other one of its thread. */
interface OwnGlobals {
  readonly process: NodeJS.Process;
  readonly console: Console;
}

function ownGlobals(environment: FunctionStart['environment'], print: (text: string) => void): OwnGlobals {
  const output = (): Writable =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        print(String(chunk));
        done();
      },
    });
  const stdout = output();
  const stderr = output();
  const own: NodeJS.Process = Object.create(process, {
    env: { value: { ...environment }, writable: true, enumerable: true },
    stdout: { value: stdout },
    stderr: { value: stderr },
  });
  return { process: own, console: new Console(stdout, stderr) };
}

async function serve(port: MessagePort, start: FunctionStart): Promise<void> {
  const send = (message: WorkerMessage): void => port.postMessage(message);
  const globals = ownGlobals(start.environment, (text) => send({ kind: 'printed', text }));
  let handle: Handler;
  try {
    handle = await loadHandler(start, globals);
  } catch (error) {
    send({ kind: 'failed-to-load', error: describe(error) });
    return;
  }
  port.on('message', async (message: InvokeMessage) => {
    const { requestId } = message;
    try {
      const result = await handle(JSON.parse(message.event), contextOf(message, start));
      send({ kind: 'succeeded', requestId, payload: JSON.stringify(result) ?? 'null' });
    } catch (error) {
      send({ kind: 'failed', requestId, error: describe(error) });
      return;
    }
    keepCompiledCode();
  });
  send({ kind: 'ready' });
}

if (host.isBackground) yieldToOthers();
// Code that a thread is given as text finds these as globals, which no module of a function may see.
for (const name of ['require', 'module', 'exports', '__filename', '__dirname']) {
  Reflect.deleteProperty(globalThis, name);
}
parentPort?.on('message', ({ port, function: start }: OpenMessage) => void serve(port, start));
