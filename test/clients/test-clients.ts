import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oneOf, runCommand, type Values } from '../../infra/command.ts';
import { launch } from '../../infra/local/launch.ts';
import { type Command, type Language, languages, type Run } from './languages.ts';

const usage = `Generates clients from /openapi.json and /admin/openapi.json in each language, compiles them, and runs
the quickstart of docs/quickstart.md with the first one against a local stack: patient, task, result.

Usage: npm run test:clients [-- --only NAME]

  --only NAME   one language: ${languages.map(({ name }) => name).join(', ')}
  --help        show this text

A language is skipped, and said to be, where its tools or its generator cannot be had. The generators are kept in
.build/clients.`;

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The last line of each program's output. */
const expected = 'COMPLETED true';
const minutes = 60_000;

const runFile = promisify(execFile);

const run: Run = async ({ file, args, cwd, env = {} }: Command) => {
  try {
    const options = {
      cwd,
      env: { ...process.env, ...env },
      timeout: 10 * minutes,
      maxBuffer: 64 * 1024 * 1024,
    };
    return (await runFile(file, [...args], options)).stdout;
  } catch (error) {
    throw new Error(`${[file, ...args].join(' ')}\n${outputOf(error)}`);
  }
};

/** The end of a failed command's output. */
function outputOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  return `${stdout}${stderr}`.trim().slice(-4000) || error.message;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function missingProgram({ needs }: Language): Promise<string | null> {
  const directories = (process.env.PATH ?? '').split(delimiter);
  for (const program of needs) {
    const found = await Promise.all(directories.map((directory) => isThere(join(directory, program))));
    if (!found.includes(true)) return program;
  }
  return null;
}

/** Where the generator is, or why it is missing. */
async function toolsOf(language: Language): Promise<{ tools: string } | { missing: string }> {
  const missing = await missingProgram(language);
  if (missing !== null) return { missing: `${missing} is not installed` };
  const tools = join(root, '.build/clients', language.generator.replaceAll(' ', '-'));
  const isInstalled = join(tools, 'installed');
  if (await isThere(isInstalled)) return { tools };
  await rm(tools, { recursive: true, force: true });
  await mkdir(tools, { recursive: true });
  try {
    await language.install(run, tools);
  } catch (error) {
    const [, reason = ''] = String(error).split('\n');
    return { missing: `${language.generator} could not be fetched: ${reason}` };
  }
  await writeFile(isInstalled, '');
  return { tools };
}

function programOf(quickstart: string, { fence }: Language): string {
  const [, program] = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(quickstart) ?? [];
  if (program === undefined) throw new Error(`docs/quickstart.md has no program in ${fence}`);
  return program;
}

type Verdict = 'passed' | 'failed' | 'skipped';

async function tryLanguage(
  language: Language,
  quickstart: string,
  documents: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const say = (verdict: Verdict, why = ''): Verdict => {
    process.stdout.write(`${verdict.padEnd(8)}${language.name} (${language.generator})${why}\n`);
    return verdict;
  };
  const found = await toolsOf(language);
  if ('missing' in found) return say('skipped', `: ${found.missing}`);
  const directory = await mkdtemp(join(tmpdir(), 'generated-client-'));
  try {
    for (const [name, text] of Object.entries(documents)) await writeFile(join(directory, name), text);
    await language.build(run, found.tools, directory, programOf(quickstart, language));
    const printed = (await run({ ...language.start(found.tools, directory), env })).trim();
    return printed.endsWith(expected) ? say('passed') : say('failed', `: printed ${printed}`);
  } catch (error) {
    return say('failed', `: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const options = { only: { type: 'string' } } as const;

async function main(values: Values<typeof options>): Promise<number> {
  const names = languages.map(({ name }) => name);
  const only = values.only === undefined ? null : oneOf('--only', names, values.only);
  const chosen = languages.filter(({ name }) => name === (only ?? name));
  const quickstart = await readFile(join(root, 'docs/quickstart.md'), 'utf8');
  const dataDirectory = await mkdtemp(join(tmpdir(), 'voice-agent-clients-'));
  const launched = await launch({ dataDirectory, port: 0, webhookUrl: null, pace: null });
  try {
    const { stack, project } = launched;
    const read = async (path: string) => (await fetch(`${stack.baseUrl}${path}`)).text();
    const documents = {
      'openapi.json': await read('/openapi.json'),
      'admin-openapi.json': await read('/admin/openapi.json'),
    };
    const env = { BASE_URL: stack.baseUrl, PROJECT_ID: project.project_id, API_KEY: project.api_key };
    const verdicts: Verdict[] = [];
    for (const language of chosen) verdicts.push(await tryLanguage(language, quickstart, documents, env));
    const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
    process.stdout.write(
      `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`,
    );
    return count('failed') === 0 ? 0 : 1;
  } finally {
    await launched.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

await runCommand('test:clients', 'The clients were not tried', { help: usage, options }, main);
