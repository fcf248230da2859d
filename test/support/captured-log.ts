import { vi } from 'vitest';

/** Runs `work` and returns what it wrote to standard output, where the log goes. */
export async function capturedLog(work: () => Promise<unknown>): Promise<string> {
  let written = '';
  vi.stubEnv('LOG_LEVEL', 'info');
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written += String(chunk);
    return true;
  });
  try {
    await work();
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
  }
  return written;
}
