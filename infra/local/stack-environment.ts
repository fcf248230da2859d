import { join } from 'node:path';
import type { LocalStack } from './local-stack.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Writes what a shell or another program needs to reach a running stack's servers into the data directory:
 * the variables that the AWS SDKs read, and the template's outputs under their own names.
 */
export async function writeStackEnvironment(dataDirectory: string, stack: LocalStack): Promise<string> {
  const path = join(dataDirectory, 'stack.env');
  const lines = Object.entries({
    ...stack.awsEnvironment,
    ...stack.outputs,
    // As the stack itself was configured.
    WEBHOOK_LOOPBACK: 'allowed',
  }).map(([name, value]) => `${name}='${value}'\n`);
  await writeWhole(path, lines.join(''));
  return path;
}
