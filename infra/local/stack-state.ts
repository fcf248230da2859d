import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LocalStackError } from './local-stack-error.ts';

/** What the local stack must remember across restarts, including kill -9. */
export interface StackState {
  checkpoint(mapping: string, shard: string): string | null;
  saveCheckpoint(mapping: string, shard: string, sequenceNumber: string): void;
  /** Messages that a function has failed on: they wait for their visibility timeout, also across restarts. */
  failedMessages(): string[];
  addFailedMessages(receiptHandles: readonly string[]): void;
  /** Forgets those that are not in flight any more. */
  keepFailedMessages(inFlight: readonly string[]): void;
  /** When a schedule last fired; before its first firing, when it was started. */
  lastFiring(schedule: string): Date | null;
  saveFiring(schedule: string, at: Date): void;
  /** Port of the last run. */
  port(): number | null;
  savePort(port: number): void;
  /** Port of the identity provider in the last run, which is part of its name in issued tokens. */
  identityPort(): number | null;
  saveIdentityPort(port: number): void;
  secret(name: string): string | null;
  saveSecret(name: string, value: string): void;
  close(): void;
}

/**
 * Opens the state in a data directory and holds it for this process alone. The lock is the database's own: the kernel
 * releases it however the process ends, so no stale lock remains.
 */
export function openStackState(dataDir: string): StackState {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'stack.sqlite');
  const pidPath = join(dataDir, 'stack.pid');
  // It holds secrets, so only the owner may read it; the files next to it inherit its mode.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS checkpoint (
        mapping TEXT, shard TEXT, sequence_number TEXT NOT NULL, PRIMARY KEY (mapping, shard)
      );
      CREATE TABLE IF NOT EXISTS failed_message (receipt_handle TEXT PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS firing (schedule TEXT PRIMARY KEY, at TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS port (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS identity_port (
        id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS secret (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    `);
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) {
      throw new LocalStackError(
        `A local stack already runs on ${dataDir} (process ${ownerOf(pidPath)}). Stop it, or use another directory.`,
      );
    }
    throw new LocalStackError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  writeFileSync(pidPath, `${process.pid}\n`);

  const statements = {
    checkpoint: database.prepare(
      'SELECT sequence_number AS value FROM checkpoint WHERE mapping = ? AND shard = ?',
    ),
    saveCheckpoint: database.prepare('INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?)'),
    failedMessages: database.prepare('SELECT receipt_handle AS value FROM failed_message'),
    addFailedMessage: database.prepare('INSERT OR REPLACE INTO failed_message VALUES (?)'),
    removeFailedMessage: database.prepare('DELETE FROM failed_message WHERE receipt_handle = ?'),
    lastFiring: database.prepare('SELECT at AS value FROM firing WHERE schedule = ?'),
    saveFiring: database.prepare('INSERT OR REPLACE INTO firing VALUES (?, ?)'),
    port: database.prepare('SELECT value FROM port'),
    savePort: database.prepare('INSERT OR REPLACE INTO port VALUES (1, ?)'),
    identityPort: database.prepare('SELECT value FROM identity_port'),
    saveIdentityPort: database.prepare('INSERT OR REPLACE INTO identity_port VALUES (1, ?)'),
    secret: database.prepare('SELECT value FROM secret WHERE name = ?'),
    saveSecret: database.prepare('INSERT OR REPLACE INTO secret VALUES (?, ?)'),
  };
  const text = (row: Record<string, unknown> | undefined): string | null =>
    row === undefined ? null : String(row.value);

  return {
    checkpoint: (mapping, shard) => text(statements.checkpoint.get(mapping, shard)),
    saveCheckpoint: (mapping, shard, sequenceNumber) => {
      statements.saveCheckpoint.run(mapping, shard, sequenceNumber);
    },
    failedMessages: () => statements.failedMessages.all().map(({ value }) => String(value)),
    addFailedMessages: (receiptHandles) => {
      for (const receiptHandle of receiptHandles) statements.addFailedMessage.run(receiptHandle);
    },
    keepFailedMessages: (inFlight) => {
      for (const { value } of statements.failedMessages.all()) {
        if (!inFlight.includes(String(value))) statements.removeFailedMessage.run(String(value));
      }
    },
    lastFiring: (schedule) => {
      const at = text(statements.lastFiring.get(schedule));
      return at === null ? null : new Date(at);
    },
    saveFiring: (schedule, at) => {
      statements.saveFiring.run(schedule, at.toISOString());
    },
    port: () => {
      const value = text(statements.port.get());
      return value === null ? null : Number(value);
    },
    savePort: (port) => {
      statements.savePort.run(port);
    },
    identityPort: () => {
      const value = text(statements.identityPort.get());
      return value === null ? null : Number(value);
    },
    saveIdentityPort: (port) => {
      statements.saveIdentityPort.run(port);
    },
    secret: (name) => text(statements.secret.get(name)),
    saveSecret: (name, value) => {
      statements.saveSecret.run(name, value);
    },
    close: () => {
      database.close();
      rmSync(pidPath, { force: true });
    },
  };
}

function ownerOf(pidPath: string): string {
  try {
    return readFileSync(pidPath, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
