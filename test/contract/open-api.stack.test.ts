import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { signInAs } from '../../infra/local/identity/sign-in.ts';
import { startTestServer, type TestServer } from '../support/http-server.ts';
import { eventually, newTestClient, stack, type TestClient } from '../support/stack.ts';
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
  const { SignInIssuer, SignInClientId } = stack().outputs;
  token = await signInAs('owner', { issuer: String(SignInIssuer), clientId: String(SignInClientId) });
  const response = await fetch(`${stack().baseUrl}/openapi.json`);
  reader = new DocumentReader(await response.json());
});
afterAll(async () => {
  await client.stop();
  await endpoint.stop();
});

/** Identifiers by the name of the path's parameter, as they were answered on the way. */
type Ids = Record<string, string>;

async function ask(
  operation: ListedOperation,
  ids: Ids,
  { body, isKnown = true }: { body?: unknown; isKnown?: boolean } = {},
): Promise<Answer> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? `no-${name}`),
  );
  const credential = operation.security.some((scheme) => 'apiKey' in scheme) ? client.apiKey : token;
  const isProtected = operation.security.length > 0;
  const response = await fetch(`${stack().baseUrl}${path}`, {
    method: operation.method,
    redirect: 'manual',
    headers: isKnown && isProtected ? { Authorization: `Bearer ${credential}` } : {},
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The example of the document, of our project and patient, and to an endpoint that listens. */
function bodyOf(operation: ListedOperation, ids: Ids): unknown {
  const example = reader.exampleBody(operation);
  if (example === null) return undefined;
  return {
    ...example,
    ...('project_id' in example ? { project_id: ids.project_id } : {}),
    ...('patient_id' in example ? { patient_id: ids.patient_id } : {}),
    ...('url' in example ? { url: `${endpoint.origin}/webhooks` } : {}),
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
    for (const operationId of ['listPatients', 'getPatient', 'listTasks', 'getCallRecording']) {
      await succeed(operationId, ids);
    }
    const { id } = await succeed('createTask', ids);
    await succeed('cancelTask', { ...ids, task_id: String(id) });
  });

  test('for everybody', async () => {
    for (const operationId of ['getOpenApi', 'getDocs']) await succeed(operationId, {});
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
      'listProjectTasks',
      'getProjectCallRecording',
      'changeProject',
      'listAuditLog',
    ]) {
      await succeed(operationId, ids);
    }
    const { id } = await succeed('createProjectTask', ids);
    await succeed('cancelProjectTask', { ...ids, task_id: String(id) });
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
    expect(reader.details(operation, status), operation.name).toContain(JSON.parse(answer.text).detail);
  }

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
      expectRefusal(operation, await ask(operation, {}, { isKnown: false }), 401);
    }
  });

  test('400 for a body that is no JSON', async () => {
    const withBody = reader.operations.filter(({ requestBody }) => requestBody !== undefined);
    for (const operation of withBody) {
      const ids = {
        project_id: ownProjectId,
        webhook_id: ownWebhookId,
        api_key_id: uuidv7(),
        email: 'new-colleague@example.com',
      };
      expectRefusal(operation, await ask(operation, ids, { body: '{"malformed' }), 400);
    }
  });

  test('400 for an identifier that is none', async () => {
    const aboutOneThing = reader.operations.filter(({ path }) => /_id\}|\{email\}/.test(lastParameter(path)));
    for (const operation of aboutOneThing.filter(({ path }) => lastParameter(path) !== '{project_id}')) {
      expectRefusal(operation, await refusal(operation, {}), 400);
    }
  });

  test('404 for what there is not', async () => {
    const unknown = {
      ...Object.fromEntries(
        ['project_id', 'patient_id', 'task_id', 'call_id', 'api_key_id', 'webhook_id'].map((name) => [
          name,
          uuidv7(),
        ]),
      ),
      delivery_id: `msg_${'0'.repeat(32)}`,
      email: 'nobody@example.com',
      asset: 'none.js',
    };
    // Whoever is put into a project need not have been there before.
    const finding = reader.operations.filter(
      ({ path, operationId }) => path.includes('{') && operationId !== 'setMember',
    );
    for (const operation of finding) expectRefusal(operation, await refusal(operation, unknown), 404);
  });
});

function lastParameter(path: string): string {
  return path.match(/\{\w+\}/g)?.at(-1) ?? '';
}
