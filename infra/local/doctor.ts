import { existsSync } from 'node:fs';
import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, UsageError } from '../command.ts';
import { dynamoDbInWords } from './servers/dynamodb-server.ts';
import { checkPortFree } from './servers/kept-port.ts';

const usage = `Says what this machine lacks to run the service and its tests. Changes nothing.

Usage: npm run doctor [-- options]

  --port N     the port that \`npm start\` would use (default 3000)
  --data DIR   the data directory that it would use (default .local)
  --help       show this text

Exits with 0 when \`npm start\` can run here, even if other tools are missing.
`;

interface Finding {
  /** `missing` keeps `npm start` from running, `without` something else. */
  readonly verdict: 'ok' | 'without' | 'missing';
  readonly what: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What was found, or the message of what `look` throws. */
async function finding(
  verdict: 'missing' | 'without',
  what: string,
  look: () => string | Promise<string>,
): Promise<Finding> {
  try {
    return { verdict: 'ok', what: `${what}: ${await look()}` };
  } catch (error) {
    return { verdict, what: `${what}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function nodeVersion(): Promise<string> {
  const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [least = 0] = /\d+/.exec(engines.node) ?? [];
  if (Number(process.versions.node.split('.')[0]) < Number(least)) {
    throw new Error(`${process.versions.node}, but ${least} or newer is needed`);
  }
  return `${process.versions.node} at ${process.execPath}`;
}

function packages(): string {
  const absent = ['esbuild', 'aws-cdk-lib', 'fauxqs'].filter(
    (name) => !existsSync(join(root, 'node_modules', name)),
  );
  if (absent.length > 0) throw new Error('not installed; run npm ci');
  return 'installed';
}

/** A missing directory is created in its nearest existing ancestor. */
async function writable(directory: string): Promise<string> {
  let nearest = resolve(directory);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  await access(nearest, constants.W_OK);
  return directory;
}

async function onPath(programs: readonly string[]): Promise<string> {
  const directories = (process.env.PATH ?? '').split(delimiter);
  const missing: string[] = [];
  for (const program of programs) {
    const places = directories.map((directory) => access(join(directory, program), constants.X_OK));
    const found = await Promise.allSettled(places);
    if (!found.some(({ status }) => status === 'fulfilled')) missing.push(program);
  }
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not found; test:clients skips it`);
  return 'found';
}

const options = {
  port: { type: 'string', default: '3000' },
  data: { type: 'string', default: '.local' },
} as const;

await runCommand('doctor', 'The machine was not examined', { help: usage, options }, async (values) => {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${values.port}"`);
  }
  const findings = [
    await finding('missing', 'Node', nodeVersion),
    await finding('missing', 'packages', packages),
    await finding('missing', 'DynamoDB', dynamoDbInWords),
    await finding('missing', `port ${port}`, async () => {
      await checkPortFree(port);
      return 'free';
    }),
    await finding('missing', 'data directory', () => writable(values.data)),
    await finding('without', 'clients in Python', () => onPath(['python3'])),
    await finding('without', 'clients in Go', () => onPath(['go'])),
    await finding('without', 'clients in Java', () => onPath(['java', 'javac', 'mvn'])),
  ];
  if (findings.some(({ verdict }) => verdict === 'missing')) process.exitCode = 1;
  return findings.map(({ verdict, what }) => `${verdict.padEnd(9)}${what}`).join('\n');
});
