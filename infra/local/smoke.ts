import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { given, givenId, runCommand, UsageError } from '../command.ts';
import { type DemoReport, runDemo } from './demo/run-demo.ts';

const help = `Makes four sandbox calls on a deployed stack, as a client does, and checks what comes of them.

  npm run smoke -- --url URL --project ID [--key KEY]

  --url URL      output BaseUrl of the stack
  --project ID   a sandbox project, made for this: it keeps the invented patient and the tasks
  --key KEY      its API key; the variable SMOKE_API_KEY when it is left out, so that no log shows it
  --help         this text

Exits with 0 only if all four tasks completed and their recordings are valid audible two-channel WAV files.`;

/** Keys of live projects look otherwise: these numbers must not be dialed at a real carrier. */
const sandboxKey = /^vat_test_/;

function readArguments(args: string[]): { baseUrl: string; projectId: string; apiKey: string } | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      project: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const baseUrl = given('--url', values.url).replace(/\/$/, '');
  if (!URL.canParse(baseUrl)) throw new UsageError('--url must be an address');
  const projectId = givenId('--project', values.project);
  const apiKey = given('--key', values.key ?? process.env.SMOKE_API_KEY);
  if (!sandboxKey.test(apiKey)) throw new UsageError('--key must be that of a sandbox project (vat_test_…)');
  return { baseUrl, projectId, apiKey };
}

function verdict({ tasks, seconds, problems }: DemoReport): string {
  const completed = tasks.filter(({ status }) => status === 'COMPLETED').length;
  return `${completed} of ${tasks.length} tasks completed in ${seconds.toFixed(1)} s; ${problems.length} problems`;
}

await runCommand('smoke', 'The smoke test failed', async (argv) => {
  const args = readArguments(argv);
  if (args === 'help') return help;
  const recordingsDirectory = await mkdtemp(join(tmpdir(), 'voice-agent-smoke-'));
  try {
    // Webhooks go to the endpoint of the project, which this machine is not.
    const report = await runDemo({ ...args, receiver: null, recordingsDirectory });
    if (report.problems.length > 0) throw new Error([verdict(report), ...report.problems].join('\n'));
    return verdict(report);
  } finally {
    await rm(recordingsDirectory, { recursive: true, force: true });
  }
});
