import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operatorDirectory } from '#shared/domain/directory-entry.ts';
import { findDirectoryEntries, listDirectory } from '#shared/table/directory.ts';
import { type CommandRun, runCommandOn, runProcessOn } from '../support/command-run.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { forThisFile } from '../support/lifetime.ts';

const embedded = await forThisFile(startEmbeddedTable());

function run(...args: string[]): Promise<CommandRun> {
  return runCommandOn(embedded, 'destinations', ['--table', embedded.table.name, ...args]);
}

async function save(...entries: object[]): Promise<CommandRun> {
  const directory = await mkdtemp(join(tmpdir(), 'destinations-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'lines.json');
  await writeFile(file, JSON.stringify(entries));
  return run('--save', file);
}

const payer = { name: 'Example Health', kind: 'payer', concurrent_calls: 20, max_hold_minutes: 45 };
const hours = {
  time_zone: 'America/New_York',
  weekly: [{ days: [1, 2, 3, 4, 5], opens: '08:00', closes: '18:00' }],
};

describe('destinations', () => {
  test('adds numbers and ranges, finds and lists them, and records who added them', async () => {
    const range = { phone_number: '+12025550120', last_phone_number: '+12025550129' };
    const saved = await save({ ...payer, phone_number: '+18885550101', hours }, { ...payer, ...range });
    expect([saved.exitCode, JSON.parse(saved.stdout)]).toEqual([
      0,
      { saved: ['+18885550101', '+12025550120'] },
    ]);
    const { stdout } = await runProcessOn(embedded, 'destinations', ['--table', embedded.table.name]);
    const listed = JSON.parse(stdout);
    expect(listed.destinations).toEqual([
      expect.objectContaining({ ...range, concurrent_calls: 20, updated_by: userInfo().username }),
      expect.objectContaining({ phone_number: '+18885550101', hours }),
    ]);
    const numbers = ['+12025550125', '+12025550119', '+12025550130', '+1202555012'];
    const found = await findDirectoryEntries(embedded.table, operatorDirectory, numbers);
    expect([...found]).toEqual([['+12025550125', expect.objectContaining(range)]]);
  });

  test('replaces and removes entries, and keeps earlier versions', async () => {
    await save({ ...payer, phone_number: '+18885550102' });
    await save({ ...payer, phone_number: '+18885550102', concurrent_calls: 5 });
    expect(JSON.parse((await run('--remove', '+18885550102')).stdout)).toEqual({ removed: '+18885550102' });
    const { changes } = JSON.parse((await run('--history')).stdout);
    const of = changes.filter(
      ({ before, after }: Record<string, { phone_number: string } | null>) =>
        (before ?? after)?.phone_number === '+18885550102',
    );
    expect(
      of.map((change: Record<string, { concurrent_calls: number } | null>) => [
        change.action,
        change.before?.concurrent_calls,
        change.after?.concurrent_calls,
      ]),
    ).toEqual([
      ['destination.removed', 5, undefined],
      ['destination.saved', 20, 5],
      ['destination.saved', undefined, 20],
    ]);
    const again = await run('--remove', '+18885550102');
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('Destination not found')]);
  });

  test.each([
    ['what is no number', { ...payer, phone_number: '202-555-0142' }],
    ['a kind that there is not', { ...payer, phone_number: '+18885550142', kind: 'bank' }],
    [
      'a zone that there is not',
      { ...payer, phone_number: '+18885550142', hours: { ...hours, time_zone: 'Moon' } },
    ],
    [
      'hours that end before they begin',
      {
        ...payer,
        phone_number: '+18885550142',
        hours: { ...hours, weekly: [{ days: [1], opens: '18:00', closes: '08:00' }] },
      },
    ],
    [
      'a range that ends before it begins',
      { ...payer, phone_number: '+18885550149', last_phone_number: '+18885550142' },
    ],
    ['more calls than there may be', { ...payer, phone_number: '+18885550142', concurrent_calls: 501 }],
    ['no name', { ...payer, phone_number: '+18885550142', name: ' ' }],
  ])('refuses %s', async (_, entry) => {
    expect((await save(entry)).exitCode).toBe(2);
    const entries = await listDirectory(embedded.table, operatorDirectory);
    expect(entries.map(({ phone_number }) => phone_number)).not.toContain(entry.phone_number);
  });

  test('refuses a range that overlaps another entry', async () => {
    await save({ ...payer, phone_number: '+13035550150' });
    const range = { phone_number: '+13035550140', last_phone_number: '+13035550160' };
    const { exitCode, stderr } = await save({ ...payer, ...range });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('overlap the entry of +13035550150')]);
  });

  test('refuses contradictory options and explains its usage', async () => {
    expect((await run('--history', '--remove', '+18885550101')).exitCode).toBe(2);
    expect((await run('--remove', '5550101')).exitCode).toBe(2);
    expect((await run('--help')).stdout).toContain('npm run destinations');
  });
});
