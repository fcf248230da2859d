import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyAssembly } from '../../infra/assembly.ts';
import { type LocalStack, startLocalStack } from '../../infra/local/local-stack.ts';

export interface TemporaryStack {
  readonly stack: LocalStack;
  readonly dataDirectory: string;
  /** Stops the stack and removes its data. */
  close(): Promise<void>;
}

/** The local stack on the synthesized template, with its own data and sandbox calls that take no real time. */
export async function openTemporaryStack(
  name: string,
  parameters: Readonly<Record<string, string>> = {},
  { checksAccess = false } = {},
): Promise<TemporaryStack> {
  const dataDirectory = await mkdtemp(join(tmpdir(), `voice-agent-${name}-`));
  const remove = (): Promise<void> => rm(dataDirectory, { recursive: true, force: true });
  try {
    const { templatePath, assemblyDir } = await copyAssembly('dev', join(dataDirectory, 'assembly'));
    const stack = await startLocalStack({
      templatePath,
      assemblyDir,
      dataDir: dataDirectory,
      port: 0,
      checksAccess,
      parameters: { SandboxPhonePace: '0', ...parameters },
    });
    return {
      stack,
      dataDirectory,
      close: async () => {
        await stack.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
