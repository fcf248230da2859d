import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/*
 * Two kinds of tests. `*.stack.test.ts` talk to one running local stack (the synthesized template, the real embedded
 * servers, the sandbox phone) that is started once for all of them; the others start what little they need themselves.
 * Time limits are generous because machines are shared: a test waits for a condition, the limit only ends a hang.
 */
export default defineConfig({
  root,
  test: {
    reporters: ['default', fileURLToPath(new URL('support/closing-line.ts', import.meta.url))],
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.stack.test.ts'],
          env: { LOG_LEVEL: 'silent' },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          name: 'stack',
          include: ['test/**/*.stack.test.ts'],
          globalSetup: [fileURLToPath(new URL('support/stack-setup.ts', import.meta.url))],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
