import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { getProject, putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type CarrierServer, startCarrierServer } from '../support/carrier-server.ts';
import { type CommandRun, runCommandOn } from '../support/command-run.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../support/embedded-table.ts';
import { sampleProject } from '../support/sample-tasks.ts';
import { type SecretStore, startSecretStore } from '../support/secret-store.ts';

const ours = '+12025550150';

let embedded: EmbeddedTable;
let carrier: CarrierServer;
let store: SecretStore;
beforeAll(async () => {
  [embedded, store, carrier] = await Promise.all([
    startEmbeddedTable(),
    startSecretStore(),
    startCarrierServer(() => new Date()),
  ]);
  carrier.ownNumbers.push(ours);
  store.put('carrier', { account_sid: `AC${'0'.repeat(31)}2`, auth_token: 'token' });
});
afterAll(() => Promise.all([embedded.stop(), store.stop(), carrier.stop()]));

const run = (...args: string[]): Promise<CommandRun> =>
  runCommandOn(embedded, 'grant-live', args, { AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint });

async function newProject(): Promise<string> {
  const project = sampleProject({ id: uuidv7() });
  await writeTransaction(embedded.table, [putProject(embedded.table, project)]);
  return project.id;
}

describe('grant-live', () => {
  test('makes a project live with a number that the carrier confirms, and ends the grant', async () => {
    const id = await newProject();
    const project = ['--table', embedded.table.name, '--project', id];
    const granted = await run(
      ...project,
      ...['--carrier-secret', 'carrier', '--carrier-url', carrier.origin, '--caller-number', ours],
      ...['--countries', 'us, ca, mx', '--calls-per-day', '50', '--minutes-per-day', '90'],
      ...['--max-concurrent-calls', '3', '--time-zone', 'America/Chicago', '--shared-lines', 'own-clock'],
    );
    expect([granted.exitCode, granted.stderr]).toEqual([0, '']);
    const { live_grant } = JSON.parse(granted.stdout);
    expect(live_grant).toMatchObject({
      caller_number: ours,
      countries: ['US', 'CA', 'MX'],
      calls_per_day: 50,
      minutes_per_day: 90,
      max_concurrent_calls: 3,
      time_zone: 'America/Chicago',
      shared_lines: 'own-clock',
    });
    expect(await getProject(embedded.table, id)).toMatchObject({ carrier: 'live', live_grant });
    const asked = carrier.requests.map(({ url }) => new URL(url, carrier.origin));
    expect(asked.map(({ pathname }) => pathname.split('/').at(-1))).toEqual(['IncomingPhoneNumbers.json']);
    expect(asked[0]?.searchParams.get('PhoneNumber')).toBe(ours);

    const withdrawn = await run(...project, '--withdraw');
    expect(JSON.parse(withdrawn.stdout).live_grant.withdrawn_at).toMatch(/^\d{4}-/);
  });

  test('explains its usage', async () => {
    const { exitCode, stdout } = await run('--help');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('--caller-number')]);
  });

  const all = ['--table', 'x', '--project', uuidv7(), '--carrier-secret', 'carrier', '--caller-number', ours];
  test.each([
    [all.slice(0, 4), '--caller-number is required'],
    [[...all.slice(0, 4), '--caller-number', ours], '--carrier-secret is required'],
    [[...all, '--caller-number', '2025550150'], '--caller-number must match'],
    [[...all, '--countries', 'US,XX'], '--countries must be two-letter country codes'],
    [[...all, '--calls-per-day', '0'], '--calls-per-day must be a number from 1 to'],
    [[...all, '--time-zone', 'Mars/Olympus'], '--time-zone must be a time zone'],
    [[...all, '--shared-lines', 'mine'], '--shared-lines must be one of'],
  ])('explains what is wrong with %j', async (args, problem) => {
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  test('does not change a project for a number of another account', async () => {
    const id = await newProject();
    const { exitCode, stderr } = await run(
      ...['--table', embedded.table.name, '--project', id, '--carrier-secret', 'carrier'],
      ...['--carrier-url', carrier.origin, '--caller-number', '+12025550151'],
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('a number of the carrier account')]);
    expect(await getProject(embedded.table, id)).toMatchObject({ carrier: 'sandbox', live_grant: null });
  });
});
