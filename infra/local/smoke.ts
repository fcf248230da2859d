import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../shared/table/client.ts';
import { given, givenId, runCommand, UsageError, type Values } from '../command.ts';
import { findUndelivered } from './demo/delivered-webhooks.ts';
import { type DemoReport, runDemo } from './demo/run-demo.ts';

const help = `Makes four sandbox calls on a deployed stack as a client, and checks the results.

  npm run smoke -- --url URL --project ID [--key KEY] [--table NAME]

  --url URL      output BaseUrl of the stack
  --project ID   a sandbox project, made for this: it keeps the invented patient and the tasks
  --key KEY      its API key; the variable SMOKE_API_KEY when it is left out, so that no log shows it
  --table NAME   the service's table (output TableName): checks there that its webhooks were accepted
  --help         this text

Exits with 0 only if all four tasks completed, their recordings are valid audible two-channel WAV files and, with
--table, their webhooks were delivered. Only --table needs AWS credentials: they must be allowed to query the table and
use its key.`;

/** Webhooks go out within seconds; one that fails is tried again after 5 s. */
const webhookLimitMs = 60_000;

/** Keys of live projects look different: these numbers must not be dialed at a real carrier. */
const sandboxKey = /^vat_test_/;

interface Arguments {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly apiKey: string;
  readonly tableName: string | null;
}

const options = {
  url: { type: 'string' },
  project: { type: 'string' },
  key: { type: 'string' },
  table: { type: 'string' },
} as const;

function readArguments(values: Values<typeof options>): Arguments {
  const baseUrl = given('--url', values.url).replace(/\/$/, '');
  if (!URL.canParse(baseUrl)) throw new UsageError('--url must be an address');
  const projectId = givenId('--project', values.project);
  const apiKey = given('--key', values.key ?? process.env.SMOKE_API_KEY);
  if (!sandboxKey.test(apiKey)) throw new UsageError('--key must be that of a sandbox project (vat_test_…)');
  const tableName = values.table === undefined ? null : given('--table', values.table);
  return { baseUrl, projectId, apiKey, tableName };
}

function verdict({ tasks, seconds }: DemoReport, problems: readonly string[]): string {
  const completed = tasks.filter(({ status }) => status === 'COMPLETED').length;
  return `${completed} of ${tasks.length} tasks completed in ${seconds.toFixed(1)} s; ${problems.length} problems`;
}

async function undelivered({ tableName, projectId }: Arguments, { tasks }: DemoReport): Promise<string[]> {
  if (tableName === null) return [];
  const taskIds = tasks.map(({ taskId }) => taskId);
  return findUndelivered(openTable(tableName), { projectId, taskIds, limitMs: webhookLimitMs });
}

await runCommand('smoke', 'The smoke test failed', { help, options }, async (values) => {
  const args = readArguments(values);
  const recordingsDirectory = await mkdtemp(join(tmpdir(), 'voice-agent-smoke-'));
  try {
    // Webhooks go to the project's endpoint, not to this machine.
    const report = await runDemo({ ...args, receiver: null, recordingsDirectory });
    const problems = [...report.problems, ...(await undelivered(args, report))];
    if (problems.length > 0) throw new Error([verdict(report, problems), ...problems].join('\n'));
    return verdict(report, problems);
  } finally {
    await rm(recordingsDirectory, { recursive: true, force: true });
  }
});
