import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import { readTaskVersion, viewTaskHistory } from '#shared/admin/task-history.ts';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Task } from '#shared/domain/task.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { createCallItem, listCalls, replaceCallItems } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { createConversationItem, putTurnItem } from '#shared/table/conversation.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { createTaskItem, replaceTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { createWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';
import { taskEnd } from '#shared/webhooks/events.ts';
import { newEndpoint } from '#shared/webhooks/new-endpoint.ts';
import {
  type DeliveryFixture,
  type DeliverySite,
  only,
  type Receiver,
  type Subscriber,
  startDeliverySite,
  startReceiver,
} from '../../support/delivery-fixture.ts';
import { refusal } from '../../support/refusal.ts';
import { sampleCall, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { storePatient } from '../../support/stored-patients.ts';

let site: DeliverySite;
let fixture: DeliveryFixture;
let table: Table;
let receiver: Receiver;
let subscriber: Subscriber;
let access: ProjectAccess;
let patient: Patient;
beforeAll(async () => {
  site = await startDeliverySite();
  fixture = await site.newFixture();
  ({ table } = fixture.services);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await site.stop();
});
beforeEach(async () => {
  subscriber = await fixture.newSubscriber(receiver.origin);
  access = await enter(subscriber);
  patient = await newPatient();
});

/** The subscriber's project, accessed by a person who may view it. */
async function enter({ endpoint: { project_id } }: Subscriber): Promise<ProjectAccess> {
  const email = `viewer.${project_id}@clinic.example.com`;
  const member = { project_id, email, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [addMemberItem(table, { ...member, role: 'viewer' })]);
  const caller = { person: { subject: 'viewer', email, name: null }, requestId: 'request-1' };
  return authorizeProject(table, caller, project_id, 'tasks.read');
}

async function newPatient(): Promise<Patient> {
  const maya: Patient = {
    id: uuidv7(),
    project_id: access.project.id,
    first_name: 'Maya',
    last_name: 'Rivera',
    phone_number: '+12025550142',
    date_of_birth: '1984-07-12',
    created_at: sampleTime,
    updated_at: sampleTime,
  };
  await storePatient(table, maya);
  return maya;
}

async function newTask(changes: Partial<Task> = {}): Promise<Task> {
  const task = sampleTask(access.project, {
    patient_id: patient.id,
    next_attempt_at: null,
    next_attempt_reason: null,
    ...changes,
  });
  await writeTransaction(table, [createTaskItem(table, task)]);
  return task;
}

async function newCall(task: Task, attempt = 1): Promise<Call> {
  const call = sampleCall(task, { id: uuidv7(Date.parse(sampleTime) + attempt), attempt });
  await writeTransaction(table, [createCallItem(table, call)]);
  return call;
}

async function say(call: Call, index: number, content: string): Promise<void> {
  const turn = { call_id: call.id, index, content, offset_ms: index * 1000, created_at: sampleTime };
  await writeTransaction(table, [putTurnItem(table, call.project_id, { ...turn, role: 'assistant' })]);
}

const view = (task: Pick<Task, 'id'>) => viewTaskHistory(table, access, task.id, fixture.services.now());
const versionOf = (task: Pick<Task, 'id'>) => readTaskVersion(table, access, task.id, fixture.services.now());

describe('the history of a task', () => {
  test('shows the patient, the calls in order and their transcripts', async () => {
    const task = await newTask();
    const first = await newCall(task, 1);
    const second = await newCall(task, 2);
    await say(first, 0, 'Hello.');
    await say(second, 0, 'Hello again.');
    await say(second, 1, 'Goodbye.');
    const { patient: shown, calls, hasMoreCalls, deliveries } = await view(task);
    expect(shown).toEqual(patient);
    expect(calls).toMatchObject([
      { call: { id: first.id }, turns: [{ content: 'Hello.' }], isWhole: true },
      { call: { id: second.id }, turns: [{ content: 'Hello again.' }, { content: 'Goodbye.' }] },
    ]);
    expect(hasMoreCalls).toBe(false);
    expect(deliveries).toEqual([]);
  });

  test('is audited once as viewed, with patient and calls but no words', async () => {
    const task = await newTask();
    const call = await newCall(task);
    await say(call, 0, 'Maya Rivera has an appointment.');
    await view(task);
    const { items } = await listAuditEntries(table, access.project.id, { limit: 10, before: null });
    const [entry, ...others] = items.filter(({ actor }) => actor.kind === 'person');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'transcript.viewed',
      target: { type: 'task', id: task.id },
      after: { patient_id: patient.id, call_ids: [call.id] },
    });
    expect(JSON.stringify(entry)).not.toMatch(/maya|appointment/i);
  });

  test('is hidden from other projects, without an audit entry', async () => {
    const task = await newTask();
    const other = await enter(await fixture.newSubscriber(receiver.origin));
    for (const read of [viewTaskHistory, readTaskVersion]) {
      const refused = await refusal(read(table, other, task.id, fixture.services.now()));
      expect(refused).toMatchObject({ code: 'not_found' });
    }
    const { items } = await listAuditEntries(table, other.project.id, { limit: 10, before: null });
    expect(items.filter(({ action }) => action === 'transcript.viewed')).toEqual([]);
  });

  test('covers ten calls, and says if there were more', async () => {
    const task = await newTask();
    for (let attempt = 1; attempt <= 11; attempt += 1) await newCall(task, attempt);
    const { calls, hasMoreCalls } = await view(task);
    expect(calls.map(({ call }) => call.attempt)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(hasMoreCalls).toBe(true);
  });

  test('cuts a transcript that is too long for a page, and says so', async () => {
    const call = await newCall(await newTask());
    const long = 'word '.repeat(60_000);
    for (let index = 0; index < 4; index += 1) await say(call, index, long);
    const { calls } = await view({ id: call.task_id });
    expect(calls).toMatchObject([{ turns: [{ index: 0 }, { index: 1 }, { index: 2 }], isWhole: false }]);
  });

  test('shows how each endpoint received the end of the task', async () => {
    const task = await newTask({ status: 'COMPLETED', updated_at: fixture.services.now().toISOString() });
    const before = await versionOf(task);
    const message = only(await fixture.fanOut(taskEnd(task, 'task.completed')));
    const fannedOut = await versionOf(task);
    receiver.status = 204;
    const delivery = await fixture.attemptNext(message);
    expect((await view(task)).deliveries).toMatchObject([
      { endpoint: { id: subscriber.endpoint.id, url: receiver.origin }, delivery: { id: delivery.id } },
    ]);
    expect(new Set([before, fannedOut, await versionOf(task)]).size).toBe(3);
  });
});

describe('whether all endpoints were notified', () => {
  test('is unknown until the last subscribed one has a delivery', async () => {
    const task = await newTask({ status: 'COMPLETED', updated_at: fixture.services.now().toISOString() });
    expect((await view(task)).lacksDelivery).toBe(true);
    await fixture.fanOut(taskEnd(task, 'task.completed'));
    expect((await view(task)).lacksDelivery).toBe(false);
    const { services } = fixture;
    const added = { url: receiver.origin, description: '', events: ['task.completed' as const] };
    const { endpoint } = await newEndpoint(services, access.project.id, added, services.now());
    await writeTransaction(table, [createWebhookEndpointItem(table, endpoint)]);
    expect((await view(task)).lacksDelivery).toBe(true);
  });

  test('does not apply before the end of the task, or without subscribers', async () => {
    expect((await view(await newTask())).lacksDelivery).toBe(false);
    await fixture.changeSettings(subscriber, { events: ['call.completed'] });
    expect((await view(await newTask({ status: 'COMPLETED' }))).lacksDelivery).toBe(false);
  });
});

describe('the version of a history', () => {
  test('is stable until something changes, and reveals nothing', async () => {
    const task = await newTask();
    await say(await newCall(task), 0, 'Hello.');
    const { version } = await view(task);
    expect(await versionOf(task)).toBe(version);
    expect(version).not.toMatch(/maya|hello/i);
  });

  test('changes with the task, a new call, its transcript, and an earlier call', async () => {
    const task = await newTask();
    const versions = [await versionOf(task)];
    const note = async (): Promise<void> => {
      versions.push(await versionOf(task));
    };
    const first = await newCall(task, 1);
    await note();
    const second = await newCall(task, 2);
    await note();
    const conversation = {
      call_id: second.id,
      task_id: task.id,
      project_id: task.project_id,
      carrier_call_sid: 'CA0000000000000000000000000000000a',
      connection_id: 'connection',
      epoch: 1,
      turn_count: 0,
      offset_ms: 0,
      status: 'open' as const,
      state: null,
      started_at: sampleTime,
      updated_at: sampleTime,
    };
    await writeTransaction(table, [createConversationItem(table, conversation)]);
    await note();
    await writeTransaction(table, [
      ...replaceCallItems(table, first, { ...first, version: first.version + 1, updated_at: sampleTime }),
    ]);
    await note();
    const [read] = await listCalls(table, task.id);
    if (read === undefined) throw new Error('no call');
    const recording = { ...read.recording, carrier_recording_sid: 'RE1', version: 1 };
    await writeTransaction(table, replaceCallItems(table, read, { ...read, recording }));
    await note();
    const later = { ...task, updated_at: new Date(Date.parse(task.updated_at) + 1000).toISOString() };
    await writeTransaction(table, [replaceTaskItem(table, task, { ...later, task_outcome: 'Done.' })]);
    await note();
    expect(new Set(versions).size).toBe(versions.length);
  });
});
