import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with its slowest files and one line for people and scripts: `N passed, N failed, N skipped`. */
class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      // A module that cannot be loaded has no tests, but is a failure.
      if (module.state() === 'failed' && module.children.size === 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
      }
    }
    count.failed += unhandledErrors.length;
    const total = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
    process.stdout.write(`\nSlowest files:\n${slowestFiles(modules).join('\n')}\n\n${total}\n`);
  }
}

/** How long the ten slowest files took, including loading and hooks: `  12.3 s  test/…`. */
function slowestFiles(modules: readonly TestModule[]): string[] {
  return modules
    .map((module) => {
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      return { path: module.relativeModuleId, ms: collectDuration + setupDuration + duration };
    })
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`);
}

// Vitest loads a reporter given by path through its default export.
// biome-ignore lint/style/noDefaultExport: see above
export default ClosingLine;
