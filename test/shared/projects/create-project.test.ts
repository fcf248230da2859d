import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { alwaysOpen, type CallPolicy, defaultRedialPolicy } from '#shared/domain/project.ts';
import { createProject, type NewProject } from '#shared/projects/create-project.ts';
import { getProject, projectKey } from '#shared/table/project.ts';
import { listWebhookEndpoints } from '#shared/table/webhook-endpoint.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { projectServices } from '../../support/project-services.ts';
import { sampleProject } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';

const embedded = await forThisFile(startEmbeddedTable());

const sandbox: NewProject = { name: 'Test', carrier: 'sandbox', webhook: null };

describe('a new project', () => {
  test('is stored with its webhook endpoint and sealed secret, and with only the hash of its key', async () => {
    const table = await embedded.newTable();
    const { project, apiKey, webhook } = await createProject(projectServices(table), {
      ...sandbox,
      webhook: { url: 'https://hooks.example.com/x', events: ['task.completed'] },
    });
    expect(await getProject(table, project.id)).toEqual(project);
    expect(await listWebhookEndpoints(table, project.id)).toEqual([webhook?.endpoint]);
    const items = await scanTable(table);
    // The project with its audit entry and its next retention run, the endpoint, and the key by its hash and its
    // identifier.
    expect(items).toHaveLength(6);
    expect(webhook?.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(items)).not.toContain(webhook?.signingSecret.slice(6));
    expect(JSON.stringify(items)).not.toContain(apiKey);
    expect(JSON.stringify(items)).not.toContain(apiKey.slice(20));
  });

  test.each([
    ['ftp://hooks.example.com', 'The webhook URL must begin with https://'],
    ['http://hooks.example.com', 'The webhook URL must begin with https://'],
    ['http://127.0.0.1.example.com', 'The webhook URL must begin with https://'],
    [
      'https://user:secret@hooks.example.com',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    ['/hooks', 'The webhook URL must be complete, such as https://hooks.example.com/calls'],
  ])('cannot have %s as its webhook, and stores nothing', async (url, detail) => {
    const table = await embedded.newTable();
    const creating = createProject(projectServices(table), {
      ...sandbox,
      webhook: { url, events: ['task.completed'] },
    });
    await expect(creating).rejects.toMatchObject({ code: 'invalid_request', detail });
    expect(await scanTable(table)).toEqual([]);
  });

  test.each([
    'http://127.0.0.1:8080/x',
    'http://localhost:8080',
    'http://[::1]:8080/',
    'https://hooks.example.com',
  ])('may have %s as its webhook', async (url) => {
    const { webhook } = await createProject(projectServices(embedded.table), {
      ...sandbox,
      webhook: { url, events: [] },
    });
    expect(webhook?.endpoint.url).toBe(url);
  });

  test('starts in the sandbox, without a grant to call real people', async () => {
    const { project, apiKey } = await createProject(projectServices(embedded.table), {
      ...sandbox,
      callerNumber: '+12025550150',
    });
    expect(project).toMatchObject({ carrier: 'sandbox', caller_number: '+12025550150', live_grant: null });
    expect(apiKey.slice(0, 9)).toBe('vat_test_');
  });
});

describe("a project's call policy", () => {
  const usual = {
    voicemail: 'leave-message',
    callback_number: null,
    max_hold_seconds: 1200,
    shared_line_max_hold_seconds: 2400,
    max_call_seconds: 4500,
  };

  test('has defaults', async () => {
    const { project } = await createProject(projectServices(embedded.table), sandbox);
    expect(project.call_policy).toEqual(usual);
  });

  test('is as set, and stays so', async () => {
    const callPolicy = { callback_number: '+12025550150', max_hold_seconds: 60 } as const;
    const { project } = await createProject(projectServices(embedded.table), { ...sandbox, callPolicy });
    expect((await getProject(embedded.table, project.id))?.call_policy).toEqual({ ...usual, ...callPolicy });
  });

  test.each<[Partial<CallPolicy>, string]>([
    [{ callback_number: '202-555-0150' }, 'The callback number must match'],
    [{ callback_number: '' }, 'The callback number must match'],
    [{ max_hold_seconds: 0 }, 'The longest time on hold must be from 1 to 6600 seconds'],
    [{ max_hold_seconds: 6601 }, 'The longest time on hold must be from 1 to 6600 seconds'],
    [
      { shared_line_max_hold_seconds: 0 },
      'The longest time on hold on shared lines must be from 1 to 6600 seconds',
    ],
    [{ max_call_seconds: 59 }, 'The longest call must be from 60 to 6600 seconds'],
    [{ max_hold_seconds: 1.5 }, 'The longest time on hold must be from 1 to 6600 seconds'],
  ])('cannot be %j', async (callPolicy, detail) => {
    await expect(
      createProject(projectServices(embedded.table), { ...sandbox, callPolicy }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining(detail),
    });
  });

  test('has defaults for a project from before it existed', async () => {
    const { call_policy: _, ...stored } = sampleProject();
    await embedded.table.client.send(
      new PutCommand({
        TableName: embedded.table.name,
        Item: { ...projectKey(stored.id), type: 'project', ...stored },
      }),
    );
    expect(await getProject(embedded.table, stored.id)).toEqual({ ...stored, call_policy: usual });
  });
});

describe("a project's agent", () => {
  test('has no identity by default', async () => {
    const { project } = await createProject(projectServices(embedded.table), sandbox);
    expect(project.agent).toEqual(defaultAgentSettings);
  });

  test('is as set, normalized, and stays so', async () => {
    const { project } = await createProject(projectServices(embedded.table), {
      ...sandbox,
      agent: {
        agent_name: '  Sam ',
        npi: '1234567893',
        disclosure: { deny: ['member-id', 'patient.email'] },
        language: 'en-gb',
        speech_hints: [' Dr. Okafor '],
      },
    });
    expect((await getProject(embedded.table, project.id))?.agent).toEqual({
      ...defaultAgentSettings,
      agent_name: 'Sam',
      npi: '1234567893',
      disclosure: { allow: [], deny: ['member-id', 'patient.email'] },
      language: 'en-GB',
      speech_hints: ['Dr. Okafor'],
    });
  });

  test.each<[NewProject['agent'], string]>([
    [{ agent_name: 'Sam\u0007' }, "The agent's name must not contain control or invisible characters"],
    [{ organization_name: 'x'.repeat(101) }, "The organization's name"],
    [{ callback_number: '5550150' }, "The agent's callback number must match"],
    [{ npi: '1234567890' }, 'The NPI must be a National Provider Identifier'],
    [{ tax_id: '12-34567' }, 'The tax ID must have 9 digits'],
    [{ disclosure: { deny: ['insurence'] } }, 'The disclosure exception must be a topic'],
    [{ voice: 'Joanna"' }, 'The voice must be a voice of Amazon Polly'],
    [{ language: 'English' }, 'The language must be a language tag'],
    [{ speech_hints: ['a,b'] }, 'The speech hint must not contain commas'],
    [{ speech_hints: Array.from({ length: 101 }, () => 'x') }, 'The speech hint'],
  ])('cannot be %j', async (agent, detail) => {
    await expect(
      createProject(projectServices(embedded.table), {
        ...sandbox,
        ...(agent === undefined ? {} : { agent }),
      }),
    ).rejects.toMatchObject({ code: 'invalid_request', detail: expect.stringContaining(detail) });
  });

  test('has no identity for a project from before it existed', async () => {
    const { agent, ...stored } = sampleProject();
    await embedded.table.client.send(
      new PutCommand({
        TableName: embedded.table.name,
        Item: { ...projectKey(stored.id), type: 'project', ...stored },
      }),
    );
    expect(await getProject(embedded.table, stored.id)).toEqual({ ...stored, agent });
  });
});

describe("a project's calling hours and redials", () => {
  test('have defaults: personas are called at any time', async () => {
    const { project } = await createProject(projectServices(embedded.table), sandbox);
    expect(project).toMatchObject({
      calling_hours: alwaysOpen,
      max_concurrent_calls: 10,
      redial_policy: defaultRedialPolicy,
    });
  });

  test('nothing is kept forever unless set', async () => {
    const { project } = await createProject(projectServices(embedded.table), sandbox);
    expect(project).toMatchObject({
      recording_retention_days: 365,
      task_retention_days: 2190,
      patient_retention_days: 2190,
      audit_retention_days: 2190,
    });
    const wishes = { ...sandbox, recordingRetentionDays: null };
    const { project: keeping } = await createProject(projectServices(embedded.table), wishes);
    expect(keeping.recording_retention_days).toBeNull();
  });

  test('are as set, and stay so', async () => {
    const wishes = {
      callingHours: { opens: '09:00', closes: '17:30', days: [5, 1, 1], on_holidays: false },
      maxConcurrentCalls: 2,
      recordingRetentionDays: 30,
      redialPolicy: { max_attempts: 4, redialled_results: ['BUSY', 'BUSY'] },
    } satisfies Partial<NewProject>;
    const { project } = await createProject(projectServices(embedded.table), { ...sandbox, ...wishes });
    expect(await getProject(embedded.table, project.id)).toMatchObject({
      calling_hours: { opens: '09:00', closes: '17:30', days: [1, 5], on_holidays: false },
      max_concurrent_calls: 2,
      recording_retention_days: 30,
      redial_policy: { max_attempts: 4, delays_seconds: [300, 1800], redialled_results: ['BUSY'] },
    });
  });

  const hours = alwaysOpen;
  test.each<[Partial<NewProject>, string]>([
    [{ callingHours: { ...hours, opens: '8:00' } }, 'The calling hours must be two times of day'],
    [{ callingHours: { ...hours, closes: '24:01' } }, 'The calling hours must be two times of day'],
    [{ callingHours: { ...hours, days: [] } }, 'The calling hours must be two times of day'],
    [{ callingHours: { ...hours, days: [8] } }, 'The calling hours must be two times of day'],
    [{ callingHours: { ...hours, opens: '09:00', closes: '09:00' } }, 'must open before they close'],
    [{ maxConcurrentCalls: 0 }, 'must be a whole number from 1 to 1000'],
    [{ maxConcurrentCalls: 1.5 }, 'must be a whole number from 1 to 1000'],
    [{ recordingRetentionDays: 0 }, 'must be a whole number from 1 to 3650'],
    [{ redialPolicy: { max_attempts: 11 } }, 'The number of attempts must be a whole number from 1 to 10'],
    [{ redialPolicy: { delays_seconds: [60, -1] } }, 'The delay before a redial'],
  ])('cannot be %j', async (wishes, detail) => {
    await expect(
      createProject(projectServices(embedded.table), { ...sandbox, ...wishes }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining(detail),
    });
  });
});
