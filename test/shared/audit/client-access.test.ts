import { describe, expect, test } from 'vitest';
import { patientSeen, patientsSeen } from '#shared/audit/actions.ts';
import { clientAccess } from '#shared/audit/client-access.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { startTableProxy, type TableProxy } from '../../support/table-proxy.ts';

const tables = await forThisFile(startEmbeddedTable());

const newCaller = () => ({
  projectId: uuidv7(),
  apiKeyId: uuidv7(),
  scopes: null,
  origin: { requestId: 'request-1', sourceIp: '192.0.2.7', reason: null },
});

async function counted(work: (proxy: TableProxy) => Promise<void>): Promise<readonly string[]> {
  const proxy = await startTableProxy(tables, (_, forward) => forward());
  try {
    await work(proxy);
    return proxy.operations;
  } finally {
    await proxy.stop();
  }
}

async function viewsOf(projectId: string): Promise<number> {
  return (await listAuditEntries(tables.table, projectId, { limit: 100, before: null })).items.length;
}

describe("38: a client's visit", () => {
  test('costs two writes at its start, and none while it lasts', async () => {
    const caller = newCaller();
    const patientId = uuidv7();
    const operations = await counted(async ({ table }) => {
      const access = clientAccess(table);
      for (let looks = 0; looks < 5; looks += 1) await access.seen(caller, patientSeen(patientId));
    });
    expect(operations).toEqual(['PutItem', 'PutItem']);
  });

  test('is audited once if several instances see its start', async () => {
    const caller = newCaller();
    const patientId = uuidv7();
    const instances = Array.from({ length: 4 }, () => clientAccess(tables.table));
    await Promise.all(instances.map((access) => access.seen(caller, patientSeen(patientId))));
    for (const access of instances) await access.seen(caller, patientSeen(patientId));
    expect(await viewsOf(caller.projectId)).toBe(1);
  });

  test('is written down by the next instance when the first one died before its entry', async () => {
    const caller = newCaller();
    const patientId = uuidv7();
    let writes = 0;
    const dying = await startTableProxy(tables, (_, forward) => {
      writes += 1;
      return writes === 1 ? forward() : new Promise(() => {});
    });
    const died = clientAccess(dying.table).seen(caller, patientSeen(patientId));
    try {
      await expect.poll(() => writes).toBe(2);
      expect(await viewsOf(caller.projectId)).toBe(0);
      for (let instances = 0; instances < 3; instances += 1) {
        await clientAccess(tables.table).seen(caller, patientSeen(patientId));
      }
      expect(await viewsOf(caller.projectId)).toBe(1);
    } finally {
      await dying.stop();
      // Its alarm belongs to this test's log.
      await died;
    }
  });

  test('is new after ten minutes, and for another key or patient', async () => {
    const caller = newCaller();
    const patientId = uuidv7();
    let now = new Date('2026-11-23T09:00:00.000Z');
    const access = clientAccess(tables.table, () => now);
    await access.seen(caller, patientSeen(patientId));
    now = new Date(now.getTime() + 9 * 60_000);
    await access.seen(caller, patientSeen(patientId));
    expect(await viewsOf(caller.projectId)).toBe(1);
    now = new Date(now.getTime() + 60_000);
    await access.seen(caller, patientSeen(patientId));
    await access.seen({ ...caller, apiKeyId: uuidv7() }, patientSeen(patientId));
    await access.seen(caller, patientSeen(uuidv7()));
    expect(await viewsOf(caller.projectId)).toBe(4);
  });

  test('to a list is audited again once another patient is in it', async () => {
    const caller = newCaller();
    const [one, two] = [{ id: uuidv7() }, { id: uuidv7() }];
    const access = clientAccess(tables.table);
    for (const patients of [[one], [one], [one, two], [one, two]]) {
      await access.seen(caller, patientsSeen(caller.projectId, patients));
    }
    expect(await viewsOf(caller.projectId)).toBe(2);
  });

  test('is served even if it cannot be audited, and an alarm reports the missing entry', async () => {
    const caller = newCaller();
    const patientId = uuidv7();
    const proxy = await startTableProxy(tables, async (_, __, response) => {
      response
        .writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ValidationException' }));
    });
    const log = await capturedLog(() => clientAccess(proxy.table).seen(caller, patientSeen(patientId)));
    await proxy.stop();
    expect(JSON.parse(log)).toMatchObject({
      level: 'error',
      event: 'access-entry-not-written',
      project_id: caller.projectId,
      api_key_id: caller.apiKeyId,
      action: 'patient.viewed',
      target_id: patientId,
    });
  });
});
