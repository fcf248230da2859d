import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { getProject } from '#shared/table/project.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../support/embedded-table.ts';

let embedded: EmbeddedTable;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
});
afterAll(() => embedded.stop());

const script = fileURLToPath(new URL('../../infra/create-project.ts', import.meta.url));

function run(...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const env = {
    ...process.env,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: embedded.endpoint,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('create-project', () => {
  test('prints what a client needs, as JSON', async () => {
    const { exitCode, stdout } = await run(
      ...[
        '--table',
        embedded.table.name,
        '--name',
        'Example Clinic',
        '--task-types',
        'CUSTOM_TASK, REIMBURSEMENT',
      ],
      ...['--webhook-url', 'https://hooks.example.com/x', '--webhook-events', 'task.completed'],
    );
    expect(exitCode).toBe(0);
    const printed = JSON.parse(stdout);
    expect(Object.keys(printed)).toEqual(['project_id', 'api_key', 'webhook_signing_secret']);
    expect(await getProject(embedded.table, printed.project_id)).toMatchObject({
      name: 'Example Clinic',
      carrier: 'sandbox',
      enabled_task_types: ['CUSTOM_TASK', 'REIMBURSEMENT'],
    });
    expect(await listWebhookEndpoints(embedded.table, printed.project_id)).toMatchObject([
      { events: ['task.completed'], signing_secret: printed.webhook_signing_secret },
    ]);
    const headers = { authorization: `Bearer ${printed.api_key}` };
    expect(await apiKeyAuthentication(embedded.table)({ headers })).toEqual({
      projectId: printed.project_id,
    });
  });

  test('explains itself', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    for (const option of [
      '--table',
      '--name',
      '--carrier',
      '--caller-number',
      '--task-types',
      '--webhook-url',
    ]) {
      expect(stdout).toContain(option);
    }
  });

  test.each([
    [['--name', 'x'], '--table is required'],
    [['--table', 'x', '--name', ''], '--name is required'],
    [['--table', 'x', '--name', 'x', '--carrier', 'pigeon'], '--carrier must be one of sandbox, live'],
    [['--table', 'x', '--name', 'x', '--carrier', 'live'], 'needs a caller number'],
    [['--table', 'x', '--name', 'x', '--task-types', 'SING'], '--task-types must be one of'],
    [['--table', 'x', '--name', 'x', '--webhook-url', 'http://example.com'], 'must use https'],
    [['--table', 'x', '--name', 'x', '--webhook-events', 'task.completed'], 'needs --webhook-url'],
    [['--tabel', 'x'], "Unknown option '--tabel'"],
    [['x'], "Unexpected argument 'x'"],
  ])('says what is wrong with %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('--help');
  });

  test('says so when the table is not there', async () => {
    const { exitCode, stderr } = await run('--table', 'no-such-table', '--name', 'x');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The project could not be created: .*(not found|non-existent)/i);
  });
});
