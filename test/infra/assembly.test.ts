import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtAssembly, builtBundles, copyAssembly, sourcesKey } from '../../infra/assembly.ts';
import { readAssets } from '../../infra/local/functions/cloud-assembly.ts';

const temporary = mkdtempSync(join(tmpdir(), 'voice-agent-assembly-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

test("reuses an assembly, and a copy has all functions' code and its own files", async () => {
  const { assemblyDir, templatePath } = await copyAssembly('prod', join(temporary, 'copy'));
  const kept = await builtAssembly('prod');
  expect(await builtAssembly('prod')).toEqual(kept);
  const functions = [...(await readAssets(assemblyDir))].filter(([key]) => key.endsWith('.zip'));
  expect(functions.length).toBeGreaterThan(20);
  const keptAssets = await readAssets(kept.assemblyDir);
  for (const [key, directory] of functions) {
    const copied = join(directory, 'index.js');
    expect(dirname(directory), key).toBe(assemblyDir);
    writeFileSync(copied, '');
    expect(readFileSync(join(keptAssets.get(key) ?? '', 'index.js'), 'utf8'), key).not.toBe('');
  }
  expect(dirname(templatePath)).toBe(assemblyDir);
});

test('reuses bundles, and an assembly contains their code', async () => {
  const bundles = await builtBundles();
  const writtenAt = statSync(join(bundles, 'create-task/index.js')).mtimeMs;
  expect(await builtBundles()).toBe(bundles);
  expect(statSync(join(bundles, 'create-task/index.js')).mtimeMs).toBe(writtenAt);
  const codeIn = (directory: string): string => readFileSync(join(directory, 'index.js'), 'utf8');
  const { assemblyDir } = await builtAssembly('dev');
  const functions = [...(await readAssets(assemblyDir))].filter(([key]) => key.endsWith('.zip'));
  expect(functions.map(([, directory]) => codeIn(directory))).toContain(codeIn(join(bundles, 'create-task')));
});

test('any source change builds another assembly', () => {
  const project = join(temporary, 'project');
  for (const dir of ['functions', 'infra/constructs', 'shared']) {
    mkdirSync(join(project, dir), { recursive: true });
  }
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json']) {
    writeFileSync(join(project, name), '{}');
  }
  const source = join(project, 'infra/constructs/table.ts');
  writeFileSync(source, '1');
  const keys = [sourcesKey(project)];
  expect(sourcesKey(project)).toBe(keys[0]);

  writeFileSync(source, '2');
  keys.push(sourcesKey(project));
  renameSync(source, join(project, 'infra/constructs/queue.ts'));
  keys.push(sourcesKey(project));
  writeFileSync(join(project, 'package-lock.json'), '{ }');
  keys.push(sourcesKey(project));
  expect(new Set(keys).size).toBe(keys.length);
});
