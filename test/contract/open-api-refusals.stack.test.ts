import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { countRequests } from '#shared/table/rate-window.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import { newTestClient, signInAtStack, stackTable } from '../support/stack.ts';
import { type DocumentCaller, type Ids, isForClients } from './document-caller.ts';
import { DocumentRefusals } from './document-refusals.ts';
import type { Answer, ListedOperation } from './open-api-walk.ts';

/*
 * Compares the running stack with its own document: requests that must be refused get the documented error.
 */

let refusals: DocumentRefusals;
let caller: DocumentCaller;
beforeAll(async () => {
  refusals = await DocumentRefusals.start();
  ({ caller } = refusals);
});
afterAll(() => caller.stop());

describe('a refusal matches the document', () => {
  /** Our own identifiers for all path parameters but the last, which is wrong. */
  async function refusal(operation: ListedOperation, wrong: Ids): Promise<Answer> {
    const [last = ''] = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).slice(-1);
    const known: Ids = {
      project_id: refusals.projectId,
      webhook_id: refusals.webhookId,
      patient_id: uuidv7(),
    };
    return caller.ask(
      operation,
      { ...known, [last]: wrong[last] ?? 'no-id' },
      { body: caller.bodyOf(operation, known) },
    );
  }

  test('401 without authentication', async () => {
    const secured = caller.reader.operations.filter(({ security }) => security.length > 0);
    expect(secured.length).toBeGreaterThan(8);
    for (const operation of secured) {
      refusals.expect(operation, await caller.ask(operation, {}, { credential: null }), 401);
    }
  });

  test('400 for an invalid JSON body', async () => {
    const withBody = caller.reader.operations.filter(({ requestBody }) => requestBody !== undefined);
    for (const operation of withBody) {
      refusals.expect(
        operation,
        await caller.ask(operation, refusals.wellFormedIds(), { body: '{"malformed' }),
        400,
      );
    }
  });

  test('415 for an unknown content encoding', async () => {
    const withBody = refusals.documenting(415);
    expect(withBody.length).toBeGreaterThan(2);
    for (const operation of withBody) {
      const asking = { body: '{}', headers: { 'Content-Encoding': 'br' } };
      refusals.expect(operation, await caller.ask(operation, refusals.wellFormedIds(), asking), 415);
    }
  });

  test('400 for an invalid page size', async () => {
    const lists = refusals
      .documenting(400)
      .filter((operation) =>
        caller.reader.details(operation, 400)?.some((detail) => detail.startsWith('limit ')),
      );
    expect(lists.length).toBeGreaterThan(5);
    for (const operation of lists) {
      refusals.expect(
        operation,
        await caller.ask(operation, refusals.wellFormedIds(), { query: '?limit=many' }),
        400,
      );
    }
  });

  test('400 for invalid days', async () => {
    const operation = caller.named('getProjectUsage');
    for (const query of [
      '?from=yesterday',
      '?from=2026-01-02&to=2026-01-01',
      '?from=2026-01-01&to=2026-02-01',
    ]) {
      refusals.expect(operation, await caller.ask(operation, refusals.wellFormedIds(), { query }), 400);
    }
  });

  test('403 for a role without permission, a key without the scope, and creating a live project', async () => {
    const people: string[] = [];
    for (const role of ['viewer', 'staff', 'auditor'] as const) {
      const at = new Date().toISOString();
      const { email } = demoPeople[role];
      const member = { project_id: refusals.projectId, email, role, created_at: at, updated_at: at };
      await writeTransaction(stackTable(), [addMemberItem(stackTable(), member)]);
      people.push(await signInAtStack(role));
    }
    const keys = [await caller.limitedKey(['recordings:read']), await caller.limitedKey(['patients:read'])];
    for (const operation of refusals.documenting(403)) {
      let refused: Answer | undefined;
      // No single role or key is refused everything, so several are needed.
      for (const credential of isForClients(operation) ? keys : people) {
        const answer = await caller.ask(operation, refusals.wellFormedIds(), {
          // Anyone who signs in may create a project, but not one that makes real calls.
          body:
            operation.operationId === 'createProject'
              ? { name: 'x', carrier: 'live' }
              : caller.bodyOf(operation, refusals.wellFormedIds()),
          credential,
        });
        if (answer.status === 403) refused = answer;
      }
      expect(refused, operation.name).toBeDefined();
      if (refused !== undefined) refusals.expect(operation, refused, 403);
    }
  });

  test("403 for another project than the key's", async () => {
    for (const operationId of ['createPatient', 'updatePatient', 'createTask']) {
      const operation = caller.named(operationId);
      const body = {
        ...caller.bodyOf(operation, refusals.wellFormedIds()),
        project_id: refusals.projectId,
      };
      refusals.expect(operation, await caller.ask(operation, refusals.wellFormedIds(), { body }), 403);
    }
  });

  test('413 for a body that is too large', async () => {
    const kilobytes: Readonly<Record<string, number>> = { createTaskBatch: 4096 };
    for (const operation of refusals.documenting(413)) {
      const body = JSON.stringify('x'.repeat((kilobytes[operation.operationId] ?? 256) * 1024));
      refusals.expect(operation, await caller.ask(operation, refusals.wellFormedIds(), { body }), 413);
    }
  });

  /** What the operation is about: a batch, otherwise a task. */
  async function made({ path }: ListedOperation, ids: Ids, createTask: string): Promise<Ids> {
    const [name, create] = path.includes('{batch_id}')
      ? (['batch_id', 'createTaskBatch'] as const)
      : (['task_id', createTask] as const);
    return { [name]: String((await caller.succeed(create, ids)).id) };
  }

  test('422 for an idempotency key of another request', async () => {
    const patients = { v1: 'createPatient', admin: 'createProjectPatient' };
    const tasks = { v1: 'createTask', admin: 'createProjectTask' };
    for (const operation of refusals.documenting(422)) {
      const [side, project_id] = isForClients(operation)
        ? (['v1', caller.client.projectId] as const)
        : (['admin', refusals.projectId] as const);
      const patient = await caller.succeed(patients[side], { project_id });
      const ids = { project_id, patient_id: String(patient.id), call_after: '2099-01-01T00:00:00Z' };
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
      refusals.expect(operation, second, 422);
    }
  });

  test('429 for a project over its rate limit', async () => {
    const busy = await newTestClient();
    const windowMs = 10_000;
    const startMs = Math.floor(Date.now() / windowMs) * windowMs;
    // As if it had sent a million requests in each window that the test may last.
    for (let window = 0; window < 12; window += 1) {
      const rateWindow = { projectId: busy.projectId, startMs: startMs + window * windowMs };
      await countRequests(stackTable(), rateWindow, 1_000_000);
    }
    for (const operation of caller.reader.operations.filter(isForClients)) {
      let answer = await caller.ask(operation, refusals.wellFormedIds(), { credential: busy.apiKey });
      // An instance reads the count only after some requests of its own.
      for (let asked = 1; answer.status !== 429 && asked < 500; asked += 1) {
        answer = await caller.ask(operation, refusals.wellFormedIds(), { credential: busy.apiKey });
      }
      refusals.expect(operation, answer, 429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await busy.stop();
  });

  test('400 for an invalid ID', async () => {
    const aboutOneThing = caller.reader.operations.filter(({ path }) =>
      /_id\}|\{(?:email|phone_number)\}/.test(lastParameter(path)),
    );
    for (const operation of aboutOneThing.filter(({ path }) => lastParameter(path) !== '{project_id}')) {
      refusals.expect(operation, await refusal(operation, {}), 400);
    }
  });

  test('400 for a path that is not UTF-8', async () => {
    const operation = caller.named('getDocsAsset');
    refusals.expect(operation, await caller.ask({ ...operation, path: '/docs/%ff' }, {}), 400);
  });

  test('404 for a missing item', async () => {
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
    // What a request adds to a project need not have existed before.
    const putting = ['setMember', 'saveDestination'];
    const finding = caller.reader.operations.filter(
      ({ path, operationId }) => path.includes('{') && !putting.includes(operationId),
    );
    for (const operation of finding) refusals.expect(operation, await refusal(operation, unknown), 404);
    for (const operation of putting.map((id) => caller.named(id))) {
      refusals.expect(
        operation,
        await caller.ask(operation, unknown, { body: caller.bodyOf(operation, unknown) }),
        404,
      );
    }
    const ordering = caller.named('createTask');
    const ofNobody = { ...unknown, project_id: caller.client.projectId };
    refusals.expect(
      ordering,
      await caller.ask(ordering, ofNobody, { body: caller.bodyOf(ordering, ofNobody) }),
      404,
    );
  });

  test('and every reproducible refusal is covered', () => {
    refusals.expectComplete((status) => status !== 409);
  });
});

function lastParameter(path: string): string {
  return path.match(/\{\w+\}/g)?.at(-1) ?? '';
}
