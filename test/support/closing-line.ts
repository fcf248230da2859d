import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that people and scripts can read alike: `N passed, N failed, N skipped`. */
class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      // A module that could not even be loaded has no tests, and is a failure all the same.
      if (module.state() === 'failed' && module.children.size === 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
      }
    }
    count.failed += unhandledErrors.length;
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}

// Vitest loads a reporter given by path through its default export.
// biome-ignore lint/style/noDefaultExport: see above
export default ClosingLine;
