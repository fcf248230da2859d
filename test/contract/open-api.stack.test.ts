import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOptOutItem } from '#shared/table/opt-out.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { eventually, stack, stackTable } from '../support/stack.ts';
import { DocumentCaller } from './document-caller.ts';
import type { ListedOperation } from './open-api-walk.ts';

/*
 * Compares the running stack with its own document: each operation succeeds with the document's own examples.
 */

let caller: DocumentCaller;
beforeAll(async () => {
  caller = await DocumentCaller.start();
});
afterAll(() => caller.stop());

describe('every operation matches the document', () => {
  test('for a client with an API key', async () => {
    const project = { project_id: caller.client.projectId };
    const ids = await caller.completeTask(
      { patient: 'createPatient', task: 'createTask', read: 'getTask' },
      project,
    );
    for (const operationId of [
      'listPatients',
      'getPatient',
      'updatePatient',
      'listTasks',
      'getCallRecording',
    ]) {
      await caller.succeed(operationId, ids);
    }
    const { id } = await caller.succeed('createTask', ids);
    await caller.succeed('cancelTask', { ...ids, task_id: String(id) });
    const { id: batch_id } = await caller.succeed('createTaskBatch', ids);
    for (const operationId of ['getTaskBatch', 'cancelTaskBatch']) {
      await caller.succeed(operationId, { ...ids, batch_id: String(batch_id) });
    }
    for (const operationId of ['deleteTask', 'deletePatient']) await caller.succeed(operationId, ids);
    await caller.succeed('getErasure', { erasure_id: ids.patient_id ?? '' });
  });

  test('for everyone', async () => {
    for (const operationId of ['getOpenApi', 'getAdminOpenApi', 'getDocs'])
      await caller.succeed(operationId, {});
    for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js', 'page.js']) {
      await caller.succeed('getDocsAsset', { asset });
    }
    expect(caller.reader.serverUrl).toBe(stack().baseUrl);
  });

  test('for a signed-in person, about projects, members, patients and tasks', async () => {
    const project = await caller.succeed('createProject', {});
    const start = { project_id: String(project.id), email: 'new-colleague@example.com' };
    for (const operationId of [
      'getMe',
      'listProjects',
      'getProject',
      'setMember',
      'listMembers',
      'removeMember',
    ]) {
      await caller.succeed(operationId, start);
    }
    const ids = await caller.completeTask(
      { patient: 'createProjectPatient', task: 'createProjectTask', read: 'getProjectTask' },
      start,
    );
    for (const operationId of [
      'listProjectPatients',
      'getProjectPatient',
      'updateProjectPatient',
      'listProjectTasks',
      'getProjectCallRecording',
      'changeProject',
      'getProjectUsage',
      'listAuditLog',
      'listPatientAccess',
    ]) {
      await caller.succeed(operationId, ids);
    }
    await caller.succeed('exportProjectPatient', ids);
    await eventually('the export to be made', async () => {
      const { status } = await caller.succeed('getProjectPatientExport', ids);
      return status === 'DONE' ? status : null;
    });
    await caller.succeed('downloadProjectPatientExport', ids);
    const { id } = await caller.succeed('createProjectTask', ids);
    await caller.succeed('cancelProjectTask', { ...ids, task_id: String(id) });
    for (const operationId of ['deleteProjectTask', 'deleteProjectPatient'])
      await caller.succeed(operationId, ids);
    await caller.succeed('getProjectErasure', { ...ids, erasure_id: ids.patient_id ?? '' });
  });

  test('for a signed-in person, about do-not-call numbers', async () => {
    const project = { project_id: String((await caller.succeed('createProject', {})).id) };
    for (const operationId of ['addOptOut', 'importOptOuts', 'listOptOuts']) {
      await caller.succeed(operationId, project);
    }
    const said = {
      project_id: project.project_id,
      phone_number: '+18005550100',
      call_id: null,
      task_id: null,
      status: 'review',
      created_at: new Date().toISOString(),
    } as const;
    await writeTransaction(stackTable(), [addOptOutItem(stackTable(), said)]);
    const ids = { ...project, phone_number: said.phone_number };
    for (const operationId of ['confirmOptOut', 'liftOptOut']) await caller.succeed(operationId, ids);
  });

  test('for a signed-in person, about destinations', async () => {
    const project_id = String((await caller.succeed('createProject', {})).id);
    const ids = { project_id, phone_number: '+18885550142' };
    for (const operationId of ['saveDestination', 'listDestinations', 'removeDestination']) {
      await caller.succeed(operationId, ids);
    }
  });

  test('for a signed-in person, about keys and webhooks', async () => {
    const project = { project_id: String((await caller.succeed('createProject', {})).id) };
    const { id: api_key_id } = await caller.succeed('createApiKey', project);
    const key = { ...project, api_key_id: String(api_key_id) };
    for (const operationId of ['listApiKeys', 'rotateApiKey', 'revokeApiKey'])
      await caller.succeed(operationId, key);

    const { id: webhook_id } = await caller.succeed('createWebhook', project);
    const webhook = { ...project, webhook_id: String(webhook_id) };
    const { id: delivery_id } = await caller.succeed('testWebhook', webhook);
    const delivery = { ...webhook, delivery_id: String(delivery_id) };
    await eventually('the test event to be settled', async () => {
      const { status } = await caller.succeed('getDelivery', delivery);
      return status === 'pending' ? null : status;
    });
    for (const operationId of [
      'listDeliveries',
      'replayDelivery',
      'listWebhooks',
      'getWebhook',
      'getWebhookSecret',
      'rotateWebhookSecret',
      'replayWebhook',
      'changeWebhook',
      'deleteWebhook',
    ]) {
      await caller.succeed(operationId, delivery);
    }
  });

  test('and only those that need live carrier credentials are missing', () => {
    const isLive = ({ operationId }: ListedOperation) => /^(grant|withdraw)Live$/.test(operationId);
    expect([...caller.walked].sort()).toEqual(
      caller.reader.operations
        .filter((operation) => !isLive(operation))
        .map(({ operationId }) => operationId)
        .sort(),
    );
  });
});
