import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { carrierCodes } from '#shared/carrier/carrier-codes.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { alarmMetric, eventMetrics } from '#shared/observability/metrics.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import { manifests } from '../infra/manifests.ts';
import { routes } from '../infra/routes.ts';
import { endingTheirProcess, runCommandOn } from './support/command-run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const pages = [
  'README.md',
  ...readdirSync(`${root}/docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** The cells of each row of the table under a heading, as they stand there. */
function rowsOf(page: string, heading: string): string[][] {
  const text = textOf(page);
  const section = text.slice(text.indexOf(heading)).split(/\n#+ /)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The first cells of those rows. */
function firstCells(page: string, heading: string): string[] {
  return rowsOf(page, heading).map(([cell = '']) => cell);
}

const helpTexts = new Map<string, string>();

/** The options that `--help` of a command explains. @param path of its script */
async function explainedOptions(path: string): Promise<string[]> {
  const help = helpTexts.get(path) ?? (await helpOf(path));
  helpTexts.set(path, help);
  return [...help.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
}

/** Loading the SDK again takes longer than most commands. */
async function helpOf(path: string): Promise<string> {
  const command = relative('infra', path).replace(/\.ts$/, '');
  if (!endingTheirProcess.includes(command)) {
    return (await runCommandOn({ endpoint: '' }, command, ['--help'])).stdout;
  }
  return execFileSync(process.execPath, [path, '--help'], { cwd: root, encoding: 'utf8' });
}

function npmScripts(): Record<string, string> {
  return JSON.parse(textOf('package.json')).scripts;
}

/** The lines of the shell blocks of a page, with continued lines joined and comments removed. */
function shellLines(page: string): string[] {
  return [...textOf(page).matchAll(/```sh\n(.*?)```/gs)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/ +# .*$/, ''));
}

/** GitHub's anchors of a page's headings. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the README', () => {
  test('stays short', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(12 * 1024);
  });

  test('lists the options that npm start explains', async () => {
    const listed = firstCells('README.md', '## Two commands').map((cell) => /--[a-z-]+/.exec(cell)?.[0]);
    expect([...listed, '--help'].sort()).toEqual(
      [...new Set(await explainedOptions('infra/local/start.ts'))].sort(),
    );
  });

  test('draws exactly the functions that exist', () => {
    const drawn = [...textOf('README.md').matchAll(/\[\[(.*?)\]\]/g)].flatMap(([, names = '']) =>
      names.split('<br/>'),
    );
    const functions = readdirSync(`${root}/functions`)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.slice(0, -'.ts'.length));
    const isDrawnAs = (name: string, drawing: string): boolean =>
      drawing.endsWith('*') ? name.startsWith(drawing.slice(0, -1)) : name === drawing;
    expect(drawn.filter((drawing) => !functions.some((name) => isDrawnAs(name, drawing)))).toEqual([]);
    expect(functions.filter((name) => !drawn.some((drawing) => isDrawnAs(name, drawing)))).toEqual([]);
  });

  test('maps every directory of shared/', () => {
    const directories = readdirSync(`${root}/shared`, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const mapped = firstCells('README.md', '## Source layout').join(' ');
    expect(directories.map(({ name }) => name).filter((name) => !mapped.includes(`\`${name}/\``))).toEqual(
      [],
    );
  });
});

describe('the docs', () => {
  test('list exactly the endpoints that exist', () => {
    const endpoints = routes.filter((route) => route.path.startsWith('/v1/'));
    expect(firstCells('docs/api.md', '## Endpoints').sort()).toEqual(
      endpoints.map((route) => `\`${route.method} ${route.path}\``).sort(),
    );
  });

  test('list exactly the sandbox numbers', () => {
    const numbers = bundledDirectory().personas.flatMap((person) => person.numbers);
    expect(firstCells('docs/sandbox.md', '## Sandbox numbers').sort()).toEqual(
      numbers.map((number) => (number === '*' ? 'any other' : number)).sort(),
    );
  });

  test('say how to respond to every log event that raises an alarm', () => {
    expect(
      firstCells('docs/operations.md', '## Alarms')
        .map((cell) => cell.replace(' ●', ''))
        .sort(),
    ).toEqual(
      Object.values(alarmingEvents)
        .map((event) => `\`${event}\``)
        .sort(),
    );
  });

  test('the alarm of each function has a row', () => {
    const cells = firstCells('docs/operations.md', '### Functions that fail').join(' ');
    const named = [...cells.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(manifests.map(({ name }) => name).sort());
  });

  test('number each guarantee, and each number names a test', () => {
    const numbers = firstCells('docs/security.md', '## Guarantees');
    expect(numbers).toEqual([...numbers].sort((a, b) => Number(a) - Number(b)));
    const tests = globSync('test/**/*.ts', { cwd: root }).map(textOf).join('\n');
    expect(numbers.length).toBeGreaterThan(20);
    expect(
      numbers.filter((number) => !new RegExp(`\\(\\s*['"\`](?:\\d+, )?${number}(?:, \\d+)?: `).test(tests)),
    ).toEqual([]);
  });

  test('explain every check before live calls', () => {
    const sources = readdirSync(`${root}/infra/check-live`).map((name) => textOf(`infra/check-live/${name}`));
    const checks = [...sources.join('\n').matchAll(/\bcheck = ['`]([^'`$]+)/g)].map(([, check = '']) =>
      check.trim(),
    );
    const explained = firstCells('docs/deploy.md', '## Check before live calls');
    expect(checks.length).toBeGreaterThan(7);
    expect(checks.filter((check) => !explained.some((cell) => cell.startsWith(check)))).toEqual([]);
  });

  test('explain every carrier code like the dashboard', () => {
    const known = Object.entries(carrierCodes).flatMap(([kind, codes]) =>
      Object.entries(codes).map(([code, { meaning, remedy, anotherCall }]) =>
        [kind === 'error' ? code : `${kind} ${code}`, meaning, remedy ?? '', anotherCall].join(' | '),
      ),
    );
    const rows = rowsOf('docs/operations.md', '## What the carrier reports about a call');
    expect(rows.map((cells) => cells.join(' | ')).sort()).toEqual(known.sort());
  });

  test('explain every metric', () => {
    const units = Object.values(eventMetrics).flatMap((metrics) => Object.entries(metrics.units));
    const rows = [...units, [alarmMetric, 'Count']].map(([name, unit]) => `| \`${name}\` | ${unit} |`);
    const listed = firstCells('docs/operations.md', '### Metrics');
    expect(listed).toHaveLength(rows.length);
    for (const row of rows) expect(textOf('docs/operations.md')).toContain(row);
  });

  test('show the costs that the command prints', () => {
    const [, block] = /npm run cost\n```\n\n```text\n(.*?)```/s.exec(textOf('docs/operations.md')) ?? [];
    const printed = execFileSync(process.execPath, ['infra/cost.ts'], { cwd: root, encoding: 'utf8' });
    expect(block).toBe(printed);
  });

  test('define at most 40 words', () => {
    const words = firstCells('docs/glossary.md', '# Glossary');
    expect(words.length).toBeGreaterThan(20);
    expect(words.length).toBeLessThanOrEqual(40);
    expect(new Set(words).size).toBe(words.length);
  });
});

describe.each(pages)('%s', (page) => {
  test('names only npm scripts that exist', () => {
    const named = [...textOf(page).matchAll(/npm run ([a-z-]+)/g)].map(([, name]) => name);
    for (const name of named) expect(Object.keys(npmScripts())).toContain(name);
  });

  test('gives commands only options that their help explains', async () => {
    for (const line of shellLines(page)) {
      const [, name = '', options = ''] = /npm (?:run )?([a-z-]+)(?: --silent)? -- (.*)/.exec(line) ?? [];
      if (name === '') continue;
      const script = npmScripts()[name] ?? '';
      expect(script, line).toMatch(/^node /);
      const explained = await explainedOptions(/\S+\.ts/.exec(script)?.[0] ?? '');
      for (const [option] of options.matchAll(/--[a-z][a-z-]*/g)) expect(explained, line).toContain(option);
    }
  });

  test('links only to files and headings that exist', () => {
    const broken = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.startsWith('https://'))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && !anchorsOf(file).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('names only source files that exist', () => {
    const named = [...textOf(page).matchAll(/`((?:functions|infra|shared|test|docs)\/[\w./-]*)`/g)];
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
