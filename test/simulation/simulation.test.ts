import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inFull } from '../support/in-full.ts';

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** In a separate process, because a simulation changes the clock and the randomness of its process. */
function simulate(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [fileURLToPath(new URL('simulate.ts', import.meta.url)), ...args],
      { maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, output: `${stdout}${stderr}` }),
    );
  });
}

const timeoutMs = 600_000;

function fingerprints({ output }: Outcome): string[] {
  return [...output.matchAll(/fingerprint (\w+)/g)].map(([, fingerprint = '']) => fingerprint).sort();
}

describe('the fault simulation', { timeout: timeoutMs }, () => {
  it('keeps every promise with a random seed, reproducibly when run in full', async () => {
    const run = ['--seed', String(randomInt(1_000_000_000)), '--tasks', inFull ? '3' : '1'];
    process.stdout.write(`Replay with: npm run simulate -- ${run.join(' ')}\n`);
    const [outcome, again] = await Promise.all([simulate(...run), inFull ? simulate(...run) : null]);
    expect(outcome.output).toContain('Every promise was kept.');
    expect(outcome.code).toBe(0);
    expect(fingerprints(outcome)).toHaveLength(1);
    if (again !== null) expect(fingerprints(again)).toEqual(fingerprints(outcome));
  });

  it('announces every end after a stream outage beyond its retention, and overloads no line', async () => {
    // Three at least, so that one of them finds the line in use.
    const run = ['--seed', '1', '--tasks', inFull ? '4' : '3'];
    const outcome = await simulate(...run, '--stream-outage', '30', '--line', '2');
    expect(outcome.output).toContain('Every promise was kept.');
    expect(outcome.output).toMatch(/\d+ calls, \d+ of them first ones, in \d+ minutes; at most 2 at once/);
    expect(outcome.code).toBe(0);
  });

  it('refuses invalid options', async () => {
    const wrong = await simulate('--seed', 'x');
    expect(wrong.code).toBe(2);
    expect(wrong.output).toContain('--seed must be a whole number');
  });
});
