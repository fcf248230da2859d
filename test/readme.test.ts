import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundledDirectory } from '#shared/sandbox-phone/people/directory.ts';
import { routes } from '../infra/routes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${root}/README.md`, 'utf8');

/** The first cells of the table under a heading, as they stand there. */
function firstCells(heading: string): string[] {
  const section = readme.slice(readme.indexOf(heading)).split(/\n#+ /)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => (row.split('|')[1] ?? '').trim());
}

describe('the README', () => {
  test('lists the endpoints that there are, and no others', () => {
    const endpoints = routes.filter((route) => route.path.startsWith('/v1/'));
    expect(firstCells('## Endpoints').sort()).toEqual(
      endpoints.map((route) => `\`${route.method} ${route.path}\``).sort(),
    );
  });

  test('lists the sandbox numbers that somebody answers, and no others', () => {
    const numbers = bundledDirectory().people.flatMap((person) => person.numbers);
    expect(firstCells('## Sandbox numbers').sort()).toEqual(
      numbers.map((number) => (number === '*' ? 'any other' : number)).sort(),
    );
  });

  test('lists the options that npm start explains', () => {
    const help = execFileSync(process.execPath, ['infra/local/start.ts', '--help'], {
      cwd: root,
      encoding: 'utf8',
    });
    const explained = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option);
    const listed = firstCells('## Two commands').map((cell) => /--[a-z-]+/.exec(cell)?.[0]);
    expect([...listed, '--help'].sort()).toEqual(explained.sort());
  });

  test('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    const named = [...readme.matchAll(/npm run ([a-z-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});
