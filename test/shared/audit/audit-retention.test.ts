import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { toEntry } from '#shared/audit/access-entry.ts';
import { entriesExpired, patientSeen } from '#shared/audit/actions.ts';
import { bucketAuditCopies } from '#shared/audit/audit-copies.ts';
import { keepEntries } from '#shared/audit/keep-entries.ts';
import { verifyChain } from '#shared/audit/verify-chain.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Project } from '#shared/domain/project.ts';
import { carryOutRetention } from '#shared/erasure/carry-out-retention.ts';
import { auditItems } from '#shared/table/audit-chain.ts';
import { writeAuditEntry } from '#shared/table/audit-log.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { Crash, dyingAt, dyingTable } from '../../support/dying.ts';
import { startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { sweptSteps } from '../../support/in-full.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleProject } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';

const [fixture, stores] = await Promise.all([callFixtureForThisFile(), forThisFile(startEmbeddedQueues())]);
stores.createBucket('audit');

const daySeconds = 24 * 60 * 60;
const doer = { actor: { kind: 'service' }, origin: null } as const;
const keeper = () => ({ table: fixture.table, copies: bucketAuditCopies('audit', stores.s3) });

async function newProject(changes: Partial<Project>): Promise<Project> {
  const project = sampleProject(changes);
  await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
  return project;
}

const kept = new Set<unknown>();

/** Seals the new entries, as the stream's worker does. */
async function keep(project: Project): Promise<void> {
  const items = await unkept(project);
  for (const item of items) kept.add(item.id);
  await keepEntries(keeper(), items, () => fixture.now);
}

/** New entries that are not sealed yet. */
async function unkept({ id }: Project): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const item of auditItems(fixture.table, id)) if (!kept.has(item.id)) items.push(item);
  return items;
}

async function see({ id }: Project): Promise<string> {
  const entry = toEntry(doer, id, patientSeen(uuidv7()), fixture.now);
  await writeAuditEntry(fixture.table, entry);
  return entry.id;
}

async function itemsOf({ id }: Project): Promise<Record<string, unknown>[]> {
  return (await scanTable(fixture.table)).filter(
    ({ pk }) => pk === `AUDIT#${id}` || String(pk).startsWith(`SEEN#${id}`),
  );
}

/** Deletes expired items, as DynamoDB does. */
async function forget(project: Project): Promise<void> {
  for (const { pk, sk, expires_at_seconds: expires } of await itemsOf(project)) {
    if (expires === undefined || Number(expires) * 1000 > fixture.now.getTime()) continue;
    await fixture.table.client.send(new DeleteCommand({ TableName: fixture.table.name, Key: { pk, sk } }));
  }
}

const verify = ({ id }: Project) => verifyChain(keeper(), id, fixture.now);

async function retain(project: Project): Promise<void> {
  await carryOutRetention(fixture.services, project.id);
  await keep(project);
}

describe('53: entries of the audit log', () => {
  test('expire after their days, as the log records, and the chain still proves the rest', async () => {
    const project = await newProject({ audit_retention_days: 365 });
    const old = [await see(project), await see(project)];
    await keep(project);
    fixture.pass(300 * daySeconds);
    const young = await see(project);
    await keep(project);
    fixture.pass(64 * daySeconds);
    await retain(project);
    await forget(project);
    expect(await itemsOf(project)).toHaveLength(6);
    fixture.pass(2 * daySeconds);
    await retain(project);
    expect((await verify(project)).problems).toEqual([]);
    await forget(project);
    const left = await itemsOf(project);
    expect(left.map(({ action, id }) => [action, id])).toEqual(
      expect.arrayContaining([
        ['patient.viewed', young],
        ['audit-log.expired', expect.any(String)],
      ]),
    );
    expect(left).toHaveLength(3);
    expect(left.find(({ action }) => action === 'audit-log.expired')).toMatchObject({
      actor: { kind: 'service' },
      after: { through: old.sort()[1] },
    });
    expect(await verify(project)).toMatchObject({ entries: 2, blocks: 3, copies: 3, problems: [] });
    fixture.pass(daySeconds);
    await retain(project);
    expect(await itemsOf(project)).toHaveLength(3);
  });

  test('stay forever unless the project says otherwise, and under a legal hold', async () => {
    const projects = [
      await newProject({}),
      await newProject({ audit_retention_days: 365, legal_hold: true }),
    ];
    for (const project of projects) {
      await see(project);
      await keep(project);
    }
    fixture.pass(4000 * daySeconds);
    for (const project of projects) {
      await retain(project);
      await forget(project);
      expect(await itemsOf(project)).toHaveLength(2);
    }
  });

  test('are found missing or expired without a record in the log', async () => {
    const project = await newProject({});
    const [first, second] = [await see(project), await see(project)];
    await keep(project);
    const stored = (await itemsOf(project)).find(
      ({ pk, id }) => pk === `AUDIT#${project.id}` && id === second,
    );
    await fixture.table.client.send(
      new PutCommand({ TableName: fixture.table.name, Item: { ...stored, expires_at_seconds: 1 } }),
    );
    expect((await verify(project)).problems).toEqual([
      `Entry ${second} expires, but the log does not declare it`,
    ]);
    await forget(project);
    expect((await verify(project)).problems[0]).toBe(`Entry ${second} is missing`);
    expect(first).not.toBe(second);
  });

  test('never expire within a year, whatever the log is made to say', async () => {
    const project = await newProject({});
    const young = await see(project);
    await keep(project);
    fixture.pass(100 * daySeconds);
    const forged = toEntry(doer, project.id, entriesExpired(project.id, young), fixture.now);
    await writeAuditEntry(fixture.table, forged);
    await keep(project);
    await forget(project);
    expect(await itemsOf(project)).toHaveLength(3);
    expect((await verify(project)).problems).toEqual([`Entry ${forged.id} makes others expire too early`]);
  });
});

describe('an interrupted expiry of audit entries', { timeout: 900_000 }, () => {
  /** Two entries past their retention, and a young one. */
  async function agedProject(): Promise<Project> {
    const project = await newProject({ audit_retention_days: 365 });
    for (let entry = 0; entry < 2; entry += 1) await see(project);
    await keep(project);
    fixture.pass(366 * daySeconds);
    await see(project);
    await keep(project);
    return project;
  }

  /** Removes what has expired so far; then starts the work again, as the sweeper and the stream do. */
  async function goOn(project: Project): Promise<void> {
    await forget(project);
    fixture.pass(2 * daySeconds);
    await retain(project);
    await forget(project);
    expect((await verify(project)).problems).toEqual([]);
    const left = await itemsOf(project);
    const actions = left.map(({ action }) => action).filter((action) => action !== 'audit-log.expired');
    expect(actions).toEqual(['patient.viewed', 'patient.viewed']);
  }

  test('at any step of its declaration expires the declared entries once, and the chain proves the rest', async () => {
    for (const step of sweptSteps()) {
      const project = await agedProject();
      const dying = { ...fixture.services, table: dyingTable(fixture.table, dyingAt(step)) };
      const outcome = await carryOutRetention(dying, project.id).catch((error: unknown) => error);
      if (outcome === undefined) return expect(step).toBeGreaterThan(3);
      expect(outcome).toBeInstanceOf(Crash);
      await goOn(project);
    }
  });

  test('at any step of the keeper leaves no entry half expired', async () => {
    for (const step of sweptSteps()) {
      const project = await agedProject();
      await carryOutRetention(fixture.services, project.id);
      const { table, copies } = keeper();
      const run = dyingAt(step);
      const dying = {
        table: dyingTable(table, run),
        copies: { ...copies, put: (copy: Parameters<typeof copies.put>[0]) => run(() => copies.put(copy)) },
      };
      const declared = await unkept(project);
      const outcome = await keepEntries(dying, declared, () => fixture.now).catch((error: unknown) => error);
      if (outcome === undefined) return expect(step).toBeGreaterThan(8);
      expect(outcome).toBeInstanceOf(Crash);
      await goOn(project);
    }
  });
});
