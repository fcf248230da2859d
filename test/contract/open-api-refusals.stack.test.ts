import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { countRequests } from '#shared/table/rate-window.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { changeEndpoint } from '#shared/webhooks/change-endpoint.ts';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import { newTestClient, signInAtStack, stackTable } from '../support/stack.ts';
import { DocumentCaller, type Ids, isForClients } from './document-caller.ts';
import type { Answer, ListedOperation } from './open-api-walk.ts';

/*
 * Holds the running stack against its own document: requests that must be refused get the documented error.
 */

let caller: DocumentCaller;
beforeAll(async () => {
  caller = await DocumentCaller.start();
});
afterAll(() => caller.stop());

describe('a request that is refused is answered as the document says', () => {
  /** Identifiers of our own for all but the last parameter of a path, which is the one that is wrong. */
  async function refusal(operation: ListedOperation, wrong: Ids): Promise<Answer> {
    const [last = ''] = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).slice(-1);
    const known: Ids = { project_id: ownProjectId, webhook_id: ownWebhookId, patient_id: uuidv7() };
    return caller.ask(
      operation,
      { ...known, [last]: wrong[last] ?? 'no-id' },
      { body: caller.bodyOf(operation, known) },
    );
  }

  function expectRefusal(operation: ListedOperation, answer: Answer, status: number): void {
    expect(answer.status, `${operation.name} ${answer.text}`).toBe(status);
    expect(caller.reader.problems(operation, answer), operation.name).toEqual([]);
    const details = caller.reader.details(operation, status)?.map(withoutIds);
    expect(details, operation.name).toContain(withoutIds(JSON.parse(answer.text).detail));
    refused.add(`${operation.operationId} ${status}`);
  }

  const refused = new Set<string>();
  const refusing = (status: number): ListedOperation[] =>
    caller.reader.operations.filter((operation) => caller.reader.details(operation, status) !== null);

  /** Of the form that identifiers have. */
  const wellFormed = (): Ids => ({
    ...Object.fromEntries(
      ['patient_id', 'task_id', 'batch_id', 'call_id', 'api_key_id', 'erasure_id'].map((name) => [
        name,
        uuidv7(),
      ]),
    ),
    delivery_id: `msg_${'0'.repeat(32)}`,
    email: 'nobody@example.com',
    phone_number: '+12025550155',
    project_id: ownProjectId,
    webhook_id: ownWebhookId,
  });

  let ownProjectId: string;
  let ownWebhookId: string;
  beforeAll(async () => {
    ownProjectId = String((await caller.succeed('createProject', {})).id);
    ownWebhookId = String((await caller.succeed('createWebhook', { project_id: ownProjectId })).id);
  });

  test('401 for who does not say who they are', async () => {
    const secured = caller.reader.operations.filter(({ security }) => security.length > 0);
    expect(secured.length).toBeGreaterThan(8);
    for (const operation of secured) {
      expectRefusal(operation, await caller.ask(operation, {}, { credential: null }), 401);
    }
  });

  test('400 for a body that is no JSON', async () => {
    const withBody = caller.reader.operations.filter(({ requestBody }) => requestBody !== undefined);
    for (const operation of withBody) {
      expectRefusal(operation, await caller.ask(operation, wellFormed(), { body: '{"malformed' }), 400);
    }
  });

  test('415 for a body that is compressed in a way that the gateway does not know', async () => {
    const withBody = refusing(415);
    expect(withBody.length).toBeGreaterThan(2);
    for (const operation of withBody) {
      const asking = { body: '{}', headers: { 'Content-Encoding': 'br' } };
      expectRefusal(operation, await caller.ask(operation, wellFormed(), asking), 415);
    }
  });

  test('400 for a length of a page that is none', async () => {
    const lists = refusing(400).filter((operation) =>
      caller.reader.details(operation, 400)?.some((detail) => detail.startsWith('limit ')),
    );
    expect(lists.length).toBeGreaterThan(5);
    for (const operation of lists) {
      expectRefusal(operation, await caller.ask(operation, wellFormed(), { query: '?limit=many' }), 400);
    }
  });

  test('400 for days that there cannot be', async () => {
    const operation = caller.named('getProjectUsage');
    for (const query of [
      '?from=yesterday',
      '?from=2026-01-02&to=2026-01-01',
      '?from=2026-01-01&to=2026-02-01',
    ]) {
      expectRefusal(operation, await caller.ask(operation, wellFormed(), { query }), 400);
    }
  });

  test('403 for whose role does not allow it, for a key that lacks the scope, and for who takes the right to call', async () => {
    const people: string[] = [];
    for (const role of ['viewer', 'staff', 'auditor'] as const) {
      const ids = { project_id: ownProjectId, email: demoPeople[role].email };
      await caller.ask(caller.named('setMember'), ids, { body: { role } });
      people.push(await signInAtStack(role));
    }
    const keys = [await caller.limitedKey(['recordings:read']), await caller.limitedKey(['patients:read'])];
    for (const operation of refusing(403)) {
      let refused: Answer | undefined;
      // No role and no key may do nothing at all, so it takes some to be refused everything.
      for (const credential of isForClients(operation) ? keys : people) {
        const answer = await caller.ask(operation, wellFormed(), {
          // Whoever signs in may create a project, but none that calls real people.
          body:
            operation.operationId === 'createProject'
              ? { name: 'x', carrier: 'live' }
              : caller.bodyOf(operation, wellFormed()),
          credential,
        });
        if (answer.status === 403) refused = answer;
      }
      expect(refused, operation.name).toBeDefined();
      if (refused !== undefined) expectRefusal(operation, refused, 403);
    }
  });

  test('403 for a project that is not that of the key', async () => {
    for (const operationId of ['createPatient', 'updatePatient', 'createTask']) {
      const operation = caller.named(operationId);
      const body = {
        ...caller.bodyOf(operation, wellFormed()),
        project_id: ownProjectId,
      };
      expectRefusal(operation, await caller.ask(operation, wellFormed(), { body }), 403);
    }
  });

  test('413 for a body that is too large', async () => {
    const kilobytes: Readonly<Record<string, number>> = { createTaskBatch: 4096 };
    for (const operation of refusing(413)) {
      const body = JSON.stringify('x'.repeat((kilobytes[operation.operationId] ?? 256) * 1024));
      expectRefusal(operation, await caller.ask(operation, wellFormed(), { body }), 413);
    }
  });

  describe('409', () => {
    const refuse = async (operationId: string, ids: Ids, body?: unknown): Promise<void> => {
      const operation = caller.named(operationId);
      const answer = await caller.ask(operation, ids, { body: body ?? caller.bodyOf(operation, ids) });
      expectRefusal(operation, answer, 409);
    };

    test('for a task that is over', async () => {
      const byClient = { patient: 'createPatient', task: 'createTask', read: 'getTask' };
      await refuse(
        'cancelTask',
        await caller.completeTask(byClient, { project_id: caller.client.projectId }),
      );
      const byPerson = {
        patient: 'createProjectPatient',
        task: 'createProjectTask',
        read: 'getProjectTask',
      };
      await refuse('cancelProjectTask', await caller.completeTask(byPerson, { project_id: ownProjectId }));
    });

    test('for an external_id that something else has', async () => {
      for (const [project_id, names] of [
        [caller.client.projectId, { patient: 'createPatient', task: 'createTask', change: 'updatePatient' }],
        [
          ownProjectId,
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
        const ids = { project_id, patient_id: String(id) };
        expect((await make(names.task, ids)).status).toBe(201);
        for (const operationId of [names.patient, names.task]) {
          expectRefusal(caller.named(operationId), await make(operationId, ids), 409);
        }
        const other = await caller.succeed(names.patient, { project_id });
        await refuse(names.change, { ...ids, patient_id: String(other.id) }, attached);
      }
    });

    test('for what a legal hold keeps', async () => {
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
          expectRefusal(operation, await caller.ask(operation, ids, credential), 409);
        }
      }
      await held.stop();
    });

    test('for another carrier, and for a project that would be left without an owner', async () => {
      const ids = { project_id: ownProjectId, email: demoPeople.owner.email };
      await refuse('changeProject', ids, { carrier: 'live' });
      await refuse('setMember', ids, { role: 'viewer' });
      await refuse('removeMember', ids);
    });

    test('for lines of which each is in one entry only', async () => {
      const range = { last_phone_number: '+18885550149' };
      const save = caller.named('saveDestination');
      const ids = { project_id: ownProjectId, phone_number: '+18885550140' };
      const saved = await caller.ask(save, ids, { body: { ...Object(caller.bodyOf(save, ids)), ...range } });
      expect(saved.status).toBe(200);
      await refuse('saveDestination', { ...ids, phone_number: '+18885550142' });
    });

    test('for an API key that works no longer', async () => {
      const project = { project_id: ownProjectId };
      const ids = { ...project, api_key_id: String((await caller.succeed('createApiKey', project)).id) };
      await caller.succeed('revokeApiKey', ids);
      await refuse('rotateApiKey', ids);
    });

    test('for a signing secret that cannot be opened', async () => {
      const project = { project_id: ownProjectId };
      const [mine, other] = [
        await caller.succeed('createWebhook', project),
        await caller.succeed('createWebhook', project),
      ];
      const keyOf = ({ id }: Record<string, unknown>) => ({ projectId: ownProjectId, webhookId: String(id) });
      const foreign = await getWebhookEndpoint(stackTable(), ownProjectId, keyOf(other).webhookId);
      if (foreign === null) throw new Error('no endpoint');
      const { signing_secrets } = foreign;
      await changeEndpoint(stackTable(), keyOf(mine), () => ({ settings: { signing_secrets } }), new Date());
      await refuse('getWebhookSecret', { ...project, webhook_id: keyOf(mine).webhookId });
    });

    test('for one webhook too many, and for one that is switched off', async () => {
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
  });

  /** What the operation is about: a batch, or else a task. */
  async function made({ path }: ListedOperation, ids: Ids, createTask: string): Promise<Ids> {
    const [name, create] = path.includes('{batch_id}')
      ? (['batch_id', 'createTaskBatch'] as const)
      : (['task_id', createTask] as const);
    return { [name]: String((await caller.succeed(create, ids)).id) };
  }

  test('422 for an idempotency key that came with another request', async () => {
    const patients = { v1: 'createPatient', admin: 'createProjectPatient' };
    const tasks = { v1: 'createTask', admin: 'createProjectTask' };
    for (const operation of refusing(422)) {
      const [side, project_id] = isForClients(operation)
        ? (['v1', caller.client.projectId] as const)
        : (['admin', ownProjectId] as const);
      const patient = await caller.succeed(patients[side], { project_id });
      const ids = { project_id, patient_id: String(patient.id) };
      const [one, other] = [await made(operation, ids, tasks[side]), await made(operation, ids, tasks[side])];
      const headers = { 'Idempotency-Key': uuidv7() };
      const body = caller.bodyOf(operation, ids);
      const first = await caller.ask(operation, { ...ids, ...one }, { headers, body });
      expect(first.status, `${operation.name} ${first.text}`).toBe(caller.reader.successStatus(operation));
      const second = await caller.ask(
        operation,
        { ...ids, ...other },
        { headers, ...(body === undefined ? {} : { body: { ...Object(body), note: 'Another one.' } }) },
      );
      expectRefusal(operation, second, 422);
    }
  });

  test('429 for a client whose project asks too often', async () => {
    const busy = await newTestClient();
    const windowMs = 10_000;
    const startMs = Math.floor(Date.now() / windowMs) * windowMs;
    // As if it had asked a million times in each of the windows that the test may last.
    for (let window = 0; window < 12; window += 1) {
      const rateWindow = { projectId: busy.projectId, startMs: startMs + window * windowMs };
      await countRequests(stackTable(), rateWindow, 1_000_000);
    }
    for (const operation of caller.reader.operations.filter(isForClients)) {
      let answer = await caller.ask(operation, wellFormed(), { credential: busy.apiKey });
      // An instance asks how many there were after some requests of its own.
      for (let asked = 1; answer.status !== 429 && asked < 500; asked += 1) {
        answer = await caller.ask(operation, wellFormed(), { credential: busy.apiKey });
      }
      expectRefusal(operation, answer, 429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await busy.stop();
  });

  test('400 for an identifier that is none', async () => {
    const aboutOneThing = caller.reader.operations.filter(({ path }) =>
      /_id\}|\{(?:email|phone_number)\}/.test(lastParameter(path)),
    );
    for (const operation of aboutOneThing.filter(({ path }) => lastParameter(path) !== '{project_id}')) {
      expectRefusal(operation, await refusal(operation, {}), 400);
    }
  });

  test('404 for what there is not', async () => {
    const unknown = {
      ...Object.fromEntries(
        [
          'project_id',
          'patient_id',
          'task_id',
          'batch_id',
          'call_id',
          'api_key_id',
          'webhook_id',
          'erasure_id',
        ].map((name) => [name, uuidv7()]),
      ),
      delivery_id: `msg_${'0'.repeat(32)}`,
      email: 'nobody@example.com',
      phone_number: '+12025550155',
      asset: 'none.js',
    };
    // What is put into a project need not have been there before.
    const putting = ['setMember', 'saveDestination'];
    const finding = caller.reader.operations.filter(
      ({ path, operationId }) => path.includes('{') && !putting.includes(operationId),
    );
    for (const operation of finding) expectRefusal(operation, await refusal(operation, unknown), 404);
    for (const operation of putting.map((id) => caller.named(id))) {
      expectRefusal(
        operation,
        await caller.ask(operation, unknown, { body: caller.bodyOf(operation, unknown) }),
        404,
      );
    }
    const ordering = caller.named('createTask');
    const ofNobody = { ...unknown, project_id: caller.client.projectId };
    expectRefusal(
      ordering,
      await caller.ask(ordering, ofNobody, { body: caller.bodyOf(ordering, ofNobody) }),
      404,
    );
  });

  test('and none of the refusals was left out that can be brought about at will', () => {
    const documented = caller.reader.operations.flatMap((operation) =>
      caller.reader
        .statuses(operation)
        .filter((status) => canBeBroughtAbout(operation, status))
        .map((status) => `${operation.operationId} ${status}`),
    );
    expect([...refused].sort()).toEqual(documented.sort());
  });

  function canBeBroughtAbout(operation: ListedOperation, status: number): boolean {
    // A fault of ours; and what the gateway refuses for all clients together, which would hold up every other test.
    if (status === 500) return false;
    if (status === 429) return isForClients(operation);
    // Two requests about one thing have to meet in the very same moment, or one what is being made.
    return (
      status !== 409 ||
      caller.reader.details(operation, 409)?.some((detail) => !momentary.test(detail)) === true
    );
  }
});

const momentary = /^Another request|; reload it$|try again in a minute$|export is not ready$/;

/** Sentences that name what there is already name another thing each time. */
function withoutIds(detail: string): string {
  return detail.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID');
}

function lastParameter(path: string): string {
  return path.match(/\{\w+\}/g)?.at(-1) ?? '';
}
