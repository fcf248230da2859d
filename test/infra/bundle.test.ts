import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { builtBundles } from '../../infra/assembly.ts';
import { bundleFunctions, bundlePath } from '../../infra/bundle.ts';
import { lockEntries } from '../../infra/check-licenses.ts';
import { routes } from '../../infra/routes.ts';

const functionsDir = fileURLToPath(new URL('../../functions', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'voice-agent-bundle-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const Metafile = z.object({
  inputs: z.record(z.string(), z.unknown()),
  outputs: z.record(z.string(), z.object({ bytes: z.number() })),
});

// The ones that all tests use.
const outDir = await builtBundles();
const { inputs, outputs } = Metafile.parse(JSON.parse(readFileSync(join(outDir, '../meta.json'), 'utf8')));
const bundles = Object.entries(outputs)
  .map(([output, { bytes }]) => {
    const file = join(basename(dirname(output)), basename(output));
    return { name: file.replace(/(?:\/index)?\.js$/, ''), path: join(outDir, file), bytes };
  })
  .sort((a, b) => a.name.localeCompare(b.name));

describe('the bundles', () => {
  test('are one folder per function with only its code and the files it reads or loads later', () => {
    const files = Object.fromEntries(
      readdirSync(outDir).map((name) => [name, readdirSync(join(outDir, name)).sort()]),
    );
    const companions: Record<string, string[]> = {
      admin: ['callable-number.js'],
      'call-runner': ['callable-number.js', 'models.json', 'open-call-results.js'],
      'carrier-callback': ['callable-number.js'],
      'create-task': ['callable-number.js', 'foresee-task.js'],
      'create-task-batch': ['callable-number.js'],
      dashboard: ['callable-number.js'],
      'open-api': [
        'admin-openapi.json',
        'docs.html',
        'openapi.json',
        'page.js',
        'swagger-ui-bundle.js',
        'swagger-ui.css',
      ],
      'recording-ingest': ['models.json', 'open-call-results.js'],
      'sandbox-phone-line': ['flite.wasm'],
      'no-input-timer': ['models.json', 'open-bedrock-model.js', 'open-openai-model.js'],
      'voice-agent': ['models.json', 'open-bedrock-model.js', 'open-openai-model.js'],
      'webhook-delivery': ['ses-mailer.js'],
    };
    const withoutTable = ['open-api', 'sandbox-phone-api', 'sandbox-phone-line'];
    const expected = Object.fromEntries(
      readdirSync(functionsDir)
        .filter((file) => file.endsWith('.ts'))
        .map((file) => basename(file, '.ts'))
        .map((name) => [
          name,
          [
            ...(companions[name] ?? []),
            ...(withoutTable.includes(name) ? [] : ['open-data-key.js']),
            'index.js',
          ].sort(),
        ]),
    );
    expect(files).toEqual(expected);
  });

  test.each([
    ['bedrock-runtime', 'open-bedrock-model'],
    ['/chat/completions', 'open-openai-model'],
  ])(
    'hold the code for a language model (%s) only in the file that is loaded when it is configured',
    (mark, part) => {
      const holders = bundles
        .filter(({ path }) => readFileSync(path, 'utf8').includes(mark))
        .map(({ name }) => name);
      expect(holders).toEqual([`no-input-timer/${part}`, `voice-agent/${part}`]);
    },
  );

  test.each([
    ['open-bedrock-model', "openBedrockModel('us-east-1', 'm', () => {})"],
    [
      'open-openai-model',
      "openOpenAiModel({ baseUrl: 'http://127.0.0.1:9', model: 'm', secretArn: '' }, () => {})",
    ],
  ])('load the language model of %s from their folder', (part, opening) => {
    const later = bundles.filter(({ name }) => name.endsWith(`/${part}`));
    for (const { path, name } of later) {
      const script = `import(${JSON.stringify(path)}).then((part) => console.log(typeof part.${opening}.takeTurn))`;
      expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }), name).toBe('function\n');
    }
    expect(later).toHaveLength(2);
  });

  test('contain the language models only in functions that hold calls or reread transcripts', () => {
    const holders = bundles
      .filter(({ path }) => readFileSync(path, 'utf8').includes('there is no model for'))
      .map(({ name }) => name);
    expect(holders.sort()).toEqual([
      'call-runner/open-call-results',
      'no-input-timer',
      'recording-ingest/open-call-results',
      'voice-agent',
    ]);
  });

  test('contain no test-only code', () => {
    for (const { name, path } of bundles) {
      expect(/aimock|llmock/.exec(readFileSync(path, 'utf8'))?.[0], name).toBeUndefined();
    }
  });

  test('48: contain only packages that count as deployed, with checked licenses and bill of materials', () => {
    const places = Object.keys(inputs).flatMap(
      (path) => /(?:^|\/)(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
    );
    const entries = lockEntries();
    expect(new Set(places).size).toBeGreaterThan(20);
    expect(places.filter((place) => entries[place]?.dev !== undefined || !(place in entries))).toEqual([]);
  });

  test('of /v1 functions are at most 450 KB', () => {
    for (const { function: name } of routes.filter(({ path }) => path.startsWith('/v1/'))) {
      expect(bundles.find((bundle) => bundle.name === name)?.bytes, name).toBeLessThanOrEqual(450_000);
    }
  });

  test('depend on nothing but Node', () => {
    // Native helpers that are loaded only if present: of the WebSocket client, and for requests to
    // several regions at once.
    const optional = new Set(['bufferutil', 'utf-8-validate', '@aws-sdk/signature-v4-crt']);
    const builtins = new Set(process.getBuiltinModule('node:module').builtinModules);
    const isOwn = (path: string, id: string): boolean =>
      id.startsWith('./') && existsSync(join(dirname(path), id));
    for (const { name, path } of bundles) {
      const required = [...readFileSync(path, 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(
        ([, id = '']) => id,
      );
      const foreign = required.filter(
        (id) => !optional.has(id) && !builtins.has(id.replace(/^node:/, '')) && !isOwn(path, id),
      );
      expect(foreign, name).toEqual([]);
    }
  });

  test('never import through Node’s own module loader, which would give them other globals', () => {
    for (const { name, path } of bundles) {
      expect(readFileSync(path, 'utf8'), name).not.toMatch(/(?<!\.)\bimport\(/);
    }
  });

  test('contain no credentials provider except the environment', () => {
    for (const { name, path } of bundles) {
      // Compares presence, not the code: a difference would print the whole bundle.
      expect(/sso_session|credential_process/.exec(readFileSync(path, 'utf8'))?.[0], name).toBeUndefined();
    }
  });

  test('stay unchanged if no source changed, and a removed function is dropped', async () => {
    const sources = mkdtempSync(join(temporary, 'sources-'));
    const target = {
      functionsDir: sources,
      outDir: join(temporary, 'few'),
      metafilePath: join(temporary, 'meta.json'),
    };
    writeFileSync(join(sources, 'stays.ts'), 'export const handler = () => 1;');
    writeFileSync(join(sources, 'goes.ts'), 'export const handler = () => 2;');
    await bundleFunctions(target);
    const writtenAt = statSync(bundlePath('stays', target.outDir)).mtimeMs;
    rmSync(join(sources, 'goes.ts'));
    await bundleFunctions(target);
    expect(statSync(bundlePath('stays', target.outDir)).mtimeMs).toBe(writtenAt);
    expect(readdirSync(target.outDir)).toEqual(['stays']);
    const script = `console.log(require(${JSON.stringify(bundlePath('stays', target.outDir))}).handler())`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('1\n');
  });
});
