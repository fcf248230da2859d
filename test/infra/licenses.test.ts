import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { licenseProblems, lockEntries, packageOfBuild } from '../../infra/check-licenses.ts';

const entries = lockEntries();

test('48: every package has a license that permits its use', () => {
  expect(licenseProblems(entries)).toEqual([]);
});

test.each([
  ['GPL-3.0-only', true, false],
  ['(MIT OR GPL-3.0-or-later)', true, true],
  ['MIT AND GPL-3.0-only', true, false],
  ['MPL-2.0', true, true],
  ['MPL-2.0', false, false],
  ['BSD-4-Clause', false, false],
  ['UNLICENSED', true, false],
  [undefined, true, false],
])('allows a package under %s, as a tool %s: %s', (license, dev, isUsed) => {
  const entry = license === undefined ? { dev } : { dev, license };
  const problems = licenseProblems({ 'node_modules/some': entry });
  expect(problems).toEqual(isUsed ? [] : [`node_modules/some: ${license ?? 'no license'}`]);
});

test('48: every package is pinned by a hash, except tool builds for other platforms', () => {
  const unpinned = Object.entries(entries).filter(([, { integrity }]) => integrity === undefined);
  // Contents of another package are pinned by that package's hash.
  const unbundled = unpinned.filter(([, { inBundle }]) => inBundle !== true);
  // npm records the hashes of a tool's builds only for the platform that wrote the lock file.
  const unexplained = unbundled.filter(
    ([place, { dev, optional, os }]) =>
      !(dev === true && optional === true && os !== undefined && packageOfBuild(place, entries) !== null),
  );
  expect(unexplained.map(([place]) => place)).toEqual([]);
  for (const [place] of unpinned.filter(([, { inBundle }]) => inBundle === true)) {
    const [outer = ''] = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(place) ?? [];
    expect(entries[outer]?.integrity, place).toMatch(/^sha512-/);
  }
});

test('48: npm run sbom lists deployed packages without tools, with version, license and hash', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8' });
  const Component = z.object({
    purl: z.string(),
    scope: z.string(),
    licenses: z.optional(z.array(z.looseObject({}))),
    hashes: z.optional(z.array(z.object({ alg: z.string() }))),
  });
  const sbom = z
    .object({ bomFormat: z.literal('CycloneDX'), components: z.array(Component) })
    .parse(JSON.parse(text));
  const deployed = Object.entries(entries)
    .filter(([, { dev, optional }]) => dev !== true && optional !== true)
    .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')}@${version}`);
  const required = sbom.components.filter(({ scope }) => scope === 'required');
  for (const { licenses, hashes } of required) {
    expect([licenses?.length, hashes?.map(({ alg }) => alg)]).toEqual([1, ['SHA-512']]);
  }
  const listed = required.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\/|\?.*$/g, '')));
  expect(listed.sort()).toEqual([...new Set(deployed)].sort());
});
