import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashApiKey } from '#shared/api-keys/key-format.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Erasure } from '#shared/domain/erasure.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import { carryOutRetention } from '#shared/erasure/carry-out-retention.ts';
import type { ErasureServices } from '#shared/erasure/erasure-services.ts';
import { orderPatientErasure, orderProjectErasure, orderTaskErasure } from '#shared/erasure/order-erasure.ts';
import { carryOutExport } from '#shared/patient-exports/carry-out-export.ts';
import { patientExportKey } from '#shared/patient-exports/export-store.ts';
import { orderPatientExport } from '#shared/patient-exports/order-export.ts';
import { changePatient } from '#shared/patients/change-patient.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { getApiKey } from '#shared/table/api-key.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { putTurn } from '#shared/table/conversation.ts';
import { createConversationPlanItem } from '#shared/table/conversation-plan.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { findExternalId, patientName, putExternalIdItem, taskName } from '#shared/table/external-id.ts';
import { getPatient, putPatient } from '#shared/table/patient.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { getTask } from '#shared/table/task.ts';
import { nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { newDeliveryItem, recordedAttemptItem } from '#shared/table/webhook-delivery.ts';
import { createWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';
import { callEvents, taskEvents } from '#shared/webhooks/events.ts';
import { newDelivery } from '#shared/webhooks/new-delivery.ts';
import { CallFixture, recordingKeyOf } from '../../support/call-fixture.ts';
import { Crash, dyingAt, dyingTable } from '../../support/dying.ts';
import type { EmbeddedTable } from '../../support/embedded-table.ts';
import { respondJson } from '../../support/http-server.ts';
import { projectServices } from '../../support/project-services.ts';
import { sampleResult } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';
import { wavFile } from '../../support/wav-file.ts';

/** Occurs nowhere but in what is to be erased. */
const canary = 'Quackenbush';
const daySeconds = 24 * 60 * 60;
const audio = wavFile({ channels: 2, seconds: 1 });

let fixture: CallFixture;
beforeAll(async () => {
  fixture = await CallFixture.start();
});
afterAll(() => fixture.stop());

interface Visit {
  readonly patient: Patient;
  readonly call: Call;
}

/** A patient with a task that was called for: recorded, said, planned and delivered to an endpoint. */
async function newVisit(changes: Partial<Project> = {}, project: Project | null = null): Promise<Visit> {
  const patientId = uuidv7();
  const attached = { external_id: `${canary}-${patientId}`, metadata: { note: canary } };
  const wanted = { patient_id: patientId, task: `Call for ${canary}.`, ...attached };
  const task =
    project === null ? await fixture.newTask(wanted, changes) : await fixture.newTaskOf(project, wanted);
  const at = fixture.now.toISOString();
  const patient: Patient = {
    id: patientId,
    project_id: task.project_id,
    first_name: canary,
    last_name: canary,
    phone_number: '+12025550142',
    date_of_birth: '1980-02-29',
    ...attached,
    created_at: at,
    updated_at: at,
  };
  await putPatient(fixture.table, patient);
  const names = [
    { name: patientName(patient), id: patientId },
    { name: taskName(task), id: task.id },
  ];
  for (const { name, id } of names) {
    if (name !== null) await writeTransaction(fixture.table, [putExternalIdItem(fixture.table, name, id)]);
  }
  const call = await fixture.dial(task);
  return { patient, call };
}

/** What a backup has of the table. */
async function rawItems({ raw }: EmbeddedTable, name: string): Promise<Record<string, AttributeValue>[]> {
  const { Items = [] } = await raw.send(new ScanCommand({ TableName: name }));
  return Items;
}

/** With bytes as they are. */
function textOf(items: object): string {
  return JSON.stringify(items, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}

async function endVisit({ call }: Visit): Promise<Call> {
  const { table } = fixture;
  const { project_id } = call;
  const said = {
    call_id: call.id,
    role: 'user',
    offset_ms: 0,
    created_at: fixture.now.toISOString(),
  } as const;
  await putTurn(table, project_id, { ...said, index: 0, content: `This is ${canary}.` });
  await fixture.progress(call, 'answered', 2);
  await fixture.progress(call, 'completed', 3, { talk_seconds: 2 });
  await fixture.recordingReady(call, fixture.addRecording(call, audio).sid);
  await fixture.lookUntilCompleted(call);
  const ended = await fixture.call(call);
  await writeTransaction(table, [createConversationPlanItem(table, project_id, call.id, { facts: canary })]);
  await deliver(ended);
  // The carrier makes another recording, which nobody asked for.
  fixture.addRecording(ended, audio, 'completed', '2');
  return ended;
}

/** So that its task is over, too. */
function endSuccessfully(visit: Visit): Promise<Call> {
  fixture.results.set(visit.call.id, sampleResult());
  return endVisit(visit);
}

/** An endpoint that answered every event of the call and its task with more than it should. */
async function deliver(call: Call): Promise<void> {
  const { table } = fixture;
  const at = fixture.now.toISOString();
  const endpoint = {
    id: uuidv7(),
    project_id: call.project_id,
    url: 'https://hooks.example.test/',
    description: '',
    events: ['call.completed' as const],
    payload: 'minimal' as const,
    signing_secrets: [{ sealed: 'sealed', created_at: at, expires_at: null }],
    enabled: true,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    created_at: at,
    updated_at: at,
  };
  await writeTransaction(table, [createWebhookEndpointItem(table, endpoint)]);
  for (const event of [...callEvents(call), ...taskEvents(await fixture.task({ id: call.task_id }))]) {
    const delivery = newDelivery(endpoint, event, fixture.now);
    await writeTransaction(table, [
      newDeliveryItem(table, delivery),
      recordedAttemptItem(table, delivery, {
        number: 1,
        attempted_at: at,
        status_code: 200,
        error: null,
        duration_ms: 1,
        response: { headers: {}, body: `Thank you, ${canary}.`, truncated: false },
      }),
    ]);
  }
}

/** Works as the sweeper and the queue do, until the receipt says that it is done. */
async function workOff(id: string, services: ErasureServices = fixture.services): Promise<Erasure> {
  for (let rounds = 0; rounds < 50; rounds += 1) {
    await carryOutErasure(services, id);
    const erasure = await getErasure(fixture.table, id);
    if (erasure === null) throw new Error('there is no receipt');
    if (erasure.status === 'DONE') return erasure;
    fixture.pass(Math.max((Date.parse(erasure.due_at ?? '') - fixture.now.getTime()) / 1000, 0));
  }
  throw new Error('the erasure was never done');
}

async function exportPatient({ patient }: Visit): Promise<void> {
  const { table, services, now } = fixture;
  await orderPatientExport(table, {
    projectId: patient.project_id,
    patientId: patient.id,
    now,
    alongside: nothingAlongside,
  });
  await carryOutExport(services, patient.id);
  expect(await services.recordings.open(patientExportKey(patient.project_id, patient.id))).not.toBeNull();
}

/** Reads the whole table once for all visits. */
async function expectNothingLeft(...visits: readonly Visit[]): Promise<void> {
  const projects = new Set<unknown>(visits.map(({ patient }) => patient.project_id));
  const auditLogs = new Set<unknown>(Array.from(projects, (id) => `AUDIT#${String(id)}`));
  const ids = visits.flatMap(({ patient, call }) => [patient.id, call.id, call.task_id]);
  for (const item of await scanTable(fixture.table)) {
    const text = JSON.stringify(item);
    if (projects.has(item.project_id)) expect(text).not.toContain(canary);
    // The receipt and the audit log stay.
    if (item.type === 'erasure' || auditLogs.has(item.pk)) continue;
    expect(
      ids.filter((id) => text.includes(id)),
      String(item.type),
    ).toEqual([]);
  }
  for (const { patient, call } of visits) {
    await expect(fixture.storedBytes(recordingKeyOf(call))).rejects.toThrow();
    const exported = patientExportKey(patient.project_id, patient.id);
    expect(await fixture.services.recordings.open(exported)).toBeNull();
  }
  const sids = new Set(visits.map(({ call }) => call.carrier_call_sid));
  expect(fixture.carrier.recordings.filter(({ callSid }) => sids.has(callSid))).toEqual([]);
  expect(fixture.carrier.calls.filter(({ sid }) => sids.has(sid))).toEqual([]);
}

async function erasedThings({ patient }: Visit): Promise<string[]> {
  const { items } = await listAuditEntries(fixture.table, patient.project_id, { limit: 50, before: null });
  expect(JSON.stringify(items)).not.toContain(canary);
  return items.filter(({ action }) => action.endsWith('.erased')).map(({ target }) => target.id);
}

const orderOf = ({ patient }: Pick<Visit, 'patient'>) => ({
  projectId: patient.project_id,
  id: patient.id,
  requestedBy: 'client' as const,
  now: fixture.now,
});

describe('erasing a patient', () => {
  test('leaves nothing in table, bucket and carrier, and the audit log says that it happened', async () => {
    const visit = await newVisit();
    const call = await endVisit(visit);
    const erasure = await orderPatientErasure(fixture.table, orderOf(visit));
    expect(erasure).toMatchObject({ id: visit.patient.id, status: 'PENDING' });
    const done = await workOff(erasure.id);
    expect(done).toMatchObject({ status: 'DONE', waiting_for: null, due_at: null });
    await expectNothingLeft({ ...visit, call });
    expect((await erasedThings(visit)).sort()).toEqual([visit.patient.id, call.task_id].sort());
    expect(await fixture.isDue(erasure.id)).toBe(false);
  });

  test('frees its external_id, even one that it is given at the same moment', async () => {
    const { table } = fixture;
    for (let round = 0; round < 5; round += 1) {
      const { patient } = await newVisit();
      const former = patientName(patient);
      const next = { projectId: patient.project_id, kind: 'PATIENT', externalId: 'chart-2' } as const;
      const change = {
        patientId: patient.id,
        changes: { external_id: next.externalId },
        by: 'clinic@example.com',
        alongside: nothingAlongside,
      };
      await Promise.all([
        orderPatientErasure(table, orderOf({ patient })),
        changePatient(table, patient.project_id, change).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'not_found' });
        }),
      ]);
      expect(former === null ? null : await findExternalId(table, former)).toBeNull();
      expect(await findExternalId(table, next)).toBeNull();
    }
  });

  test('cancels a task that is under way and ends its call before it erases them', async () => {
    const visit = await newVisit();
    await fixture.progress(visit.call, 'answered', 2);
    const erasure = await orderPatientErasure(fixture.table, orderOf(visit));
    await carryOutErasure(fixture.services, erasure.id);
    expect((await fixture.task({ id: visit.call.task_id })).status).toBe('CANCELLED');
    expect((await fixture.call(visit.call)).end_requested_at).toEqual(expect.any(String));
    expect(await getErasure(fixture.table, erasure.id)).toMatchObject({
      status: 'PENDING',
      waiting_for: 'A call of the task has not ended yet.',
    });
    await fixture.look(visit.call);
    const call = await endVisit(visit);
    await workOff(erasure.id);
    await expectNothingLeft({ ...visit, call });
  });

  test('is the same erasure however often it is ordered', async () => {
    const visit = await newVisit();
    const orders = await Promise.all(
      Array.from({ length: 5 }, () => orderPatientErasure(fixture.table, orderOf(visit))),
    );
    for (const order of orders) expect(order).toEqual(orders[0]);
    await expect(
      orderPatientErasure(fixture.table, { ...orderOf(visit), projectId: uuidv7() }),
    ).rejects.toThrow('Patient not found');
  });

  test('waits while the carrier does not delete its copies, and says so', async () => {
    const visit = await newVisit();
    const call = await endVisit(visit);
    fixture.pass(120);
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'DELETE') return false;
      respondJson(response, 503, {});
      return true;
    };
    const erasure = await orderPatientErasure(fixture.table, orderOf(visit));
    await carryOutErasure(fixture.services, erasure.id);
    expect(await getErasure(fixture.table, erasure.id)).toMatchObject({
      waiting_for: 'The telephone carrier has not deleted its copies yet; it is asked again.',
    });
    expect(await getTask(fixture.table, call.task_id)).not.toBeNull();
    fixture.carrier.interfere = () => false;
    await workOff(erasure.id);
    await expectNothingLeft({ ...visit, call });
  });
});

describe('a legal hold', () => {
  async function setHold(projectId: string, legal_hold: boolean): Promise<void> {
    const project = await getProject(fixture.table, projectId, { consistently: true });
    if (project === null) throw new Error('there is no project');
    const next = { ...project, legal_hold, updated_at: new Date().toISOString() };
    await writeTransaction(fixture.table, [replaceProjectItem(fixture.table, project, next)]);
  }

  test('refuses every erasure, and stops those that were ordered before', async () => {
    const visit = await newVisit();
    const call = await endVisit(visit);
    const erasure = await orderTaskErasure(fixture.table, { ...orderOf(visit), id: call.task_id });
    await setHold(call.project_id, true);
    await expect(orderPatientErasure(fixture.table, orderOf(visit))).rejects.toThrow(
      'The project is under a legal hold: nothing can be erased',
    );
    fixture.pass(600);
    await carryOutErasure(fixture.services, erasure.id);
    expect(await getErasure(fixture.table, erasure.id)).toMatchObject({
      status: 'PENDING',
      waiting_for: 'The project is under a legal hold.',
    });
    expect((await fixture.storedBytes(recordingKeyOf(call))).equals(audio)).toBe(true);
    await setHold(call.project_id, false);
    await workOff(erasure.id);
    expect(await getTask(fixture.table, call.task_id)).toBeNull();
  });
});

describe('erasing a project', () => {
  test('leaves nothing of it but its audit log and receipts, and nobody gets in any more', async () => {
    const { table } = fixture;
    const { project, apiKey } = await createProject(projectServices(table), {
      name: 'Clinic',
      carrier: 'sandbox',
      webhook: null,
      members: [{ email: 'owner@clinic.example.com', role: 'owner' }],
    });
    const visit = await newVisit({}, project);
    const call = await endVisit(visit);
    const other = await newVisit();
    const erasure = await orderProjectErasure(table, { projectId: project.id, now: fixture.now });
    expect(await orderProjectErasure(table, { projectId: project.id })).toEqual(erasure);
    expect(await workOff(project.id)).toMatchObject({ target: 'project', status: 'DONE' });
    await expectNothingLeft({ ...visit, call });
    const left = (await scanTable(fixture.table)).filter((item) => JSON.stringify(item).includes(project.id));
    expect(new Set(left.map(({ type }) => type))).toEqual(new Set(['audit-entry', 'erasure']));
    expect(await getApiKey(table, hashApiKey(apiKey))).toBeNull();
    expect(await getTask(table, other.call.task_id)).not.toBeNull();
  });
});

describe('an eraser that dies', { timeout: 300_000 }, () => {
  /** Services that die before a step of their work. */
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

  test('at any step leaves nothing half erased for ever', async () => {
    const erased: Visit[] = [];
    for (let step = 1; ; step += 1) {
      const visit = await newVisit();
      const call = await endVisit(visit);
      fixture.pass(120);
      await exportPatient(visit);
      const erasure = await orderPatientErasure(fixture.table, orderOf(visit));
      const dying = dyingServices(step);
      const outcome = await carryOutErasure(dying, erasure.id).catch((error: unknown) => error);
      if (outcome === undefined) break;
      expect(outcome).toBeInstanceOf(Crash);
      expect(await getErasure(fixture.table, erasure.id)).toMatchObject({
        status: 'PENDING',
        due_at: expect.any(String),
      });
      await workOff(erasure.id);
      expect((await erasedThings(visit)).sort()).toEqual([visit.patient.id, call.task_id].sort());
      erased.push({ ...visit, call });
    }
    expect(erased.length).toBeGreaterThan(15);
    await expectNothingLeft(...erased);
  });

  test('55: at any step of the erasure of a project leaves nothing readable in a backup', async () => {
    const { table, keyMaker } = fixture;
    const services = { ...projectServices(table), keys: keyMaker };
    const { project } = await createProject(services, {
      name: 'Clinic',
      carrier: 'sandbox',
      webhook: null,
    });
    const visit = await newVisit({}, project);
    const call = await endVisit(visit);
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
    for (let step = 1; ; step += 1) {
      fixture.pass(3600);
      const dying = dyingServices(step);
      const outcome = await carryOutErasure(dying, project.id).catch((error: unknown) => error);
      if (outcome === undefined) break;
      expect(outcome).toBeInstanceOf(Crash);
    }
    await workOff(project.id);
    await expectNothingLeft({ ...visit, call });
    await expect(readBackup()).rejects.toMatchObject({ name: 'KMSInvalidStateException' });
    expect(textOf(backup).includes(canary)).toBe(false);
  });

  test('54: at any step of retention leaves nothing half erased, and what is on hold whole', async () => {
    const days = { task_retention_days: 1, patient_retention_days: 1 };
    // Identifiers are of the real time, which must be long ago.
    fixture.pass(4000 * daySeconds);
    const held = await newVisit({ ...days, legal_hold: true });
    const heldCall = await endSuccessfully(held);
    const erased: Visit[] = [];
    for (let step = 1; ; step += 1) {
      const visit = await newVisit(days);
      const call = await endSuccessfully(visit);
      fixture.pass(2 * daySeconds);
      const dying = dyingServices(step);
      const run = carryOutRetention(dying, call.project_id);
      const outcome = await run.catch((error: unknown) => error);
      await carryOutRetention(fixture.services, held.patient.project_id);
      if (outcome !== undefined) {
        expect(outcome).toBeInstanceOf(Crash);
        fixture.pass(daySeconds);
        await carryOutRetention(fixture.services, call.project_id);
      }
      expect((await erasedThings(visit)).sort()).toEqual([visit.patient.id, call.task_id].sort());
      if (outcome === undefined) break;
      erased.push({ ...visit, call });
    }
    expect(erased.length).toBeGreaterThan(15);
    await expectNothingLeft(...erased);
    expect((await fixture.storedBytes(recordingKeyOf(heldCall))).equals(audio)).toBe(true);
    expect(await getTask(fixture.table, heldCall.task_id)).not.toBeNull();
    expect(await getPatient(fixture.table, held.patient.id)).not.toBeNull();
    expect(await erasedThings(held)).toEqual([]);
  });
});
