import { expect } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import type { Erasure } from '#shared/domain/erasure.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import { carryOutErasure } from '#shared/erasure/carry-out-erasure.ts';
import type { ErasureServices } from '#shared/erasure/erasure-services.ts';
import { carryOutExport } from '#shared/patient-exports/carry-out-export.ts';
import { patientExportKey } from '#shared/patient-exports/export-store.ts';
import { orderPatientExport } from '#shared/patient-exports/order-export.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { putTurn } from '#shared/table/conversation.ts';
import { createConversationPlanItem } from '#shared/table/conversation-plan.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { patientName, putExternalIdItem, taskName } from '#shared/table/external-id.ts';
import { nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { newDeliveryItem, recordedAttemptItem } from '#shared/table/webhook-delivery.ts';
import { createWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';
import { callEvents, type ProjectEvent, taskEvents } from '#shared/webhooks/events.ts';
import { newDelivery } from '#shared/webhooks/new-delivery.ts';
import type { CallFixture } from '../../support/call-fixture.ts';
import { recordingKeyOf } from '../../support/call-identifiers.ts';
import { sampleResult } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';
import { storePatient } from '../../support/stored-patients.ts';
import { wavFile } from '../../support/wav-file.ts';

/** Occurs only in what is erased. */
export const canary = 'Quackenbush';

export const audio = wavFile({ channels: 2, seconds: 1 });

export interface Visit {
  readonly patient: Patient;
  readonly call: Call;
}

/** A patient with a called task: recorded, transcribed, planned and delivered to an endpoint. */
export async function newVisit(
  fixture: CallFixture,
  changes: Partial<Project> = {},
  project: Project | null = null,
): Promise<Visit> {
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
  await storePatient(fixture.table, patient);
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

export async function endVisit(fixture: CallFixture, { call }: Visit): Promise<Call> {
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
  await deliverAll(fixture, ended);
  // The carrier makes another recording, which we did not request.
  fixture.addRecording(ended, audio, 'completed', '2');
  return ended;
}

/** So that its task is over, too. */
export function endSuccessfully(fixture: CallFixture, visit: Visit): Promise<Call> {
  fixture.results.set(visit.call.id, sampleResult());
  return endVisit(fixture, visit);
}

/** An endpoint that echoed more than it should for every event of the call and its task. */
async function deliverAll(fixture: CallFixture, call: Call): Promise<void> {
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
    await deliver(fixture, endpoint, event);
  }
}

export async function deliver(
  { table, now }: CallFixture,
  endpoint: WebhookEndpoint,
  event: ProjectEvent,
): Promise<void> {
  const delivery = newDelivery(endpoint, event, now);
  await writeTransaction(table, [
    newDeliveryItem(table, delivery),
    recordedAttemptItem(table, delivery, {
      number: 1,
      attempted_at: now.toISOString(),
      status_code: 200,
      error: null,
      duration_ms: 1,
      response: { headers: {}, body: `Thank you, ${canary}.`, truncated: false },
    }),
  ]);
}

/** Works like the sweeper and the queue until the receipt is done. */
export async function workOff(
  fixture: CallFixture,
  id: string,
  services: ErasureServices = fixture.services,
): Promise<Erasure> {
  for (let rounds = 0; rounds < 50; rounds += 1) {
    await carryOutErasure(services, id);
    const erasure = await getErasure(fixture.table, id);
    if (erasure === null) throw new Error('there is no receipt');
    if (erasure.status === 'DONE') return erasure;
    fixture.pass(Math.max((Date.parse(erasure.due_at ?? '') - fixture.now.getTime()) / 1000, 0));
  }
  throw new Error('the erasure was never done');
}

export async function exportPatient(fixture: CallFixture, { patient }: Visit): Promise<void> {
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
export async function expectNothingLeft(fixture: CallFixture, ...visits: readonly Visit[]): Promise<void> {
  const projects = new Set<unknown>(visits.map(({ patient }) => patient.project_id));
  const auditLogs = new Set<unknown>(Array.from(projects, (id) => `AUDIT#${String(id)}`));
  const ids = visits.flatMap(({ patient, call }) => [patient.id, call.id, call.task_id]);
  for (const item of await scanTable(fixture.table)) {
    const text = JSON.stringify(item);
    if (projects.has(item.project_id)) expect(text).not.toContain(canary);
    // The receipt and the audit log remain.
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

export async function erasedThings(fixture: CallFixture, { patient }: Visit): Promise<string[]> {
  const { items } = await listAuditEntries(fixture.table, patient.project_id, { limit: 50, before: null });
  expect(JSON.stringify(items)).not.toContain(canary);
  return items.filter(({ action }) => action.endsWith('.erased')).map(({ target }) => target.id);
}

export const orderOf = (fixture: CallFixture, { patient }: Pick<Visit, 'patient'>) => ({
  projectId: patient.project_id,
  id: patient.id,
  requestedBy: 'client' as const,
  now: fixture.now,
});
