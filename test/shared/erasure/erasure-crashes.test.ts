import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import { carryOutRetention } from '#shared/erasure/carry-out-retention.ts';
import type { ErasureServices } from '#shared/erasure/erasure-services.ts';
import { orderPatientErasure, orderProjectErasure } from '#shared/erasure/order-erasure.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getTask } from '#shared/table/task.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { recordingKeyOf } from '../../support/call-identifiers.ts';
import { Crash, dyingAt, dyingTable } from '../../support/dying.ts';
import type { EmbeddedTable } from '../../support/embedded-table.ts';
import { inFull, sweptSteps } from '../../support/in-full.ts';
import { projectServices } from '../../support/project-services.ts';
import {
  audio,
  canary,
  endSuccessfully,
  endVisit,
  erasedThings,
  expectNothingLeft,
  exportPatient,
  newVisit,
  orderOf,
  type Visit,
  workOff,
} from './visit-to-erase.ts';

const fixture = await callFixtureForThisFile();

const daySeconds = 24 * 60 * 60;

/** The table as a backup stores it. */
async function rawItems({ raw }: EmbeddedTable, name: string): Promise<Record<string, AttributeValue>[]> {
  const { Items = [] } = await raw.send(new ScanCommand({ TableName: name }));
  return Items;
}

/** With bytes unchanged. */
function textOf(items: object): string {
  return JSON.stringify(items, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}

describe('an interrupted eraser', { timeout: 900_000 }, () => {
  /** Services that crash before a step of their work. */
  function dyingServices(step: number): ErasureServices {
    const { services } = fixture;
    const run = dyingAt(step);
    return {
      ...services,
      table: dyingTable(services.table, run),
      keys: { delete: (arn) => run(() => services.keys.delete(arn)) },
      recordings: { ...services.recordings, erase: (key) => run(() => services.recordings.erase(key)) },
      carrier: async (name) => {
        const carrier = await services.carrier(name);
        if (carrier === null) return null;
        return {
          ...carrier,
          deleteRecording: (sid) => run(() => carrier.deleteRecording(sid)),
          deleteCall: (sid) => run(() => carrier.deleteCall(sid)),
        };
      },
    };
  }

  test('at any step leaves nothing half erased forever', async () => {
    const erased: Visit[] = [];
    for (const step of sweptSteps()) {
      const visit = await newVisit(fixture);
      const call = await endVisit(fixture, visit);
      fixture.pass(120);
      await exportPatient(fixture, visit);
      const erasure = await orderPatientErasure(fixture.table, orderOf(fixture, visit));
      const dying = dyingServices(step);
      const outcome = await carryOutErasure(dying, erasure.id).catch((error: unknown) => error);
      if (outcome === undefined) break;
      expect(outcome).toBeInstanceOf(Crash);
      expect(await getErasure(fixture.table, erasure.id)).toMatchObject({
        status: 'PENDING',
        due_at: expect.any(String),
      });
      await workOff(fixture, erasure.id);
      expect((await erasedThings(fixture, visit)).sort()).toEqual([visit.patient.id, call.task_id].sort());
      erased.push({ ...visit, call });
    }
    expect(erased.length).toBeGreaterThan(inFull ? 15 : 3);
    await expectNothingLeft(fixture, ...erased);
  });

  test("55: at any step of a project's erasure leaves nothing readable in a backup", async () => {
    const { table, keyMaker } = fixture;
    const services = { ...projectServices(table), keys: keyMaker };
    const { project } = await createProject(services, {
      name: 'Clinic',
      carrier: 'sandbox',
      webhook: null,
    });
    const visit = await newVisit(fixture, {}, project);
    const call = await endVisit(fixture, visit);
    const ids = [project.id, visit.patient.id, call.id, call.task_id];
    const backup = (await rawItems(fixture.tables, table.name)).filter((item) =>
      ids.some((id) => textOf(item).includes(id)),
    );
    expect(backup.length).toBeGreaterThan(8);
    const readBackup = async () => {
      const restored = await fixture.tables.newTable();
      for (const Item of backup) {
        await fixture.tables.raw.send(new PutItemCommand({ TableName: restored.name, Item }));
      }
      return getPatient(restored, visit.patient.id);
    };
    expect(await readBackup()).toEqual(visit.patient);
    await orderProjectErasure(table, { projectId: project.id, now: fixture.now });
    for (const step of sweptSteps()) {
      fixture.pass(3600);
      const dying = dyingServices(step);
      const outcome = await carryOutErasure(dying, project.id).catch((error: unknown) => error);
      if (outcome === undefined) break;
      expect(outcome).toBeInstanceOf(Crash);
    }
    await workOff(fixture, project.id);
    await expectNothingLeft(fixture, { ...visit, call });
    await expect(readBackup()).rejects.toMatchObject({ name: 'KMSInvalidStateException' });
    expect(textOf(backup).includes(canary)).toBe(false);
  });

  test('54: at any step of retention leaves nothing half erased, and held data complete', async () => {
    const days = { task_retention_days: 1, patient_retention_days: 1 };
    // Identifiers contain the real time, which must be long ago.
    fixture.pass(4000 * daySeconds);
    const held = await newVisit(fixture, { ...days, legal_hold: true });
    const heldCall = await endSuccessfully(fixture, held);
    const erased: Visit[] = [];
    for (const step of sweptSteps()) {
      const visit = await newVisit(fixture, days);
      const call = await endSuccessfully(fixture, visit);
      fixture.pass(2 * daySeconds);
      const dying = dyingServices(step);
      const run = carryOutRetention(dying, call.project_id);
      const outcome = await run.catch((error: unknown) => error);
      if (outcome !== undefined) {
        expect(outcome).toBeInstanceOf(Crash);
        fixture.pass(daySeconds);
        await carryOutRetention(fixture.services, call.project_id);
      }
      expect((await erasedThings(fixture, visit)).sort()).toEqual([visit.patient.id, call.task_id].sort());
      if (outcome === undefined) break;
      erased.push({ ...visit, call });
    }
    expect(erased.length).toBeGreaterThan(inFull ? 15 : 3);
    await expectNothingLeft(fixture, ...erased);
    await carryOutRetention(fixture.services, held.patient.project_id);
    expect((await fixture.storedBytes(recordingKeyOf(heldCall))).equals(audio)).toBe(true);
    expect(await getTask(fixture.table, heldCall.task_id)).not.toBeNull();
    expect(await getPatient(fixture.table, held.patient.id)).not.toBeNull();
    expect(await erasedThings(fixture, held)).toEqual([]);
  });
});
