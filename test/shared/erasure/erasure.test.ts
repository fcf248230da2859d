import { describe, expect, test } from 'vitest';
import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { registerPatient } from '#shared/admin/patients.ts';
import { hashApiKey } from '#shared/api-keys/key-format.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import { carryOutRetention } from '#shared/erasure/carry-out-retention.ts';
import { orderPatientErasure, orderProjectErasure, orderTaskErasure } from '#shared/erasure/order-erasure.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { changePatient } from '#shared/patients/change-patient.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { getApiKey } from '#shared/table/api-key.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { findExternalId, patientName } from '#shared/table/external-id.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject, putProject, replaceProjectItem } from '#shared/table/project.ts';
import { getTask } from '#shared/table/task.ts';
import { nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { listWebhookEndpoints, removeWebhookEndpointItems } from '#shared/table/webhook-endpoint.ts';
import { taskEvents } from '#shared/webhooks/events.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { recordingKeyOf } from '../../support/call-identifiers.ts';
import { dyingTable } from '../../support/dying.ts';
import { respondJson } from '../../support/http-server.ts';
import { projectServices } from '../../support/project-services.ts';
import { sampleProject } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';
import { indexForSearch } from '../../support/search-index.ts';
import {
  audio,
  canary,
  deliver,
  endSuccessfully,
  endVisit,
  erasedThings,
  expectNothingLeft,
  newVisit,
  orderOf,
  workOff,
} from './visit-to-erase.ts';

const fixture = await callFixtureForThisFile();

describe('36: erasing a patient', () => {
  test('leaves nothing in table, bucket and carrier, and is audited', async () => {
    const visit = await newVisit(fixture);
    const call = await endVisit(fixture, visit);
    const erasure = await orderPatientErasure(fixture.table, orderOf(fixture, visit));
    expect(erasure).toMatchObject({ id: visit.patient.id, status: 'PENDING' });
    const done = await workOff(fixture, erasure.id);
    expect(done).toMatchObject({ status: 'DONE', waiting_for: null, due_at: null });
    await expectNothingLeft(fixture, { ...visit, call });
    expect((await erasedThings(fixture, visit)).sort()).toEqual([visit.patient.id, call.task_id].sort());
    expect(await fixture.isDue(erasure.id)).toBe(false);
  });

  test('frees its external_id, even one assigned at the same moment', async () => {
    const { table } = fixture;
    for (let round = 0; round < 5; round += 1) {
      const { patient } = await newVisit(fixture);
      const former = patientName(patient);
      const next = { projectId: patient.project_id, kind: 'PATIENT', externalId: 'chart-2' } as const;
      const change = {
        patientId: patient.id,
        changes: { external_id: next.externalId },
        by: 'clinic@example.com',
        alongside: nothingAlongside,
      };
      await Promise.all([
        orderPatientErasure(table, orderOf(fixture, { patient })),
        changePatient(table, patient.project_id, change).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'not_found' });
        }),
      ]);
      expect(former === null ? null : await findExternalId(table, former)).toBeNull();
      expect(await findExternalId(table, next)).toBeNull();
    }
  });

  test('cancels a task in progress and ends its call before it erases them', async () => {
    const visit = await newVisit(fixture);
    await fixture.progress(visit.call, 'answered', 2);
    const erasure = await orderPatientErasure(fixture.table, orderOf(fixture, visit));
    await carryOutErasure(fixture.services, erasure.id);
    expect((await fixture.task({ id: visit.call.task_id })).status).toBe('CANCELLED');
    expect((await fixture.call(visit.call)).end_requested_at).toEqual(expect.any(String));
    expect(await getErasure(fixture.table, erasure.id)).toMatchObject({
      status: 'PENDING',
      waiting_for: 'A call of the task has not ended yet.',
    });
    await fixture.look(visit.call);
    const call = await endVisit(fixture, visit);
    await workOff(fixture, erasure.id);
    await expectNothingLeft(fixture, { ...visit, call });
  });

  test('is one erasure however often it is requested', async () => {
    const visit = await newVisit(fixture);
    const orders = await Promise.all(
      Array.from({ length: 5 }, () => orderPatientErasure(fixture.table, orderOf(fixture, visit))),
    );
    for (const order of orders) expect(order).toEqual(orders[0]);
    await expect(
      orderPatientErasure(fixture.table, { ...orderOf(fixture, visit), projectId: uuidv7() }),
    ).rejects.toThrow('Patient not found');
  });

  test('waits while the carrier keeps its copies, and says so', async () => {
    const visit = await newVisit(fixture);
    const call = await endVisit(fixture, visit);
    fixture.pass(120);
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'DELETE') return false;
      respondJson(response, 503, {});
      return true;
    };
    const erasure = await orderPatientErasure(fixture.table, orderOf(fixture, visit));
    await carryOutErasure(fixture.services, erasure.id);
    expect(await getErasure(fixture.table, erasure.id)).toMatchObject({
      waiting_for: 'The telephone carrier has not deleted its copies yet; it will be asked again.',
    });
    expect(await getTask(fixture.table, call.task_id)).not.toBeNull();
    fixture.carrier.interfere = () => false;
    await workOff(fixture, erasure.id);
    await expectNothingLeft(fixture, { ...visit, call });
  });
});

describe('36: an erasure reaches the deliveries of a webhook removed before:', () => {
  test.each(['patient', 'project'] as const)('of a %s', async (target) => {
    const { table } = fixture;
    const visit = await newVisit(fixture);
    const { project_id: projectId, task_id } = await endVisit(fixture, visit);
    const isDelivery = ({ type, project_id }: Record<string, unknown>): boolean =>
      type === 'webhook-delivery' && project_id === projectId;
    const endpoints = await listWebhookEndpoints(table, projectId);
    for (const endpoint of endpoints) {
      if (target === 'project') {
        // About a task that is no longer known.
        const [event] = taskEvents({ ...(await fixture.task({ id: task_id })), id: uuidv7() });
        if (event !== undefined) await deliver(fixture, endpoint, event);
      }
      await writeTransaction(table, removeWebhookEndpointItems(table, endpoint, fixture.now));
    }
    const ids = (await scanTable(table)).filter(isDelivery).map(({ id }) => `DELIVERY#${String(id)}`);
    expect([endpoints.length, ids.length > 2]).toEqual([1, true]);
    await (target === 'patient'
      ? orderPatientErasure(table, orderOf(fixture, visit))
      : orderProjectErasure(table, { projectId, now: fixture.now }));
    await workOff(fixture, target === 'patient' ? visit.patient.id : projectId);
    const left = (await scanTable(table)).filter((item) => isDelivery(item) || ids.includes(String(item.pk)));
    expect(left).toEqual([]);
  });
});

describe('a legal hold', () => {
  async function setHold(projectId: string, legal_hold: boolean): Promise<void> {
    const project = await getProject(fixture.table, projectId, { consistently: true });
    if (project === null) throw new Error('there is no project');
    const next = { ...project, legal_hold, updated_at: new Date().toISOString() };
    await writeTransaction(fixture.table, [replaceProjectItem(fixture.table, project, next)]);
  }

  test('refuses every erasure, and stops those already requested', async () => {
    const visit = await newVisit(fixture);
    const call = await endVisit(fixture, visit);
    const erasure = await orderTaskErasure(fixture.table, { ...orderOf(fixture, visit), id: call.task_id });
    await setHold(call.project_id, true);
    await expect(orderPatientErasure(fixture.table, orderOf(fixture, visit))).rejects.toThrow(
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
    await workOff(fixture, erasure.id);
    expect(await getTask(fixture.table, call.task_id)).toBeNull();
  });

  test.each(['project', 'patient', 'retention'] as const)('stops a run in progress: %s', async (kind) => {
    const { table, services } = fixture;
    const project = sampleProject({ task_retention_days: 30, patient_retention_days: 30 });
    await writeTransaction(table, [putProject(table, project)]);
    const patients: Patient[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { patient, call } = await newVisit(fixture, {}, project);
      await endSuccessfully(fixture, { patient, call });
      patients.push(patient);
    }
    const [patient] = patients;
    if (patient === undefined) throw new Error('there is no patient');
    for (let count = 0; count < 3; count += 1) {
      await fixture.newTaskOf(project, {
        patient_id: patient.id,
        status: 'COMPLETED',
        next_attempt_at: null,
        next_attempt_reason: null,
      });
    }
    const tasksLeft = async (): Promise<number> =>
      (await scanTable(table)).filter(({ type, project_id }) => type === 'task' && project_id === project.id)
        .length;
    const before = await tasksLeft();
    // Identifiers contain the real time, which must be long ago.
    fixture.pass(4000 * 24 * 60 * 60);
    const order = { ...orderOf(fixture, { patient }), projectId: project.id };
    if (kind === 'project') await orderProjectErasure(table, order);
    if (kind === 'patient') await orderPatientErasure(table, order);
    let isHeld = false;
    const holding = dyingTable(table, async (work) => {
      const result = await work();
      if (!isHeld && (await tasksLeft()) < before) {
        isHeld = true;
        await setHold(project.id, true);
      }
      return result;
    });
    const run = { ...services, table: holding };
    if (kind === 'retention') await carryOutRetention(run, project.id);
    else await carryOutErasure(run, kind === 'project' ? project.id : patient.id);
    expect([isHeld, await tasksLeft()]).toEqual([true, before - 1]);
    const isThere = await Promise.all(patients.map(async ({ id }) => (await getPatient(table, id)) !== null));
    expect(isThere).toEqual([kind !== 'patient', true]);
  });
});

describe('erasing a project', () => {
  test('leaves only its audit log and receipts, without any access', async () => {
    const { table } = fixture;
    const { project, apiKey } = await createProject(projectServices(table), {
      name: 'Clinic',
      carrier: 'sandbox',
      webhook: null,
      members: [{ email: 'owner@clinic.example.com', role: 'owner' }],
    });
    const visit = await newVisit(fixture, {}, project);
    const call = await endVisit(fixture, visit);
    const other = await newVisit(fixture);
    // No stream removes these: the eraser does, while the project's key still exists.
    await indexForSearch(table, project.id);
    const erasure = await orderProjectErasure(table, { projectId: project.id, now: fixture.now });
    expect(await orderProjectErasure(table, { projectId: project.id })).toEqual(erasure);
    expect(await workOff(fixture, project.id)).toMatchObject({ target: 'project', status: 'DONE' });
    await expectNothingLeft(fixture, { ...visit, call });
    const left = (await scanTable(fixture.table)).filter((item) => JSON.stringify(item).includes(project.id));
    expect(new Set(left.map(({ type }) => type))).toEqual(new Set(['audit-entry', 'erasure']));
    expect(await getApiKey(table, hashApiKey(apiKey))).toBeNull();
    expect(await getTask(table, other.call.task_id)).not.toBeNull();
  });

  test.each(['client', 'person'] as const)('includes what a %s adds at the last moment', async (who) => {
    const { table } = fixture;
    const email = 'owner@clinic.example.com';
    const { project, apiKey } = await createProject(
      { ...projectServices(table), keys: fixture.keyMaker },
      { name: 'Clinic', carrier: 'sandbox', webhook: null, members: [{ email, role: 'owner' }] },
      fixture.now,
    );
    await orderProjectErasure(table, { projectId: project.id, now: fixture.now });
    // The sweeper is late. One instance has cached the key, another has just authorized the person.
    fixture.pass(120);
    const authenticate = apiKeyAuthentication(table, () => fixture.now.getTime());
    const request = { headers: { authorization: `Bearer ${apiKey}` } };
    await authenticate(request);
    const caller = { person: { subject: 'owner', email, name: null }, requestId: 'request-1' };
    const authorize = () => authorizeProject(table, caller, project.id, 'tasks.write');
    const access = await authorize();
    await carryOutErasure(fixture.services, project.id);
    fixture.pass(9);
    const newPatient = {
      first_name: canary,
      last_name: canary,
      date_of_birth: '1980-02-29',
      phone_number: '+12025550142',
    };
    const { projectId } = await authenticate(request);
    const made =
      who === 'client'
        ? await createPatient(table, { projectId, newPatient: { ...newPatient, project_id: projectId } })
        : await registerPatient(table, access, newPatient);
    await expect(authorize()).rejects.toThrow('Project not found');
    await workOff(fixture, project.id);
    expect(await getPatient(table, made.id)).toBeNull();
    expect(await getProject(table, project.id, { consistently: true })).toBeNull();
  });
});
