import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, loopback } from '../../../infra/loopback.ts';

/** A function behind one route. */
export interface OfflineFunction {
  readonly name: string;
  readonly method: 'get' | 'post' | 'put';
  /** Without a leading slash. */
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface Ports {
  readonly http: number;
  readonly lambda: number;
  readonly webSocket: number;
}

/** A busy machine must not end a measurement: the usual limit is six seconds. */
const gatewayLimitSeconds = 29;
const readyLimitMs = 120_000;
const stopLimitMs = 5_000;

/** The configuration of Serverless, the contents of `serverless.json`. */
export function serverlessConfiguration(functions: readonly OfflineFunction[], ports: Ports): object {
  return {
    service: 'side-by-side',
    frameworkVersion: '3',
    // The newest that this version knows; handlers run in the Node that runs Serverless.
    provider: { name: 'aws', runtime: 'nodejs20.x', region: 'us-east-1', timeout: gatewayLimitSeconds },
    plugins: ['serverless-offline'],
    custom: {
      'serverless-offline': {
        host: loopback,
        httpPort: ports.http,
        lambdaPort: ports.lambda,
        websocketPort: ports.webSocket,
        noPrependStageInUrl: true,
      },
    },
    functions: Object.fromEntries(
      functions.map(({ name, method, path, environment }) => [
        name,
        { handler: `handlers/${name}/index.handler`, environment, events: [{ http: { method, path } }] },
      ]),
    ),
  };
}

/** Serverless with its offline plugin, in a separate process. */
export class ServerlessOffline {
  readonly baseUrl: string;
  readonly #child: ChildProcess;
  readonly #outputFile: string;

  private constructor(child: ChildProcess, baseUrl: string, outputFile: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
    this.#outputFile = outputFile;
    const endWithThis = (): boolean => child.kill('SIGKILL');
    process.once('exit', endWithThis);
    child.once('exit', () => process.off('exit', endWithThis));
  }

  /**
   * Starts it and resolves once it responds.
   *
   * @param home directory of the packages and the handlers
   * @param aws variables by which an SDK finds its servers
   */
  static async start(
    home: string,
    name: string,
    { functions, aws }: { functions: readonly OfflineFunction[]; aws: Readonly<Record<string, string>> },
  ): Promise<ServerlessOffline> {
    const service = join(home, name);
    await mkdir(service, { recursive: true });
    await symlink(join(home, 'handlers'), join(service, 'handlers')).catch(() => undefined);
    const ports = { http: await freePort(), lambda: await freePort(), webSocket: await freePort() };
    await writeFile(
      join(service, 'serverless.json'),
      JSON.stringify(serverlessConfiguration(functions, ports)),
    );
    const outputFile = join(home, `${name}.log`);
    const output = openSync(outputFile, 'a', 0o600);
    const child = spawn(
      process.execPath,
      [join(home, 'node_modules/serverless/bin/serverless.js'), 'offline'],
      {
        cwd: service,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          SLS_TELEMETRY_DISABLED: '1',
          SLS_NOTIFICATIONS_MODE: 'off',
          ...aws,
        },
        stdio: ['ignore', output, output],
      },
    );
    closeSync(output);
    const runner = new ServerlessOffline(child, `http://${loopback}:${ports.http}`, outputFile);
    try {
      await runner.#ready();
    } catch (error) {
      await runner.stop();
      throw error;
    }
    return runner;
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('serverless could not be started at all');
    return pid;
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    await Promise.race([exited, sleep(stopLimitMs, undefined, { ref: false })]);
    this.#child.kill('SIGKILL');
    await exited;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #ready(): Promise<void> {
    const deadlineMs = Date.now() + readyLimitMs;
    while (Date.now() < deadlineMs && !this.#hasEnded) {
      const answered = await fetch(this.baseUrl).then(
        (response) => response.text(),
        () => null,
      );
      if (answered !== null) return;
      await sleep(20);
    }
    const printed = await readFile(this.#outputFile, 'utf8');
    throw new Error(`serverless-offline does not answer:\n${printed.trim().slice(-2_000)}`);
  }
}
