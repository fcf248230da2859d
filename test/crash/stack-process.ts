import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import * as z from 'zod/mini';
import { listProcesses } from '../../infra/local/servers/processes.ts';
import { withDescendants } from './processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A stack that responds. */
export interface StackAddresses {
  readonly baseUrl: string;
  /** Addresses of its servers and the outputs of its template, by name. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export class StartFailed extends Error {}

const Ready = z.object({ base_url: z.string() });
const Package = z.object({ scripts: z.object({ start: z.string() }) });
const readyLimitMs = 180_000;

/** `npm start` on a data directory, as the leader of its own process group. */
export class StackProcess {
  readonly #child: ChildProcess;
  readonly #dataDirectory: string;
  readonly #readyFile: string;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcess, dataDirectory: string, readyFile: string) {
    this.#child = child;
    this.#dataDirectory = dataDirectory;
    this.#readyFile = readyFile;
    this.#exited = once(child, 'exit');
    // In its own group, it survives what ends this process.
    const endWithThis = (): void => send(-this.pid, 'SIGKILL');
    process.once('exit', endWithThis);
    child.once('exit', () => process.off('exit', endWithThis));
  }

  /**
   * Starts the stack and appends its output to the file. Returns immediately.
   *
   * @param options.nodeOptions for Node itself, such as `--cpu-prof`
   * @param options.parameters of the template, by name
   */
  static start(
    directory: string,
    options: {
      pace: string;
      speech?: 'voices' | 'tones';
      nodeOptions?: readonly string[];
      parameters?: Readonly<Record<string, string>>;
      environment?: Readonly<Record<string, string>>;
    },
  ): StackProcess {
    const dataDirectory = join(directory, 'data');
    const readyFile = join(directory, 'ready.json');
    rmSync(readyFile, { force: true });
    const output = openSync(join(directory, 'output.log'), 'a', 0o600);
    const child = spawn(
      process.execPath,
      [
        ...(options.nodeOptions ?? []),
        ...startArguments(),
        ...['--port', '0'],
        ...['--data', dataDirectory],
        '--no-demo',
        ...['--ready-file', readyFile],
        ...['--pace', options.pace],
        // Where only the words matter, voices would only take time.
        ...['--parameter', `SandboxPhoneSpeech=${options.speech ?? 'tones'}`],
        // Clients of these tests send more requests than one project may.
        ...['--parameter', 'ProjectRequestsPerSecond=0'],
        ...Object.entries(options.parameters ?? {}).flatMap(([name, value]) => [
          '--parameter',
          `${name}=${value}`,
        ]),
      ],
      {
        cwd: root,
        detached: true,
        stdio: ['ignore', output, output],
        env: { ...process.env, ...options.environment },
      },
    );
    closeSync(output);
    return new StackProcess(child, dataDirectory, readyFile);
  }

  /** Resolves once the stack responds. Throws `StartFailed` if it exits first or takes far too long. */
  async ready(): Promise<StackAddresses> {
    const deadlineMs = Date.now() + readyLimitMs;
    for (;;) {
      const text = await readFile(this.#readyFile, 'utf8').catch(() => null);
      if (text !== null) {
        const { base_url: baseUrl } = Ready.parse(JSON.parse(text));
        const environment = parseEnv(await readFile(join(this.#dataDirectory, 'stack.env'), 'utf8'));
        return { baseUrl, environment };
      }
      if (this.#child.exitCode !== null) {
        throw new StartFailed(`a start ended with exit code ${this.#child.exitCode}`);
      }
      if (Date.now() > deadlineMs) throw new StartFailed('a start did not come to its end');
      await sleep(20);
    }
  }

  /** Kills it, and returns when it is gone. */
  async kill(extent: 'group' | 'everything'): Promise<void> {
    const pid = this.pid;
    const others = extent === 'everything' ? withDescendants(pid, await listProcesses()) : [];
    send(-pid, 'SIGKILL');
    for (const other of others) send(other, 'SIGKILL');
    await this.#exited;
  }

  /** Stops it as Ctrl-C does, and returns its exit code. */
  async stop(): Promise<number | null> {
    send(this.pid, 'SIGINT');
    await this.#exited;
    return this.#child.exitCode;
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the stack could not be started at all');
    return pid;
  }
}

/** What `npm start` passes to Node. */
function startArguments(): readonly string[] {
  const { scripts } = Package.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return scripts.start.split(' ').slice(1);
}

function send(pid: number, signal: 'SIGKILL' | 'SIGINT'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}
