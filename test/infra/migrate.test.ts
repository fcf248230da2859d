import { readFile } from 'node:fs/promises';
import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { textWords, wordTerm } from '#shared/domain/search-terms.ts';
import { migrations } from '#shared/migrations/migrations.ts';
import { createCallItem, getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { createTurnItem, getTurns } from '#shared/table/conversation.ts';
import { createConversationPlanItem, getConversationPlan } from '#shared/table/conversation-plan.ts';
import { getDataVersion, putDataVersion } from '#shared/table/data-version.ts';
import { projectIndexAttributes } from '#shared/table/indexes.ts';
import { getPatient, patientKey } from '#shared/table/patient.ts';
import { findByTerm } from '#shared/table/search-term.ts';
import { createTaskItem, getTask } from '#shared/table/task.ts';
import { taskKey } from '#shared/table/task-key.ts';
import { listTaskRows, type RowFilter } from '#shared/table/task-rows.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { newEvents } from '#shared/webhooks/events.ts';
import { type CommandRun, runCommandOn, runProcessOn } from '../support/command-run.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { everyTask } from '../support/every-task.ts';
import { forThisFile } from '../support/lifetime.ts';
import { sampleCall, samplePatient, sampleResult, sampleTask, sampleTime } from '../support/sample-tasks.ts';
import { storePatient } from '../support/stored-patients.ts';

/*
 * Items as versions of 2026-11-22 stored them (9c62a834, before there were rows, and 71b63812, before there was an
 * index of open work). Never to be changed: a later version adds a file of its own.
 */
const Item = z.record(z.string(), z.unknown());
const stored = z
  .array(Item)
  .parse(JSON.parse(await readFile(new URL('./data-of-earlier-versions.json', import.meta.url), 'utf8')));
const projectId = '019a9f3c-0000-7000-8000-000000000001';
const taskId = (end: string): string => `019a9f3c-0000-7000-8000-00000000${end}`;

const tables = await forThisFile(startEmbeddedTable());

async function olderTable(): Promise<Table> {
  const table = await tables.newTable();
  for (const item of stored) await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
  return table;
}

async function migrate(
  table: Table,
  args: readonly string[] = [],
  runOn = runCommandOn,
): Promise<CommandRun & { report: () => unknown }> {
  const run = await runOn(tables, 'migrate', ['--table', table.name, ...args]);
  return { ...run, report: () => JSON.parse(run.stdout) };
}

async function listed(table: Table, filter: Partial<RowFilter>): Promise<string[]> {
  const page = await listTaskRows(table, projectId, { ...everyTask, ...filter }, { limit: 25, before: null });
  return page.items.map(({ id }) => id);
}

/** As stored in the table. */
async function storedItems(table: Table): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await table.stored.send(new ScanCommand({ TableName: table.name }));
  return Items;
}

async function everything(table: Table): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await table.client.send(
    new ScanCommand({ TableName: table.name, ConsistentRead: true }),
  );
  return Items.sort((a, b) => String(a.pk + a.sk).localeCompare(String(b.pk + b.sk)));
}

test('finished tasks of earlier versions join the lists of tasks that need a person', async () => {
  const table = await olderTable();
  expect(await listed(table, { needs: 'review' })).toEqual([]);
  expect(await listed(table, { needs: 'follow-up' })).toEqual([]);
  const { exitCode, stderr, report } = await migrate(table, [], runProcessOn);
  expect(exitCode).toBe(0);
  // Its progress, if it takes long.
  expect(stderr).toMatch(/^(?:[a-z-]+: 1 projects, \d+ items\n)*$/);
  // Two had no row, and two more were missing from the open work.
  expect(report()).toEqual({
    version_before: 0,
    version: migrations.length,
    dry_run: false,
    migrations: [
      { name: 'list-finished-tasks', projects: 1, changed: 4 },
      { name: 'seal-health-information', projects: 1, changed: 6 },
      { name: 'index-for-search', projects: 1, changed: 6 },
      { name: 'index-last-digits-of-numbers', projects: 1, changed: 0 },
    ],
  });
  expect(await listed(table, { needs: 'review' })).toEqual([taskId('1001')]);
  expect(await listed(table, { needs: 'follow-up' })).toEqual([taskId('2003'), taskId('2001')]);
  expect(await listed(table, { assignee: 'olive@clinic.example.com' })).toEqual([taskId('2003')]);
});

test('nothing else of a task changes, and no event follows', async () => {
  const table = await olderTable();
  const before = stored.filter(({ sk }) => sk === 'TASK');
  const tasks = await Promise.all(before.map(({ id }) => getTask(table, String(id))));
  await migrate(table);
  expect(await Promise.all(before.map(({ id }) => getTask(table, String(id))))).toEqual(tasks);
  for (const item of before) {
    const key = taskKey(String(item.id));
    const { Item: now } = await table.client.send(new GetCommand({ TableName: table.name, Key: key }));
    expect(now).toMatchObject(item);
    expect(newEvents(item, Item.parse(now))).toEqual([]);
  }
});

test('patients and tasks of earlier versions join the search', async () => {
  const table = await olderTable();
  await migrate(table);
  const [task] = stored.filter(({ sk }) => sk === 'TASK');
  const term = wordTerm(textWords(String(task?.task))[0] ?? '');
  const { ids } = await findByTerm(table, projectId, { kind: 'task', term }, 100);
  expect(ids).toContain(task?.id);
});

test('55: data stored before projects had keys is sealed and reads as before', async () => {
  const table = await olderTable();
  const canary = 'Zanzibar';
  const patient = samplePatient({ id: projectId }, { first_name: canary, metadata: { note: canary } });
  const task = sampleTask({ id: projectId }, { task: canary, result: sampleResult({ summary: canary }) });
  const call = sampleCall(task, { result: sampleResult({ summary: canary }) });
  const turn = { call_id: call.id, index: 1, role: 'user', offset_ms: 0, created_at: sampleTime } as const;
  await storePatient(table, patient);
  await writeTransaction(table, [
    createTaskItem(table, task),
    createCallItem(table, call),
    createConversationPlanItem(table, projectId, call.id, { facts: canary }),
    createTurnItem(table, projectId, {
      ...turn,
      content: canary,
      reply_to: { ...turn, index: 0, content: canary },
    }),
  ]);
  // As earlier versions stored a patient: each member separately.
  const { details, ...others } = Item.parse(
    (await table.stored.send(new GetCommand({ TableName: table.name, Key: patientKey(patient.id) }))).Item,
  );
  await table.stored.send(
    new PutCommand({ TableName: table.name, Item: { ...others, ...Item.parse(details), listed: patient } }),
  );
  expect(JSON.stringify(await storedItems(table))).toContain(canary);
  expect((await migrate(table)).report()).toMatchObject({ migrations: [{}, { changed: 11 }, {}, {}] });
  const raw = JSON.stringify(await storedItems(table), (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  expect(raw.includes(canary)).toBe(false);
  for (const packed of [task.id, call.id]) expect(raw).toContain(packed);
  const anew = tables.reopen(table);
  expect(await getPatient(anew, patient.id)).toEqual(patient);
  expect(await getTask(anew, task.id)).toEqual(task);
  expect(await getCall(anew, task.id, call.id)).toEqual(call);
  expect(await getConversationPlan(anew, call.id)).toEqual({ facts: canary });
  expect(await getTurns(anew, call.id)).toEqual([
    { ...turn, index: 0, role: 'assistant', content: canary },
    { ...turn, content: canary },
  ]);
});

test('a dry run counts without changes', async () => {
  const table = await olderTable();
  const before = await everything(table);
  const { exitCode, report } = await migrate(table, ['--dry-run']);
  expect(exitCode).toBe(0);
  expect(report()).toMatchObject({
    version_before: 0,
    version: 0,
    dry_run: true,
    migrations: [{ changed: 4 }, { changed: 6 }, { changed: 6 }, { changed: 6 }],
  });
  expect(await everything(table)).toEqual(before);
});

test('a second run has nothing to do, even if the version was lost', async () => {
  const table = await olderTable();
  await migrate(table);
  expect((await migrate(table)).report()).toMatchObject({
    version_before: migrations.length,
    version: migrations.length,
    migrations: [],
  });
  await putDataVersion(table, { version: 0, migrated_up_to: null, updated_at: new Date().toISOString() });
  expect((await migrate(table)).report()).toMatchObject({
    migrations: [{ changed: 0 }, { changed: 0 }, { changed: 0 }, { changed: 0 }],
  });
});

test('an interrupted run continues with the next project', async () => {
  const table = await olderTable();
  await putDataVersion(table, {
    version: 0,
    migrated_up_to: projectId,
    updated_at: new Date().toISOString(),
  });
  expect((await migrate(table)).report()).toMatchObject({
    migrations: [{ projects: 0, changed: 0 }, { projects: 1 }, { projects: 1 }, { projects: 1 }],
  });
  expect(await getDataVersion(table)).toMatchObject({ version: migrations.length, migrated_up_to: null });
});

test('data of a later version stays untouched', async () => {
  const table = await tables.newTable();
  await putDataVersion(table, { version: 99, migrated_up_to: null, updated_at: new Date().toISOString() });
  const { exitCode, stderr } = await migrate(table);
  expect([exitCode, stderr]).toEqual([
    1,
    'The data was not fully migrated: the data has version 99, ' +
      `and this release knows ${migrations.length}: use a later release\n`,
  ]);
});

test.each([
  [
    'a webhook',
    { pk: `PROJECT#${projectId}`, sk: `WEBHOOK#${taskId('0001')}`, signing_secret: 'whsec_plain' },
  ],
  [
    'the first patient',
    { ...patientKey(taskId('0002')), ...projectIndexAttributes(projectId, 'PATIENT', taskId('0002')) },
  ],
  [
    'the first task',
    { ...taskKey(taskId('1001')), ...projectIndexAttributes(projectId, 'TASK', taskId('1001')) },
  ],
])('data that is too old to be read stays untouched: %s', async (what, item) => {
  const table = await olderTable();
  await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
  const before = await everything(table);
  const { exitCode, stderr } = await migrate(table);
  expect([exitCode, stderr]).toEqual([
    1,
    `The data was not fully migrated: this version cannot read ${what} of project ${projectId}, stored by a version ` +
      'before 2026-11-22, or damaged; nothing was changed\n',
  ]);
  expect(await everything(table)).toEqual(before);
});

test("an empty table gets this release's version", async () => {
  const table = await tables.newTable();
  await migrate(table);
  expect(await getDataVersion(table)).toMatchObject({ version: migrations.length });
});

test('explains its usage and missing settings', async () => {
  const run = (...args: string[]): Promise<CommandRun> => runCommandOn(tables, 'migrate', args);
  expect(await run('--help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('--dry-run') });
  expect(await run()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--table is required') });
});
