import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { changeEndpoint } from '#shared/webhooks/change-endpoint.ts';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import { newTestClient, stackTable } from '../support/stack.ts';
import type { DocumentCaller, Ids } from './document-caller.ts';
import { DocumentRefusals } from './document-refusals.ts';
import type { Answer } from './open-api-walk.ts';

let refusals: DocumentRefusals;
let caller: DocumentCaller;
beforeAll(async () => {
  refusals = await DocumentRefusals.start();
  ({ caller } = refusals);
});
afterAll(() => caller.stop());

describe('a conflict matches the document', () => {
  const refuse = async (operationId: string, ids: Ids, body?: unknown): Promise<void> => {
    const operation = caller.named(operationId);
    const answer = await caller.ask(operation, ids, { body: body ?? caller.bodyOf(operation, ids) });
    refusals.expect(operation, answer, 409);
  };

  test('for a finished task', async () => {
    const byClient = { patient: 'createPatient', task: 'createTask', read: 'getTask' };
    await refuse('cancelTask', await caller.completeTask(byClient, { project_id: caller.client.projectId }));
    const byPerson = {
      patient: 'createProjectPatient',
      task: 'createProjectTask',
      read: 'getProjectTask',
    };
    await refuse(
      'cancelProjectTask',
      await caller.completeTask(byPerson, { project_id: refusals.projectId }),
    );
  });

  test('for live calls without a live carrier, and for a grant that was never given', async () => {
    await refuse('grantLive', { project_id: refusals.projectId });
    await refuse('withdrawLive', { project_id: refusals.projectId });
  });

  test('for a duplicate external_id', async () => {
    for (const [project_id, names] of [
      [caller.client.projectId, { patient: 'createPatient', task: 'createTask', change: 'updatePatient' }],
      [
        refusals.projectId,
        {
          patient: 'createProjectPatient',
          task: 'createProjectTask',
          change: 'updateProjectPatient',
        },
      ],
    ] as const) {
      const attached = { external_id: `chart-${uuidv7()}` };
      const make = (operationId: string, ids: Ids): Promise<Answer> => {
        const operation = caller.named(operationId);
        return caller.ask(operation, ids, {
          body: { ...Object(caller.bodyOf(operation, ids)), ...attached },
        });
      };
      const { id } = JSON.parse((await make(names.patient, { project_id })).text);
      const ids = { project_id, patient_id: String(id), call_after: '2099-01-01T00:00:00Z' };
      expect((await make(names.task, ids)).status).toBe(201);
      for (const operationId of [names.patient, names.task]) {
        refusals.expect(caller.named(operationId), await make(operationId, ids), 409);
      }
      const other = await caller.succeed(names.patient, { project_id });
      await refuse(names.change, { ...ids, patient_id: String(other.id) }, attached);
    }
  });

  test('under a legal hold', async () => {
    const held = await newTestClient();
    const { id: ownId } = await caller.succeed('createProject', {});
    for (const [project_id, names] of [
      [
        held.projectId,
        { patient: 'createPatient', task: 'createTask', erase: ['deleteTask', 'deletePatient'] },
      ],
      [
        String(ownId),
        {
          patient: 'createProjectPatient',
          task: 'createProjectTask',
          erase: ['deleteProjectTask', 'deleteProjectPatient'],
        },
      ],
    ] as const) {
      const credential = project_id === held.projectId ? { credential: held.apiKey } : {};
      const made = async (operationId: string, ids: Ids): Promise<string> => {
        const operation = caller.named(operationId);
        const answer = await caller.ask(operation, ids, {
          body: caller.bodyOf(operation, ids),
          ...credential,
        });
        return String(JSON.parse(answer.text).id);
      };
      const patient_id = await made(names.patient, { project_id });
      const ids = { project_id, patient_id, task_id: await made(names.task, { project_id, patient_id }) };
      const project = await getProject(stackTable(), project_id, { consistently: true });
      if (project === null) throw new Error('no project');
      const next = { ...project, legal_hold: true, updated_at: new Date().toISOString() };
      await writeTransaction(stackTable(), [replaceProjectItem(stackTable(), project, next)]);
      for (const operationId of names.erase) {
        const operation = caller.named(operationId);
        refusals.expect(operation, await caller.ask(operation, ids, credential), 409);
      }
    }
    await held.stop();
  });

  test('for another carrier, and for a project that would lose its last owner', async () => {
    const ids = { project_id: refusals.projectId, email: demoPeople.owner.email };
    await refuse('changeProject', ids, { carrier: 'live' });
    await refuse('setMember', ids, { role: 'viewer' });
    await refuse('removeMember', ids);
  });

  test('for lines that may be in only one entry', async () => {
    const range = { last_phone_number: '+18885550149' };
    const save = caller.named('saveDestination');
    const ids = { project_id: refusals.projectId, phone_number: '+18885550140' };
    const saved = await caller.ask(save, ids, { body: { ...Object(caller.bodyOf(save, ids)), ...range } });
    expect(saved.status).toBe(200);
    await refuse('saveDestination', { ...ids, phone_number: '+18885550142' });
  });

  test('for an inactive API key', async () => {
    const project = { project_id: refusals.projectId };
    const ids = { ...project, api_key_id: String((await caller.succeed('createApiKey', project)).id) };
    await caller.succeed('revokeApiKey', ids);
    await refuse('rotateApiKey', ids);
  });

  test('for an unreadable signing secret', async () => {
    const project = { project_id: refusals.projectId };
    const [mine, other] = [
      await caller.succeed('createWebhook', project),
      await caller.succeed('createWebhook', project),
    ];
    const keyOf = ({ id }: Record<string, unknown>) => ({
      projectId: refusals.projectId,
      webhookId: String(id),
    });
    const foreign = await getWebhookEndpoint(stackTable(), refusals.projectId, keyOf(other).webhookId);
    if (foreign === null) throw new Error('no endpoint');
    const { signing_secrets } = foreign;
    await changeEndpoint(stackTable(), keyOf(mine), () => ({ settings: { signing_secrets } }), new Date());
    await refuse('getWebhookSecret', { ...project, webhook_id: keyOf(mine).webhookId });
  });

  test('for one webhook too many, and for a disabled one', async () => {
    const project = { project_id: String((await caller.succeed('createProject', {})).id) };
    const webhooks = [];
    for (let count = 1; count <= 20; count += 1)
      webhooks.push(await caller.succeed('createWebhook', project));
    await refuse('createWebhook', project);
    const webhook = { ...project, webhook_id: String(webhooks[0]?.id) };
    const sent = await caller.succeed('testWebhook', webhook);
    const ids = { ...webhook, delivery_id: String(sent.id) };
    await caller.ask(caller.named('changeWebhook'), ids, { body: { enabled: false } });
    for (const operationId of ['testWebhook', 'replayWebhook', 'replayDelivery']) {
      await refuse(operationId, ids);
    }
  });

  test('and every reproducible conflict is covered', () => {
    refusals.expectComplete((status) => status === 409);
  });
});
