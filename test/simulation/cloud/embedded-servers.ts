import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { freePort } from '../../../infra/loopback.ts';
import { HttpOrigin } from './http-origin.ts';

/** The embedded DynamoDB with its data in a directory: it can be killed and restarted. */
export class DynamoServer {
  readonly origin: HttpOrigin;
  readonly #databasePath: string;
  #child: ChildProcess | null = null;
  #port = 0;

  constructor(directory: string) {
    this.#databasePath = join(directory, 'dynamodb.sqlite');
    this.origin = new HttpOrigin(() => this.#port);
    process.once('exit', () => this.#child?.kill('SIGKILL'));
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      this.#port = await freePort();
      const args = ['--host', '127.0.0.1', '--port', String(this.#port), '--db-path', this.#databasePath];
      const child = spawn(serverBinary(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
      this.#child = child;
      if (await isListening(child)) {
        makeStreamQuick(this.#databasePath);
        return;
      }
      await this.kill();
    }
    throw new Error('the embedded DynamoDB did not start');
  }

  /** Kills it in the middle of everything, like a power failure. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    this.origin.close();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

function serverBinary(): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@dynoxide/${process.platform}-${process.arch}/package.json`,
  );
  return join(dirname(manifest), 'dynoxide');
}

function isListening(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    let output = '';
    child.on('error', () => resolve(false));
    child.on('exit', () => resolve(false));
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes('listening on')) resolve(true);
    });
  });
}

/** Without an index, the server searches a stream's whole history at each write. */
function makeStreamQuick(databasePath: string): void {
  const database = new DatabaseSync(databasePath, { timeout: 5_000 });
  try {
    database.exec(
      `CREATE INDEX IF NOT EXISTS local_stack_stream_position
        ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`,
    );
  } finally {
    database.close();
  }
}

/** The embedded SQS and S3, in this process and therefore on its clock. */
export class QueueServer {
  readonly origin: HttpOrigin;
  readonly server: FauxqsServer;

  static async start(): Promise<QueueServer> {
    return new QueueServer(await startFauxqs({ port: 0, host: '127.0.0.1', logger: false }));
  }

  private constructor(server: FauxqsServer) {
    this.server = server;
    this.origin = new HttpOrigin(() => server.port);
  }

  async stop(): Promise<void> {
    this.origin.close();
    await this.server.stop();
  }
}
