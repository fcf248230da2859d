import { describe, expect, test } from 'vitest';
import { alwaysOpen } from '#shared/domain/project.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { getMember } from '#shared/table/member.ts';
import { getProject } from '#shared/table/project.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { openCurrentSecret } from '#shared/webhooks/signing-secret.ts';
import { type CommandRun, runCommandOn, runProcessOn } from '../support/command-run.ts';
import { secretsKey, startEmbeddedSecrets } from '../support/embedded-secrets.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { forThisFile } from '../support/lifetime.ts';

const [embedded, secrets] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startEmbeddedSecrets()),
]);

const variables = { AWS_ENDPOINT_URL_KMS: secrets.kms.endpoint, WEBHOOK_LOOPBACK: 'allowed' };

function run(...args: string[]): Promise<CommandRun> {
  return runCommandOn(embedded, 'create-project', args, variables);
}

describe('create-project', () => {
  test('prints what a client needs as JSON', async () => {
    const args = [
      ...['--table', embedded.table.name, '--name', 'Example Clinic'],
      ...['--task-types', 'CUSTOM_TASK, REIMBURSEMENT', '--secrets-key', secretsKey.arn],
      ...['--webhook-url', 'http://127.0.0.1:8080/x', '--webhook-events', 'task.completed'],
    ];
    const { exitCode, stdout } = await runProcessOn(embedded, 'create-project', args, variables);
    expect(exitCode).toBe(0);
    const printed = JSON.parse(stdout);
    expect(Object.keys(printed)).toEqual(['project_id', 'api_key', 'webhook_signing_secret']);
    expect(await getProject(embedded.table, printed.project_id)).toMatchObject({
      name: 'Example Clinic',
      carrier: 'sandbox',
      enabled_task_types: ['CUSTOM_TASK', 'REIMBURSEMENT'],
    });
    const [endpoint] = await listWebhookEndpoints(embedded.table, printed.project_id);
    if (endpoint === undefined) throw new Error('no endpoint');
    expect(endpoint).toMatchObject({ url: 'http://127.0.0.1:8080/x', events: ['task.completed'] });
    expect(await openCurrentSecret(secrets.envelope, endpoint)).toBe(printed.webhook_signing_secret);
    const headers = { authorization: `Bearer ${printed.api_key}` };
    expect(await apiKeyAuthentication(embedded.table)({ headers })).toMatchObject({
      projectId: printed.project_id,
    });
  });

  test('audits the creation and the settings', async () => {
    const required = ['--table', embedded.table.name, '--name', 'Example Clinic'];
    const { stdout } = await run(...required, '--max-attempts', '5');
    const { project_id, api_key } = JSON.parse(stdout);
    const { items } = await listAuditEntries(embedded.table, project_id, { limit: 10, before: null });
    expect(items).toMatchObject([
      {
        actor: { kind: 'command' },
        action: 'project.created',
        target: { type: 'project', id: project_id },
        before: null,
        after: { carrier: 'sandbox', name: 'Example Clinic', redial_policy: { max_attempts: 5 } },
        request_id: null,
      },
    ]);
    expect(JSON.stringify(items)).not.toContain(api_key.slice(13, 25));
  });

  test('adds an owner by email address and audits it', async () => {
    const required = ['--table', embedded.table.name, '--name', 'Example Clinic'];
    const { stdout } = await run(...required, '--owner', 'Owner@Clinic.example.com');
    const { project_id } = JSON.parse(stdout);
    expect(await getMember(embedded.table, project_id, 'owner@clinic.example.com')).toMatchObject({
      role: 'owner',
    });
    const { items } = await listAuditEntries(embedded.table, project_id, { limit: 10, before: null });
    expect(items.filter(({ action }) => action === 'member.added')).toMatchObject([
      {
        actor: { kind: 'command' },
        action: 'member.added',
        target: { type: 'member', id: 'owner@clinic.example.com' },
        after: { role: 'owner' },
      },
    ]);
    expect(await run(...required, '--owner', 'nobody')).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('sets the call policy of the project', async () => {
    const required = ['--table', embedded.table.name, '--name', 'Example Clinic'];
    const { stdout } = await run(
      ...required,
      ...['--callback-number', '+12025550150', '--max-hold-minutes', '45'],
      ...['--max-shared-line-hold-minutes', '60', '--max-call-minutes', '90'],
    );
    expect(await getProject(embedded.table, JSON.parse(stdout).project_id)).toMatchObject({
      call_policy: {
        voicemail: 'leave-message',
        callback_number: '+12025550150',
        max_hold_seconds: 2700,
        shared_line_max_hold_seconds: 3600,
        max_call_seconds: 5400,
      },
    });
    const silent = await run(...required, '--voicemail', 'hang-up');
    expect(await getProject(embedded.table, JSON.parse(silent.stdout).project_id)).toMatchObject({
      call_policy: {
        voicemail: 'hang-up',
        callback_number: null,
        max_hold_seconds: 1200,
        shared_line_max_hold_seconds: 2400,
        max_call_seconds: 4500,
      },
    });
  });

  test("sets the caller's identity", async () => {
    const { exitCode, stdout } = await run(
      ...['--table', embedded.table.name, '--name', 'Example Clinic'],
      ...['--agent-name', 'Sam', '--organization', 'Example Care', '--on-behalf-of', 'provider'],
      ...[
        '--npi',
        '1234567893',
        '--tax-id',
        '12-3456789',
        '--disclose',
        'email',
        '--withhold',
        'phone, address',
      ],
      ...['--language-model', 'built-in', '--voice', 'Matthew-Neural', '--language', 'en-GB'],
      ...['--speech-hints', 'Dr. Okafor,Lipitor'],
    );
    expect(exitCode).toBe(0);
    expect((await getProject(embedded.table, JSON.parse(stdout).project_id))?.agent).toEqual({
      agent_name: 'Sam',
      organization_name: 'Example Care',
      on_behalf_of: 'provider',
      callback_number: null,
      npi: '1234567893',
      tax_id: '12-3456789',
      disclosure: { allow: ['email'], deny: ['phone', 'address'] },
      language_model: 'built-in',
      voice: 'Matthew-Neural',
      language: 'en-GB',
      speech_hints: ['Dr. Okafor', 'Lipitor'],
    });
  });

  test('sets calling hours, redials and retention', async () => {
    const { exitCode, stdout } = await run(
      ...['--table', embedded.table.name, '--name', 'Example Clinic'],
      ...['--calling-hours', '08:30-17:00', '--calling-days', 'mon-wed, fri', '--no-holidays'],
      ...['--max-concurrent-calls', '3', '--recording-retention-days', '90'],
      ...['--max-attempts', '5', '--redial-delays', '60, 600', '--redial-after', 'BUSY,NO_ANSWER'],
    );
    expect(exitCode).toBe(0);
    expect(await getProject(embedded.table, JSON.parse(stdout).project_id)).toMatchObject({
      calling_hours: { opens: '08:30', closes: '17:00', days: [1, 2, 3, 5], on_holidays: false },
      max_concurrent_calls: 3,
      recording_retention_days: 90,
      redial_policy: {
        max_attempts: 5,
        delays_seconds: [60, 600],
        redialled_results: ['BUSY', 'NO_ANSWER'],
      },
    });
  });

  test.each([
    [['--calling-days', 'sat-mon'], { opens: '00:00', closes: '24:00', days: [1, 6, 7], on_holidays: true }],
    [['--calling-hours', 'always'], alwaysOpen],
    [['--calling-hours', '20:00-24:00'], { ...alwaysOpen, opens: '20:00' }],
    [
      ['--carrier', 'sandbox', '--caller-number', '+12025550150', '--no-holidays'],
      { ...alwaysOpen, on_holidays: false },
    ],
  ])('accepts %j as calling hours', async (args, hours) => {
    const { stdout } = await run('--table', embedded.table.name, '--name', 'Example Clinic', ...args);
    const project = await getProject(embedded.table, JSON.parse(stdout).project_id);
    expect(project?.calling_hours).toEqual(hours);
  });

  test('can limit every task to its first call', async () => {
    const { stdout } = await run('--table', embedded.table.name, '--name', 'x', '--redial-after', 'none');
    expect(await getProject(embedded.table, JSON.parse(stdout).project_id)).toMatchObject({
      redial_policy: { redialled_results: [] },
    });
  });

  test('explains its usage', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    for (const option of [
      '--table',
      '--name',
      '--carrier',
      '--caller-number',
      '--countries',
      '--task-types',
      '--voicemail',
      '--callback-number',
      '--max-hold-minutes',
      '--calling-hours',
      '--calling-days',
      '--no-holidays',
      '--max-concurrent-calls',
      '--max-attempts',
      '--redial-delays',
      '--redial-after',
      '--recording-retention-days',
      '--agent-name',
      '--organization',
      '--on-behalf-of',
      '--npi',
      '--tax-id',
      '--disclose',
      '--withhold',
      '--language-model',
      '--voice',
      '--language',
      '--speech-hints',
      '--webhook-url',
      '--secrets-key',
    ]) {
      expect(stdout).toContain(option);
    }
  });

  test.each([
    [['--name', 'x'], '--table is required'],
    [['--table', 'x', '--name', ''], '--name is required'],
    [['--table', 'x', '--name', 'n'.repeat(101)], 'The name must have at most 100 characters'],
    [['--table', 'x', '--name', '\u200b'], 'The name must not contain control or invisible characters'],
    [['--table', 'x', '--name', 'x', '--carrier', 'pigeon'], 'go live with npm run grant-live'],
    [['--table', 'x', '--name', 'x', '--carrier', 'live'], 'go live with npm run grant-live'],
    [['--table', 'x', '--name', 'x', '--countries', 'US,Canada'], 'must be two-letter country codes'],
    [['--table', 'x', '--name', 'x', '--task-types', 'SING'], '--task-types must be one of'],
    [
      ['--table', 'x', '--name', 'x', '--secrets-key', 'x', '--webhook-url', 'http://example.com'],
      'must begin with https',
    ],
    [['--table', 'x', '--name', 'x', '--webhook-url', 'https://example.com'], '--secrets-key is required'],
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
    ...['0', '111', '1.5', 'ten', '-1', ''].map((minutes): [string[], string] => [
      ['--table', 'x', '--name', 'x', `--max-hold-minutes=${minutes}`],
      '--max-hold-minutes must be a whole number from 1 to 110',
    ]),
    ...[
      ['--calling-hours=8-21', '--calling-hours must be HH:MM-HH:MM'],
      ['--calling-hours=25:00-26:00', 'The calling hours must be two times of day'],
      ['--calling-hours=21:00-08:00', 'The calling hours must open before they close'],
      ['--calling-hours=08:00-08:00', 'The calling hours must open before they close'],
      ['--calling-days=weekdays', '--calling-days must be one of mon, tue'],
      ['--calling-days=mon-wed-fri', '--calling-days must be days or ranges of days'],
      ['--calling-days=', '--calling-days must be one of mon, tue'],
      ['--max-concurrent-calls=0', 'concurrent calls must be a whole number from 1 to 1000'],
      ['--max-concurrent-calls=many', '--max-concurrent-calls must be a whole number'],
      ['--max-attempts=0', 'The number of attempts must be a whole number from 1 to 10'],
      ['--max-attempts=-1', '--max-attempts must be a whole number'],
      ['--redial-delays=300,soon', '--redial-delays must be a whole number'],
      ['--redial-delays=99999999', 'The delay before a redial, in seconds, must be a whole number'],
      ['--redial-after=BUSY,SLEEPY', '--redial-after must be one of BUSY, NO_ANSWER'],
      ['--npi=1234567890', 'The NPI must be a National Provider Identifier'],
      ['--withhold=shoe-size', 'The disclosure exception must be a topic'],
      ['--language-model=parrot', '--language-model must be one of default, built-in, language-model'],
      ['--recording-retention-days=0', 'days to keep recordings must be a whole number from 1 to 3650'],
    ].map(([option = '', message = '']): [string[], string] => [
      ['--table', 'x', '--name', 'x', option],
      message,
    ]),
    [['--tabel', 'x'], "Unknown option '--tabel'"],
    [['x'], "Unexpected argument 'x'"],
  ])('explains what is wrong with %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('--help');
  });

  test('reports a missing table', async () => {
    const { exitCode, stderr } = await run('--table', 'no-such-table', '--name', 'x');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The project could not be created: .*(not found|non-existent)/i);
  });
});
