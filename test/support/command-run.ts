import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { EmbeddedTable } from './embedded-table.ts';

export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An undefined one is removed. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The local servers that a command works on. */
type Servers = Pick<EmbeddedTable, 'endpoint'> & Partial<Pick<EmbeddedTable, 'kmsEndpoint'>>;

/** Commands that end their process, and so would end that of a test. */
export const endingTheirProcess = [
  'local/demo',
  'local/start',
  '../test/crash/crash-test',
  '../test/evaluation/evaluate',
  '../test/load/load',
  '../test/simulation/simulate',
];

let runs = 0;
let isRunning = false;

/**
 * Runs a command of `infra/` that ends with `runCommand` in this process: loading the AWS SDK again takes longer than
 * most of them. One at a time, because they share the process's arguments, environment and output.
 */
export async function runCommandOn(
  servers: Servers,
  name: string,
  args: readonly string[],
  variables: Variables = {},
): Promise<CommandRun> {
  if (isRunning) throw new Error('another command runs in this process');
  isRunning = true;
  const { argv, env } = process;
  const lines = { log: [] as unknown[], error: [] as unknown[] };
  const spies = (['log', 'error'] as const).map((to) =>
    vi.spyOn(console, to).mockImplementation((line) => void lines[to].push(`${line}\n`)),
  );
  process.argv = [process.execPath, scriptOf(name), ...args];
  process.env = environmentOn(servers, variables);
  process.exitCode = undefined;
  try {
    runs += 1;
    // With a different query, a module runs again, but not its imports.
    await import(`${scriptOf(name)}?run=${runs}`);
    return {
      exitCode: Number(process.exitCode ?? 0),
      stdout: lines.log.join(''),
      stderr: lines.error.join(''),
    };
  } finally {
    Object.assign(process, { argv, env, exitCode: undefined });
    for (const spy of spies) spy.mockRestore();
    isRunning = false;
  }
}

/** Runs any command as a person does. */
export function runProcessOn(
  servers: Servers,
  name: string,
  args: readonly string[],
  variables: Variables = {},
): Promise<CommandRun> {
  const env = environmentOn(servers, variables);
  return new Promise((resolve) => {
    execFile(process.execPath, [scriptOf(name), ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`../../infra/${name}.ts`, import.meta.url));
}

function environmentOn({ endpoint, kmsEndpoint }: Servers, variables: Variables): NodeJS.ProcessEnv {
  const environment = {
    ...process.env,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...(kmsEndpoint === undefined ? {} : { AWS_ENDPOINT_URL_KMS: kmsEndpoint }),
    ...variables,
  };
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
}
