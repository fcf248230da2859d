import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../infra/loopback.ts';

const variable = 'WORKER_DYNAMODB_ENDPOINTS';
const { DYNAMODB_LOCAL: dynamoDbLocal = '' } = process.env;

/**
 * One embedded DynamoDB for each worker of a run, shared by its test files, which have their own tables. None if
 * `DYNAMODB_ENDPOINT` names another one, or `DYNAMODB_LOCAL` the directory of AWS's own DynamoDB Local: that becomes
 * slow, so each test file starts one. Vitest loads a global setup through its default export.
 */
// biome-ignore lint/style/noDefaultExport: see above
export default async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  if (isOtherServer()) return async () => {};
  const servers = await Promise.all(
    Array.from({ length: Number(config.maxWorkers) }, () => startDynamoDbServer()),
  );
  // Workers inherit it.
  process.env[variable] = servers.map(({ endpoint }) => endpoint).join(' ');
  return async () => {
    delete process.env[variable];
    await Promise.all(servers.map((server) => server.stop()));
  };
}

/** The server of this worker, or its replacement; undefined outside a test run. */
export function endpointOfWorker(): string | undefined {
  return givenEndpoint() ?? process.env[variable]?.split(' ')[Number(process.env.VITEST_POOL_ID) - 1];
}

/** Whether tests run on a server other than the embedded one. */
export function isOtherServer(): boolean {
  return givenEndpoint() !== undefined || dynamoDbLocal !== '';
}

/** A server to use instead of the embedded ones. */
function givenEndpoint(): string | undefined {
  const given = process.env.DYNAMODB_ENDPOINT;
  return given === '' ? undefined : given;
}

interface DynamoDbServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const startAttempts = 5;

/** Starts a DynamoDB in memory on a free port. It cannot report a port that it chose, so we choose. */
export async function startDynamoDbServer(): Promise<DynamoDbServer> {
  for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
    const port = await freePort();
    const child = serve(port);
    // An interrupted test run must not leave servers behind.
    const kill = (): boolean => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    const endpoint = `http://127.0.0.1:${port}`;
    // Another process may have taken the port first.
    if (await answers(endpoint, child)) return { endpoint, stop: () => end(child) };
    await end(child);
  }
  throw new Error(`the DynamoDB did not start in ${startAttempts} attempts`);
}

function serve(port: number): ChildProcess {
  if (dynamoDbLocal === '')
    return spawn(serverBinary(), ['serve', '--port', String(port)], { stdio: 'ignore' });
  // One for each test file: without its second compiler, it starts in half the processor time.
  const machine = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  const options = [...machine, '-Djava.library.path=DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const serverOptions = ['-port', String(port), '-inMemory', '-sharedDb', '-disableTelemetry'];
  return spawn('java', [...options, ...serverOptions], { cwd: dynamoDbLocal, stdio: 'ignore' });
}

function serverBinary(): string {
  const directory = `../../node_modules/@dynoxide/${process.platform}-${process.arch}/`;
  return fileURLToPath(new URL(`${directory}dynoxide`, import.meta.url));
}

async function answers(endpoint: string, child: ChildProcess): Promise<boolean> {
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  const probe = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const deadlineMs = Date.now() + 300_000;
  while (!ended && Date.now() < deadlineMs) {
    try {
      await probe.send(new ListTablesCommand({}));
      // Another server may answer on a port that ours failed to get.
      await new Promise((resolve) => setImmediate(resolve));
      return !ended;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
