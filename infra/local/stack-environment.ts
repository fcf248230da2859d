import { join } from 'node:path';
import type { LocalStack } from './local-stack.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Writes a running stack's addresses into the data directory for shells and other programs: the variables of the AWS
 * SDKs, and the template's outputs under their own names.
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
