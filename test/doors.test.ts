import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';

const root = fileURLToPath(new URL('..', import.meta.url));
const configuration = join(root, '.dependency-cruiser.cjs');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** An import that breaks each rule, and one beside it that does not. */
const violations: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-circles': ['shared/domain/egg.ts', 'shared/domain/hen.ts'],
  'domain-knows-nothing': ['shared/domain/call.ts', 'shared/table/call.ts'],
  'table-knows-the-domain': ['shared/table/call-capacity.ts', 'shared/calls/capacity/admit.ts'],
  'use-cases-know-no-http': ['shared/tasks/get-task.ts', 'shared/http/response-size-budget.ts'],
  'use-cases-know-no-lambda': ['shared/webhooks/send.ts', 'node_modules/@middy/core/index.js'],
  'triggers-know-no-use-case': ['shared/triggers/queue.ts', 'shared/sweeping/sweep-due.ts'],
  'carrier-is-an-adapter': ['shared/carrier/carriers.ts', 'shared/table/call.ts'],
  'nobody-imports-functions': ['infra/routes.ts', 'functions/get-task.ts'],
  'admin-handlers-are-of-one-function': ['functions/dashboard.ts', 'functions/admin/tasks.ts'],
  'manifests-declare': ['functions/manifests/get-task.ts', 'shared/tasks/list-tasks.ts'],
  'operations-declare': ['shared/operations/v1/get-task.ts', 'shared/table/task.ts'],
  'shared-knows-no-infra': ['shared/encryption/kms-envelope.ts', 'infra/route.ts'],
  'dialogue-models-know-the-interface': [
    'shared/voice-agent/built-in-model/decide.ts',
    'shared/voice-agent/language-model/prompt.ts',
  ],
  'one-file-knows-both-models': [
    'shared/voice-agent/dialogue/second-model.ts',
    'shared/voice-agent/built-in-model/menu.ts',
  ],
  'plan-knows-no-dialogue': [
    'shared/voice-agent/call-plan/progress.ts',
    'shared/voice-agent/dialogue/quotes.ts',
  ],
  'result-knows-no-session': [
    'shared/voice-agent/result/review.ts',
    'shared/voice-agent/session/converse.ts',
  ],
  'phone-stands-alone': ['shared/sandbox-phone/line/speak.ts', 'shared/domain/call.ts'],
  'service-does-not-know-the-phone': ['shared/calls/call-queue.ts', 'shared/sandbox-phone/wire.ts'],
  'phone-has-doors': ['functions/sandbox-phone-line.ts', 'shared/sandbox-phone/line/twiml.ts'],
  'personas-know-persons': [
    'shared/sandbox-phone/person/person.ts',
    'shared/sandbox-phone/personas/directory.ts',
  ],
  'emulator-knows-no-service': ['infra/local/gateway/rest-api.ts', 'shared/domain/task.ts'],
  'local-stack-is-its-own-house': ['infra/service-stack.ts', 'infra/local/local-stack.ts'],
};

const Violations = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

let house: string;

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'doors-'));
  await write('package.json', '{ "type": "module" }');
  await write('tsconfig.json', '{ "compilerOptions": { "allowImportingTsExtensions": true } }');
  await write('node_modules/@middy/core/package.json', '{ "name": "@middy/core", "main": "index.js" }');
  await write('shared/domain/hen.ts', "import './egg.ts';");
  const imports = Map.groupBy(Object.values(violations), ([from]) => from);
  for (const [from, pairs] of imports)
    await write(from, pairs.map(([, to]) => importOf(from, to)).join('\n'));
  const imported = Object.values(violations).map(([, to]) => to);
  for (const to of imported) if (!imports.has(to) && to !== 'shared/domain/hen.ts') await write(to, '');
});

afterAll(() => rm(house, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(house, dirname(path)), { recursive: true });
  await writeFile(join(house, path), text);
}

function importOf(from: string, to: string): string {
  const name = to.startsWith('node_modules/') ? '@middy/core' : relative(dirname(from), to);
  // Types count as well: a room that names a type of another one knows it.
  return to.startsWith('node_modules/') || name.startsWith('.')
    ? `import type { Something } from '${name}';`
    : `import type { Something } from './${name}';`;
}

function cruise(): Promise<z.infer<typeof Violations>> {
  const args = [cruiser, '--config', configuration, '-T', 'json', 'functions', 'infra', 'shared'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: house, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      // Violations make it fail; anything that it cannot say as JSON is another failure.
      if (stdout === '') reject(error ?? new Error(stderr));
      else resolve(Violations.parse(JSON.parse(stdout)));
    });
  });
}

test('every import rule can fail', async () => {
  const { forbidden } = z
    .object({ forbidden: z.array(z.object({ name: z.string() })) })
    .parse(createRequire(import.meta.url)(configuration));
  expect(Object.keys(violations).sort()).toEqual(forbidden.map(({ name }) => name).sort());

  const { summary } = await cruise();
  const found = summary.violations.map(({ rule, from, to }) => [rule.name, from, to]);
  for (const [name, [from, to]] of Object.entries(violations)) expect(found).toContainEqual([name, from, to]);
});
