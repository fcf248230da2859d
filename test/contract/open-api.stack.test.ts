import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueApiKey } from '#shared/api-keys/new-api-key.ts';
import type { Scope } from '#shared/domain/api-key.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createApiKeyItems } from '#shared/table/api-key.ts';
import { putOptOutItem } from '#shared/table/opt-out.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { countRequests } from '#shared/table/rate-window.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { changeEndpoint } from '#shared/webhooks/change-endpoint.ts';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import { startTestServer, type TestServer } from '../support/http-server.ts';
import {
  eventually,
  newTestClient,
  signInAtStack,
  stack,
  stackTable,
  type TestClient,
} from '../support/stack.ts';
import { type Answer, DocumentReader, type ListedOperation } from './open-api-walk.ts';

/*
 * What the running stack answers is held against the document that it answers: every operation with a request made from
 * the document's own examples, and with requests that have to be refused.
 */

let client: TestClient;
let token: string;
/** Takes every webhook that is sent to it. */
let endpoint: TestServer;
let reader: DocumentReader;
beforeAll(async () => {
  client = await newTestClient();
  endpoint = await startTestServer((_, response) => {
    response.writeHead(204).end();
  });
  token = await signInAtStack('owner');
  const read = async (path: string) => (await fetch(`${stack().baseUrl}${path}`)).json();
  reader = new DocumentReader({
    clients: await read('/openapi.json'),
    people: await read('/admin/openapi.json'),
  });
});
afterAll(async () => {
  await client.stop();
  await endpoint.stop();
});

/** Identifiers by the name of the path's parameter, as they were answered on the way. */
type Ids = Record<string, string>;

interface Asking {
  readonly body?: unknown;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The API key or token; null for none, that of the client or the owner when not given. */
  readonly credential?: string | null;
}

/** A key of the client's project that may do nothing else. */
async function limitedKey(scopes: Scope[]): Promise<string> {
  const options = { name: 'Limited', expiresAt: null, createdBy: null, scopes };
  const project = { id: client.projectId, carrier: 'sandbox' } as const;
  const { key, apiKey } = issueApiKey(project, options, new Date());
  await writeTransaction(stackTable(), createApiKeyItems(stackTable(), apiKey));
  return key;
}

const isForClients = ({ security }: ListedOperation): boolean =>
  security.some((scheme) => 'apiKey' in scheme);

async function ask(
  operation: ListedOperation,
  ids: Ids,
  {
    body,
    query = '',
    headers = {},
    credential = isForClients(operation) ? client.apiKey : token,
  }: Asking = {},
): Promise<Answer> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? `no-${name}`),
  );
  const isProtected = operation.security.length > 0;
  const response = await fetch(`${stack().baseUrl}${path}${query}`, {
    method: operation.method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(isProtected && credential !== null ? { Authorization: `Bearer ${credential}` } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The example of the document, of our project and patient, and to an endpoint that listens. */
function bodyOf(operation: ListedOperation, ids: Ids): Record<string, unknown> | undefined {
  const example = reader.exampleBody(operation);
  return example === null ? undefined : ofOurs(example, ids);
}

function ofOurs(example: object, ids: Ids): Record<string, unknown> {
  return {
    ...example,
    ...('project_id' in example ? { project_id: ids.project_id } : {}),
    ...('patient_id' in example ? { patient_id: ids.patient_id } : {}),
    ...('url' in example ? { url: `${endpoint.origin}/webhooks` } : {}),
    ...('tasks' in example && Array.isArray(example.tasks)
      ? { tasks: example.tasks.map((task: object) => ofOurs(task, ids)) }
      : {}),
  };
}

async function succeed(operationId: string, ids: Ids): Promise<Record<string, unknown>> {
  const operation = named(operationId);
  const answer = await ask(operation, ids, { body: bodyOf(operation, ids) });
  expect(answer.status, `${operation.name} ${answer.text.slice(0, 300)}`).toBe(
    reader.successStatus(operation),
  );
  expect(reader.problems(operation, answer), operation.name).toEqual([]);
  walked.add(operationId);
  return answer.text.startsWith('{') ? JSON.parse(answer.text) : {};
}

function named(operationId: string): ListedOperation {
  const operation = reader.operations.find((listed) => listed.operationId === operationId);
  if (operation === undefined) throw new Error(`the document has no ${operationId}`);
  return operation;
}

const walked = new Set<string>();

/** Registers a patient and has them called; answers the identifiers of all that came of it. */
async function completeTask(names: { patient: string; task: string; read: string }, ids: Ids): Promise<Ids> {
  const patient = await succeed(names.patient, ids);
  const own = { ...ids, patient_id: String(patient.id) };
  const created = await succeed(names.task, own);
  const withTask = { ...own, task_id: String(created.id) };
  const calls = await eventually('the task to be completed', async () => {
    const task = await succeed(names.read, withTask);
    return task.status === 'COMPLETED' && Array.isArray(task.calls) ? task.calls : null;
  });
  return { ...withTask, call_id: String(calls[0]?.id) };
}

describe('every operation of the document is answered as it says', () => {
  test('for a client with an API key', async () => {
    const project = { project_id: client.projectId };
    const ids = await completeTask(
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
      await succeed(operationId, ids);
    }
    const { id } = await succeed('createTask', ids);
    await succeed('cancelTask', { ...ids, task_id: String(id) });
    const { id: batch_id } = await succeed('createTaskBatch', ids);
    for (const operationId of ['getTaskBatch', 'cancelTaskBatch']) {
      await succeed(operationId, { ...ids, batch_id: String(batch_id) });
    }
    for (const operationId of ['deleteTask', 'deletePatient']) await succeed(operationId, ids);
    await succeed('getErasure', { erasure_id: ids.patient_id ?? '' });
  });

  test('for everybody', async () => {
    for (const operationId of ['getOpenApi', 'getAdminOpenApi', 'getDocs']) await succeed(operationId, {});
    for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js', 'page.js']) {
      await succeed('getDocsAsset', { asset });
    }
    expect(reader.serverUrl).toBe(stack().baseUrl);
  });

  test('for a person who has signed in, about projects, members, patients and tasks', async () => {
    const project = await succeed('createProject', {});
    const start = { project_id: String(project.id), email: 'new-colleague@example.com' };
    for (const operationId of [
      'getMe',
      'listProjects',
      'getProject',
      'setMember',
      'listMembers',
      'removeMember',
    ]) {
      await succeed(operationId, start);
    }
    const ids = await completeTask(
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
      await succeed(operationId, ids);
    }
    await succeed('exportProjectPatient', ids);
    await eventually('the export to be made', async () => {
      const { status } = await succeed('getProjectPatientExport', ids);
      return status === 'DONE' ? status : null;
    });
    await succeed('downloadProjectPatientExport', ids);
    const { id } = await succeed('createProjectTask', ids);
    await succeed('cancelProjectTask', { ...ids, task_id: String(id) });
    for (const operationId of ['deleteProjectTask', 'deleteProjectPatient']) await succeed(operationId, ids);
    await succeed('getProjectErasure', { ...ids, erasure_id: ids.patient_id ?? '' });
  });

  test('for a person who has signed in, about numbers that must not be called', async () => {
    const project = { project_id: String((await succeed('createProject', {})).id) };
    for (const operationId of ['addOptOut', 'importOptOuts', 'listOptOuts']) {
      await succeed(operationId, project);
    }
    const said = {
      project_id: project.project_id,
      phone_number: '+18005550100',
      call_id: null,
      task_id: null,
      status: 'review',
      created_at: new Date().toISOString(),
    } as const;
    await writeTransaction(stackTable(), [putOptOutItem(stackTable(), said)]);
    const ids = { ...project, phone_number: said.phone_number };
    for (const operationId of ['confirmOptOut', 'liftOptOut']) await succeed(operationId, ids);
  });

  test('for a person who has signed in, about the lines that are called', async () => {
    const project_id = String((await succeed('createProject', {})).id);
    const ids = { project_id, phone_number: '+18885550142' };
    for (const operationId of ['saveDestination', 'listDestinations', 'removeDestination']) {
      await succeed(operationId, ids);
    }
  });

  test('for a person who has signed in, about keys and webhooks', async () => {
    const project = { project_id: String((await succeed('createProject', {})).id) };
    const { id: api_key_id } = await succeed('createApiKey', project);
    const key = { ...project, api_key_id: String(api_key_id) };
    for (const operationId of ['listApiKeys', 'rotateApiKey', 'revokeApiKey'])
      await succeed(operationId, key);

    const { id: webhook_id } = await succeed('createWebhook', project);
    const webhook = { ...project, webhook_id: String(webhook_id) };
    const { id: delivery_id } = await succeed('testWebhook', webhook);
    const delivery = { ...webhook, delivery_id: String(delivery_id) };
    await eventually('the test event to be settled', async () => {
      const { status } = await succeed('getDelivery', delivery);
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
      await succeed(operationId, delivery);
    }
  });

  test('and none was left out', () => {
    expect([...walked].sort()).toEqual(reader.operations.map(({ operationId }) => operationId).sort());
  });
});

describe('a request that is refused is answered as the document says', () => {
  /** Identifiers of our own for all but the last parameter of a path, which is the one that is wrong. */
  async function refusal(operation: ListedOperation, wrong: Ids): Promise<Answer> {
    const [last = ''] = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).slice(-1);
    const known: Ids = { project_id: ownProjectId, webhook_id: ownWebhookId, patient_id: uuidv7() };
    return ask(operation, { ...known, [last]: wrong[last] ?? 'no-id' }, { body: bodyOf(operation, known) });
  }

  function expectRefusal(operation: ListedOperation, answer: Answer, status: number): void {
    expect(answer.status, `${operation.name} ${answer.text}`).toBe(status);
    expect(reader.problems(operation, answer), operation.name).toEqual([]);
    const details = reader.details(operation, status)?.map(withoutIds);
    expect(details, operation.name).toContain(withoutIds(JSON.parse(answer.text).detail));
    refused.add(`${operation.operationId} ${status}`);
  }

  const refused = new Set<string>();
  const refusing = (status: number): ListedOperation[] =>
    reader.operations.filter((operation) => reader.details(operation, status) !== null);

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
    ownProjectId = String((await succeed('createProject', {})).id);
    ownWebhookId = String((await succeed('createWebhook', { project_id: ownProjectId })).id);
  });

  test('401 for who does not say who they are', async () => {
    const secured = reader.operations.filter(({ security }) => security.length > 0);
    expect(secured.length).toBeGreaterThan(8);
    for (const operation of secured) {
      expectRefusal(operation, await ask(operation, {}, { credential: null }), 401);
    }
  });

  test('400 for a body that is no JSON', async () => {
    const withBody = reader.operations.filter(({ requestBody }) => requestBody !== undefined);
    for (const operation of withBody) {
      expectRefusal(operation, await ask(operation, wellFormed(), { body: '{"malformed' }), 400);
    }
  });

  test('415 for a body that is compressed in a way that the gateway does not know', async () => {
    const withBody = refusing(415);
    expect(withBody.length).toBeGreaterThan(2);
    for (const operation of withBody) {
      const asking = { body: '{}', headers: { 'Content-Encoding': 'br' } };
      expectRefusal(operation, await ask(operation, wellFormed(), asking), 415);
    }
  });

  test('400 for a length of a page that is none', async () => {
    const lists = refusing(400).filter((operation) =>
      reader.details(operation, 400)?.some((detail) => detail.startsWith('limit ')),
    );
    expect(lists.length).toBeGreaterThan(5);
    for (const operation of lists) {
      expectRefusal(operation, await ask(operation, wellFormed(), { query: '?limit=many' }), 400);
    }
  });

  test('400 for days that there cannot be', async () => {
    const operation = named('getProjectUsage');
    for (const query of [
      '?from=yesterday',
      '?from=2026-01-02&to=2026-01-01',
      '?from=2026-01-01&to=2026-02-01',
    ]) {
      expectRefusal(operation, await ask(operation, wellFormed(), { query }), 400);
    }
  });

  test('403 for whose role does not allow it, for a key that lacks the scope, and for who takes the right to call', async () => {
    const people: string[] = [];
    for (const role of ['viewer', 'staff', 'auditor'] as const) {
      const ids = { project_id: ownProjectId, email: demoPeople[role].email };
      await ask(named('setMember'), ids, { body: { role } });
      people.push(await signInAtStack(role));
    }
    const keys = [await limitedKey(['recordings:read']), await limitedKey(['patients:read'])];
    for (const operation of refusing(403)) {
      let refused: Answer | undefined;
      // No role and no key may do nothing at all, so it takes some to be refused everything.
      for (const credential of isForClients(operation) ? keys : people) {
        const answer = await ask(operation, wellFormed(), {
          // Whoever signs in may create a project, but none that calls real people.
          body:
            operation.operationId === 'createProject'
              ? { name: 'x', carrier: 'live' }
              : bodyOf(operation, wellFormed()),
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
      const operation = named(operationId);
      const body = {
        ...bodyOf(operation, wellFormed()),
        project_id: ownProjectId,
      };
      expectRefusal(operation, await ask(operation, wellFormed(), { body }), 403);
    }
  });

  test('413 for a body that is too large', async () => {
    const kilobytes: Readonly<Record<string, number>> = { createTaskBatch: 4096 };
    for (const operation of refusing(413)) {
      const body = JSON.stringify('x'.repeat((kilobytes[operation.operationId] ?? 256) * 1024));
      expectRefusal(operation, await ask(operation, wellFormed(), { body }), 413);
    }
  });

  describe('409', () => {
    const refuse = async (operationId: string, ids: Ids, body?: unknown): Promise<void> => {
      const operation = named(operationId);
      const answer = await ask(operation, ids, { body: body ?? bodyOf(operation, ids) });
      expectRefusal(operation, answer, 409);
    };

    test('for a task that is over', async () => {
      const byClient = { patient: 'createPatient', task: 'createTask', read: 'getTask' };
      await refuse('cancelTask', await completeTask(byClient, { project_id: client.projectId }));
      const byPerson = {
        patient: 'createProjectPatient',
        task: 'createProjectTask',
        read: 'getProjectTask',
      };
      await refuse('cancelProjectTask', await completeTask(byPerson, { project_id: ownProjectId }));
    });

    test('for an external_id that something else has', async () => {
      for (const [project_id, names] of [
        [client.projectId, { patient: 'createPatient', task: 'createTask', change: 'updatePatient' }],
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
          const operation = named(operationId);
          return ask(operation, ids, { body: { ...Object(bodyOf(operation, ids)), ...attached } });
        };
        const { id } = JSON.parse((await make(names.patient, { project_id })).text);
        const ids = { project_id, patient_id: String(id) };
        expect((await make(names.task, ids)).status).toBe(201);
        for (const operationId of [names.patient, names.task]) {
          expectRefusal(named(operationId), await make(operationId, ids), 409);
        }
        const other = await succeed(names.patient, { project_id });
        await refuse(names.change, { ...ids, patient_id: String(other.id) }, attached);
      }
    });

    test('for what a legal hold keeps', async () => {
      const held = await newTestClient();
      const { id: ownId } = await succeed('createProject', {});
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
          const operation = named(operationId);
          const answer = await ask(operation, ids, { body: bodyOf(operation, ids), ...credential });
          return String(JSON.parse(answer.text).id);
        };
        const patient_id = await made(names.patient, { project_id });
        const ids = { project_id, patient_id, task_id: await made(names.task, { project_id, patient_id }) };
        const project = await getProject(stackTable(), project_id, { consistently: true });
        if (project === null) throw new Error('no project');
        const next = { ...project, legal_hold: true, updated_at: new Date().toISOString() };
        await writeTransaction(stackTable(), [replaceProjectItem(stackTable(), project, next)]);
        for (const operationId of names.erase) {
          const operation = named(operationId);
          expectRefusal(operation, await ask(operation, ids, credential), 409);
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
      const save = named('saveDestination');
      const ids = { project_id: ownProjectId, phone_number: '+18885550140' };
      const saved = await ask(save, ids, { body: { ...Object(bodyOf(save, ids)), ...range } });
      expect(saved.status).toBe(200);
      await refuse('saveDestination', { ...ids, phone_number: '+18885550142' });
    });

    test('for an API key that works no longer', async () => {
      const project = { project_id: ownProjectId };
      const ids = { ...project, api_key_id: String((await succeed('createApiKey', project)).id) };
      await succeed('revokeApiKey', ids);
      await refuse('rotateApiKey', ids);
    });

    test('for a signing secret that cannot be opened', async () => {
      const project = { project_id: ownProjectId };
      const [mine, other] = [
        await succeed('createWebhook', project),
        await succeed('createWebhook', project),
      ];
      const keyOf = ({ id }: Record<string, unknown>) => ({ projectId: ownProjectId, webhookId: String(id) });
      const foreign = await getWebhookEndpoint(stackTable(), ownProjectId, keyOf(other).webhookId);
      if (foreign === null) throw new Error('no endpoint');
      const { signing_secrets } = foreign;
      await changeEndpoint(stackTable(), keyOf(mine), () => ({ settings: { signing_secrets } }), new Date());
      await refuse('getWebhookSecret', { ...project, webhook_id: keyOf(mine).webhookId });
    });

    test('for one webhook too many, and for one that is switched off', async () => {
      const project = { project_id: String((await succeed('createProject', {})).id) };
      const webhooks = [];
      for (let count = 1; count <= 20; count += 1) webhooks.push(await succeed('createWebhook', project));
      await refuse('createWebhook', project);
      const webhook = { ...project, webhook_id: String(webhooks[0]?.id) };
      const sent = await succeed('testWebhook', webhook);
      const ids = { ...webhook, delivery_id: String(sent.id) };
      await ask(named('changeWebhook'), ids, { body: { enabled: false } });
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
    return { [name]: String((await succeed(create, ids)).id) };
  }

  test('422 for an idempotency key that came with another request', async () => {
    const patients = { v1: 'createPatient', admin: 'createProjectPatient' };
    const tasks = { v1: 'createTask', admin: 'createProjectTask' };
    for (const operation of refusing(422)) {
      const [side, project_id] = isForClients(operation)
        ? (['v1', client.projectId] as const)
        : (['admin', ownProjectId] as const);
      const patient = await succeed(patients[side], { project_id });
      const ids = { project_id, patient_id: String(patient.id) };
      const [one, other] = [await made(operation, ids, tasks[side]), await made(operation, ids, tasks[side])];
      const headers = { 'Idempotency-Key': uuidv7() };
      const body = bodyOf(operation, ids);
      const first = await ask(operation, { ...ids, ...one }, { headers, body });
      expect(first.status, `${operation.name} ${first.text}`).toBe(reader.successStatus(operation));
      const second = await ask(
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
    for (const operation of reader.operations.filter(isForClients)) {
      let answer = await ask(operation, wellFormed(), { credential: busy.apiKey });
      // An instance asks how many there were after some requests of its own.
      for (let asked = 1; answer.status !== 429 && asked < 500; asked += 1) {
        answer = await ask(operation, wellFormed(), { credential: busy.apiKey });
      }
      expectRefusal(operation, answer, 429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await busy.stop();
  });

  test('400 for an identifier that is none', async () => {
    const aboutOneThing = reader.operations.filter(({ path }) =>
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
    const finding = reader.operations.filter(
      ({ path, operationId }) => path.includes('{') && !putting.includes(operationId),
    );
    for (const operation of finding) expectRefusal(operation, await refusal(operation, unknown), 404);
    for (const operation of putting.map(named)) {
      expectRefusal(operation, await ask(operation, unknown, { body: bodyOf(operation, unknown) }), 404);
    }
    const ordering = named('createTask');
    const ofNobody = { ...unknown, project_id: client.projectId };
    expectRefusal(ordering, await ask(ordering, ofNobody, { body: bodyOf(ordering, ofNobody) }), 404);
  });

  test('and none of the refusals was left out that can be brought about at will', () => {
    const documented = reader.operations.flatMap((operation) =>
      reader
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
      status !== 409 || reader.details(operation, 409)?.some((detail) => !momentary.test(detail)) === true
    );
  }
});

const momentary = /^Another request|look at it again$|try again in a minute$|export is not ready$/;

/** Sentences that name what there is already name another thing each time. */
function withoutIds(detail: string): string {
  return detail.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID');
}

function lastParameter(path: string): string {
  return path.match(/\{\w+\}/g)?.at(-1) ?? '';
}
