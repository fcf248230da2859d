import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dataFiles, longLines } from '../../infra/check-sources.ts';

test('reports a line of more than 120 characters by file and line, and accepts 120', () => {
  const source = ['first', 'x'.repeat(121), 'é'.repeat(120), '', `'${'…'.repeat(130)}'`].join('\n');
  expect(longLines('shared/some.ts', source)).toEqual([
    'shared/some.ts:2: 121 characters, more than 120',
    'shared/some.ts:5: 132 characters, more than 120',
  ]);
});

test.each(dataFiles)('%s has long lines, so its exception is needed', (name) => {
  const source = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  expect(longLines(name, source)).not.toEqual([]);
});
