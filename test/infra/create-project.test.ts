import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyAuthentication } from '#shared/api-keys/authenticate.ts';
import { getProject } from '#shared/table/project.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { type CommandRun, runCommandOn } from '../support/command-run.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../support/embedded-table.ts';

let embedded: EmbeddedTable;
beforeAll(async () => {
  embedded = await startEmbeddedTable();
});
afterAll(() => embedded.stop());

function run(...args: string[]): Promise<CommandRun> {
  return runCommandOn(embedded, 'create-project', args);
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

  test('lays down how calls of the project behave', async () => {
    const required = ['--table', embedded.table.name, '--name', 'Example Clinic'];
    const { stdout } = await run(
      ...required,
      ...['--callback-number', '+12025550150', '--max-hold-minutes', '45'],
    );
    expect(await getProject(embedded.table, JSON.parse(stdout).project_id)).toMatchObject({
      call_policy: { voicemail: 'leave-message', callback_number: '+12025550150', max_hold_seconds: 2700 },
    });
    const silent = await run(...required, '--voicemail', 'hang-up');
    expect(await getProject(embedded.table, JSON.parse(silent.stdout).project_id)).toMatchObject({
      call_policy: { voicemail: 'hang-up', callback_number: null, max_hold_seconds: 1200 },
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
      '--voicemail',
      '--callback-number',
      '--max-hold-minutes',
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
    [
      ['--table', 'x', '--name', 'x', '--voicemail', 'sing'],
      '--voicemail must be one of leave-message, hang-up',
    ],
    [['--table', 'x', '--name', 'x', '--callback-number', '5550150'], 'The callback number must match'],
    [
      ['--table', 'x', '--name', 'x', '--voicemail', 'hang-up', '--callback-number', '+12025550150'],
      '--callback-number needs --voicemail leave-message',
    ],
    ...['0', '61', '1.5', 'ten', '-1', ''].map((minutes): [string[], string] => [
      ['--table', 'x', '--name', 'x', `--max-hold-minutes=${minutes}`],
      '--max-hold-minutes must be a whole number from 1 to 60',
    ]),
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
