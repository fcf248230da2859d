import { randomInt } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { routes, type ServedRoute } from '../../../infra/routes.ts';
import {
  type ApiReply,
  createPatientIn,
  distinguishable,
  patientBody,
  send,
  taskBody,
} from '../../support/api-under-test.ts';
import type { ManagementApi, StaffedProject } from '../../support/management-api.ts';
import { sampleCall, sampleTask } from '../../support/sample-tasks.ts';
import { storedCallItems } from '../../support/stored-calls.ts';

type Ids = Readonly<Record<string, string>>;

const guarded = routes.filter(
  ({ authentication }) => authentication === 'api-key' || authentication === 'oidc',
);
const withIds = guarded.filter(({ path }) => path.includes('{'));
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const fill = (path: string, ids: Ids): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? `no ${name}`));

/** Bodies that would succeed in requests about things of one's own project. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /v1/task/{task_id}/cancel': {},
  'POST /v1/task/batch/{batch_id}/cancel': {},
  'PATCH /admin/projects/{project_id}': { name: 'Another name' },
  'PUT /admin/projects/{project_id}/members/{email}': { role: 'viewer' },
  'POST /admin/projects/{project_id}/patients': withoutProject(patientBody('')),
  'POST /admin/projects/{project_id}/patients/{patient_id}/export': {},
  'POST /admin/projects/{project_id}/tasks': withoutProject(taskBody('', uuidv7())),
  'POST /admin/projects/{project_id}/tasks/{task_id}/cancel': {},
  'PUT /admin/projects/{project_id}/live-grant': { caller_number: '+12025550150' },
  'PUT /admin/projects/{project_id}/destinations/{phone_number}': { name: 'Payer', kind: 'payer' },
  'POST /admin/projects/{project_id}/opt-outs': { phone_number: '+12025550163', reason: 'By letter.' },
  'POST /admin/projects/{project_id}/opt-outs/import': { csv: '+12025550163', reason: 'By letter.' },
  'POST /admin/projects/{project_id}/opt-outs/{phone_number}/confirm': { reason: 'They say so.' },
  'POST /admin/projects/{project_id}/opt-outs/{phone_number}/lift': { reason: 'They called back.' },
  'POST /admin/projects/{project_id}/api-keys': { name: 'Another key' },
  'POST /admin/projects/{project_id}/api-keys/{api_key_id}/revoke': {},
  'POST /admin/projects/{project_id}/api-keys/{api_key_id}/rotate': {},
  'POST /admin/projects/{project_id}/webhooks': { url: 'http://127.0.0.1:9/hooks' },
  'PATCH /v1/patient/{patient_id}': { first_name: 'Adah' },
  'PATCH /admin/projects/{project_id}/patients/{patient_id}': { first_name: 'Adah' },
  'PATCH /admin/projects/{project_id}/webhooks/{webhook_id}': { description: 'Another endpoint' },
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/secret/rotate': {},
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/test': {},
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/replay': { since: '2026-01-01T00:00:00.000Z' },
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/replay': {},
};

/**
 * New members and lines need not exist before: nothing looks up what these paths name.
 */
const namesWhatIsNew = [
  'PUT /admin/projects/{project_id}/members/{email}',
  'PUT /admin/projects/{project_id}/destinations/{phone_number}',
];

function withoutProject({ project_id: _, ...body }: Record<string, unknown>): Record<string, unknown> {
  return body;
}

/**
 * The things in a project that the IDs in a path name, one of each kind. Includes every parameter of the route
 * table.
 */
async function idsIn(api: ManagementApi, project: StaffedProject): Promise<Ids> {
  const base = `/admin/projects/${project.projectId}`;
  const made = async (method: string, path: string, body?: unknown): Promise<ApiReply['json']> => {
    const reply = await api.ask(method, `${base}${path}`, project.owner, body);
    if (reply.status >= 300) throw new Error(`${method} ${path} was answered ${reply.status} ${reply.text}`);
    return reply.json;
  };
  const task = sampleTask({ id: project.projectId });
  const call = sampleCall(task, {
    recording: { ...sampleCall(task).recording, status: 'stored', key: 'recordings/x.wav' },
  });
  await writeTransaction(api.table, [createTaskItem(api.table, task), ...storedCallItems(api.table, call)]);
  const webhook = await made('POST', '/webhooks', { url: 'http://127.0.0.1:9/hooks' });
  const delivery = await made('POST', `/webhooks/${webhook.id}/test`, {});
  const phoneNumber = `+1202556${String(randomInt(10_000)).padStart(4, '0')}`;
  await made('PUT', `/destinations/${encodeURIComponent(phoneNumber)}`, { name: 'Payer', kind: 'payer' });
  await made('POST', '/opt-outs', { phone_number: phoneNumber, reason: 'By letter.' });
  const erasure = await made('DELETE', `/patients/${await createPatientIn(api, project)}`);
  const { api_keys: keys } = await made('GET', '/api-keys');
  const { members } = await made('GET', '/members');
  const patientId = await createPatientIn(api, project);
  const batch = await send(api.baseUrl, {
    method: 'POST',
    path: '/v1/task/batch',
    apiKey: project.apiKey,
    body: { tasks: [taskBody(project.projectId, patientId)] },
  });
  return {
    project_id: project.projectId,
    patient_id: patientId,
    task_id: task.id,
    batch_id: batch.json.id,
    call_id: call.id,
    erasure_id: erasure.id,
    phone_number: phoneNumber,
    webhook_id: webhook.id,
    delivery_id: delivery.id,
    api_key_id: keys[0].id,
    email: members[0].email,
  };
}

/** IDs in the same format that nothing has. */
const unknownIds = (ids: Ids): Ids => ({
  ...Object.fromEntries(Object.keys(ids).map((name) => [name, uuidv7()])),
  delivery_id: `msg_${uuidv7().replaceAll('-', '')}`,
  phone_number: '+12025570100',
  email: 'nobody@nowhere.example.com',
});

/** Everything stored in a project, except the usage of its keys. */
async function everythingOf(api: ManagementApi, { projectId }: StaffedProject): Promise<unknown[]> {
  const { Items = [] } = await api.table.stored.send(
    new ScanCommand({ TableName: api.table.name, ConsistentRead: true }),
  );
  return Items.filter((item) => JSON.stringify(item).includes(projectId)).map(
    ({ last_used_at: _, ...item }) => item,
  );
}

/** To a stranger, another project's things do not exist, on any route of the route table. */
export function twoProjectsSuite(api: () => ManagementApi): void {
  describe('two projects', () => {
    let mine: StaffedProject;
    let other: StaffedProject;
    let own: Ids;
    let foreign: Ids;
    let untouched: unknown[];
    beforeAll(async () => {
      mine = await api().newProject();
      other = await api().newProject();
      own = await idsIn(api(), mine);
      foreign = await idsIn(api(), other);
      untouched = await everythingOf(api(), other);
    });

    const ask = ({ method, path, authentication }: ServedRoute, ids: Ids): Promise<ApiReply> =>
      send(api().baseUrl, {
        method,
        path: fill(path, ids),
        apiKey: authentication === 'oidc' ? mine.owner : mine.apiKey,
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: bodies[`${method} ${path}`] }),
      });

    test('have something of every kind that a path can name', () => {
      const names = new Set(withIds.flatMap(({ path }) => namesIn(path)));
      expect([...names].sort()).toEqual(Object.keys(foreign).sort());
      const needed = withIds.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
      expect(Object.keys(bodies).sort()).toEqual(
        needed.map(({ method, path }) => `${method} ${path}`).sort(),
      );
    });

    test.each(withIds)(
      '$method $path answers byte for byte as if what is of another project did not exist',
      async (route) => {
        const unknown = unknownIds(foreign);
        const variants: [Ids, Ids][] = [[foreign, unknown]];
        const name = `${route.method} ${route.path}`;
        if (
          route.authentication === 'oidc' &&
          namesIn(route.path).length > 1 &&
          !namesWhatIsNew.includes(name)
        ) {
          // In one's own project: all IDs but the project's, and then only the last one.
          const last = namesIn(route.path).at(-1) ?? '';
          variants.push(
            [
              { ...foreign, project_id: mine.projectId },
              { ...unknown, project_id: mine.projectId },
            ],
            [
              { ...own, [last]: foreign[last] ?? '' },
              { ...own, [last]: unknown[last] ?? '' },
            ],
          );
        }
        for (const [theirs, nobodys] of variants) {
          const [there, nowhere] = [await ask(route, theirs), await ask(route, nobodys)];
          expect(distinguishable(there)).toEqual(distinguishable(nowhere));
          expect([there.status, there.json.detail]).toEqual([404, expect.stringMatching(/ not found$/)]);
        }
        expect(await everythingOf(api(), other)).toEqual(untouched);
      },
    );

    test('have patients of their own only, whoever a task is to be made for', async () => {
      const { baseUrl } = api();
      const order = (path: string, apiKey: string, patientId: string): Promise<ApiReply> =>
        send(baseUrl, { method: 'POST', path, apiKey, body: taskBody(mine.projectId, patientId) });
      for (const [path, key] of [
        ['/v1/task', mine.apiKey],
        [`/admin/projects/${mine.projectId}/tasks`, mine.owner],
      ] as const) {
        const theirs = await order(path, key, foreign.patient_id ?? '');
        expect(theirs.status).toBe(404);
        expect(distinguishable(theirs)).toEqual(distinguishable(await order(path, key, uuidv7())));
        const listed = await send(baseUrl, {
          method: 'GET',
          path: `${path}?patient_id=${foreign.patient_id}`,
          apiKey: key,
        });
        expect([listed.status, listed.json.tasks]).toEqual([200, []]);
      }
    });

    test('keep what they answered by an idempotency key from those who are not in them', async () => {
      const path = `/admin/projects/${other.projectId}/patients`;
      const headers = { 'Idempotency-Key': 'one' };
      const body = withoutProject(patientBody(''));
      const register = (apiKey: string, at = path): Promise<ApiReply> =>
        send(api().baseUrl, { method: 'POST', path: at, apiKey, headers, body });
      expect((await register(other.owner)).status).toBe(201);
      const stranger = await register(mine.owner);
      expect(stranger.status).toBe(404);
      expect(distinguishable(stranger)).toEqual(
        distinguishable(await register(mine.owner, `/admin/projects/${uuidv7()}/patients`)),
      );
    });
  });
}
