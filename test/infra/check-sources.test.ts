import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dataFiles, oversize } from '../../infra/check-sources.ts';

test('reports a line of more than 120 characters by file and line, and accepts 120', () => {
  const source = ['first', 'x'.repeat(121), 'é'.repeat(120), '', `'${'…'.repeat(130)}'`].join('\n');
  expect(oversize('shared/some.ts', source)).toEqual([
    'shared/some.ts:2: 121 characters, more than 120',
    'shared/some.ts:5: 132 characters, more than 120',
  ]);
});

test('reports a file of more than 350 lines, and accepts 350', () => {
  expect(oversize('shared/some.ts', 'const line = 1;\n'.repeat(350))).toEqual([]);
  expect(oversize('shared/some.ts', 'const line = 1;\n'.repeat(351))).toEqual([
    'shared/some.ts: 351 lines, more than 350',
  ]);
});

test.each(dataFiles)('%s is too large, so its exception is needed', (name) => {
  const source = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  expect(oversize(name, source)).not.toEqual([]);
});
