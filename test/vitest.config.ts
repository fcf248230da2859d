import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { MixedOrder } from './support/mixed-order.ts';
import { type Tier, testFiles } from './support/tiers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const support = (name: string): string => fileURLToPath(new URL(`support/${name}`, import.meta.url));
const files = testFiles();
// Machines are shared: a test waits for a condition, and the limit only ends a hang. DynamoDB Local is many times
// slower.
const longestMs = process.env.DYNAMODB_LOCAL === undefined ? 120_000 : 900_000;

// Halves the time that the many processes that tests start take to load.
process.env.NODE_COMPILE_CACHE ??= `${root}.build/compile-cache`;

/** @param tier see `support/tiers.ts`, whose files start what the global setups do not start for all of them */
function project(tier: Tier, globalSetup: string[], isolate = false) {
  return {
    root,
    test: {
      name: tier,
      include: files[tier],
      isolate,
      globalSetup: globalSetup.map(support),
      setupFiles: tier === 'stack' ? [support('no-refused-access.ts')] : [],
      unstubEnvs: true,
      env: tier === 'stack' ? {} : { LOG_LEVEL: 'silent' },
      testTimeout: longestMs,
      hookTimeout: longestMs,
    },
  };
}

export default defineConfig({
  root,
  test: {
    reporters: ['default', support('closing-line.ts')],
    // Many tests wait for a call or a clock, so there are three workers more than processors.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: MixedOrder },
    projects: [
      project('isolated', ['dynamodb-servers.ts'], true),
      project('integration', ['dynamodb-servers.ts']),
      project('stack', ['stack-setup.ts']),
      project('unit', []),
    ],
  },
});
