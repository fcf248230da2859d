import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EmbeddedTable } from './embedded-table.ts';

export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One that is undefined is taken away. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Runs a command of `infra/` as a person does, on a table that stands on this machine. */
export function runCommandOn(
  { endpoint, kmsEndpoint }: Pick<EmbeddedTable, 'endpoint'> & Partial<Pick<EmbeddedTable, 'kmsEndpoint'>>,
  name: string,
  args: readonly string[],
  variables: Variables = {},
): Promise<CommandRun> {
  const script = fileURLToPath(new URL(`../../infra/${name}.ts`, import.meta.url));
  const env = {
    ...process.env,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    ...(kmsEndpoint === undefined ? {} : { AWS_ENDPOINT_URL_KMS: kmsEndpoint }),
    ...variables,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
