import { describe, expect, test } from 'vitest';
import { commandAuditItem } from '#shared/admin/audit.ts';
import { type GrantServices, grantLive, withdrawLive } from '#shared/admin/live-grant.ts';
import { changeProject } from '#shared/admin/projects.ts';
import { isUsableApiKey } from '#shared/domain/api-key.ts';
import type { Project } from '#shared/domain/project.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { readAllApiKeys } from '#shared/table/api-key.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { startCarrierServer } from '../../support/carrier-server.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { respondJson } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { newTaskIn } from '../../support/new-task.ts';
import { projectServices } from '../../support/project-services.ts';

type Patch = Parameters<typeof changeProject>[3];

const ours = '+12025550150';
const owner = { subject: 'owner', email: 'owner@clinic.example.com', name: null };

const [embedded, carrier] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startCarrierServer(() => new Date())),
]);
carrier.ownNumbers.push(ours);
const { table } = embedded;
const services: GrantServices = {
  table,
  carrier: carrier.client,
  audit: (id, deed, now) => commandAuditItem(table, id, deed, now),
};

async function newProject(): Promise<Project> {
  const { project } = await createProject(projectServices(embedded.table), {
    name: 'Example Clinic',
    carrier: 'sandbox',
    webhook: null,
    maxConcurrentCalls: 50,
    members: [{ email: owner.email, role: 'owner' }],
  });
  return project;
}

async function stored({ id }: Pick<Project, 'id'>): Promise<Project> {
  const project = await getProject(embedded.table, id, { consistently: true });
  if (project === null) throw new Error('the project is gone');
  return project;
}

async function actions({ id }: Pick<Project, 'id'>): Promise<string[]> {
  const { items } = await listAuditEntries(embedded.table, id, { limit: 20, before: null });
  return items.map(({ action }) => action);
}

function change({ id }: Pick<Project, 'id'>, patch: Patch): Promise<Project> {
  return changeProject(embedded.table, { person: owner, requestId: 'request' }, id, patch);
}

describe("34: an operator's grant", () => {
  test('makes a sandbox project live within the limits of live projects', async () => {
    const before = await newProject();
    const live = await grantLive(services, before.id, { caller_number: ours });
    expect(await stored(before)).toEqual(live);
    expect(live).toMatchObject({
      carrier: 'live',
      caller_number: ours,
      calling_hours: { opens: '08:00', closes: '21:00' },
      max_concurrent_calls: 10,
      live_grant: { countries: ['US', 'CA'], calls_per_day: 500, minutes_per_day: 1000, withdrawn_at: null },
    });
    const { items } = await listAuditEntries(embedded.table, before.id, { limit: 1, before: null });
    expect(items).toMatchObject([
      {
        actor: { kind: 'command' },
        action: 'live.granted',
        before: { carrier: 'sandbox', live_grant: null },
        after: { carrier: 'live', live_grant: { caller_number: ours } },
      },
    ]);
  });

  test('revokes the sandbox API keys at the same moment', async () => {
    const { id } = await newProject();
    await grantLive(services, id, { caller_number: ours });
    const keys = await readAllApiKeys(embedded.table, id);
    expect(keys.map((key) => isUsableApiKey(key, Date.now()))).toEqual([false]);
  });

  test('leaves sandbox tasks behind, including the latest', async () => {
    const body = await newTaskIn(embedded.table);
    const task = await createTask(embedded.table, { projectId: body.project_id, newTask: body });
    const { live_grant } = await grantLive(services, body.project_id, { caller_number: ours });
    expect(task.created_at < (live_grant?.since ?? '')).toBe(true);
    await expect(
      createTask(embedded.table, { projectId: body.project_id, newTask: body }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    const later = new Date(Date.now() + 6_000);
    await createTask(embedded.table, { projectId: body.project_id, newTask: body, now: later });
  });

  test.each([
    ['that is not ours', '+12025550151'],
    ['that only begins like ours', ours.slice(0, -1)],
  ])('is refused with a caller number %s', async (_, caller_number) => {
    const project = await newProject();
    await expect(grantLive(services, project.id, { caller_number })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await stored(project)).toEqual(project);
  });

  test('is refused if the carrier does not answer or is missing', async () => {
    const project = await newProject();
    carrier.interfere = (_, response) => {
      respondJson(response, 500, {});
      return true;
    };
    const wishes = { caller_number: ours };
    await expect(grantLive(services, project.id, wishes)).rejects.toMatchObject({ code: 'conflict' });
    carrier.interfere = () => false;
    await expect(grantLive({ ...services, carrier: null }, project.id, wishes)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await stored(project)).toEqual(project);
  });

  test('can be changed without leaving tasks behind again', async () => {
    const { id } = await newProject();
    const first = await grantLive(services, id, { caller_number: ours, calls_per_day: 7 });
    const wishes = { caller_number: ours, countries: ['US', 'GB'], calls_per_day: undefined };
    const second = await grantLive(services, id, wishes);
    expect(second.live_grant).toMatchObject({
      since: first.live_grant?.since,
      calls_per_day: 7,
      countries: ['US', 'GB'],
    });
  });

  test('ends when withdrawn, and can be given again', async () => {
    const { id } = await newProject();
    const first = await grantLive(services, id, { caller_number: ours });
    expect((await withdrawLive(services, id)).live_grant?.withdrawn_at).not.toBeNull();
    const again = await grantLive(services, id, { caller_number: ours });
    expect(again.live_grant).toMatchObject({ since: first.live_grant?.since, withdrawn_at: null });
    expect((await actions({ id })).slice(0, 3)).toEqual(['live.granted', 'live.withdrawn', 'live.granted']);
  });

  test('is needed by live projects from before grants; their tasks stay', async () => {
    const project = await newProject();
    const old: Project = { ...project, carrier: 'live', updated_at: new Date().toISOString() };
    await writeTransaction(embedded.table, [replaceProjectItem(embedded.table, project, old)]);
    const { live_grant } = await grantLive(services, project.id, { caller_number: ours });
    expect(live_grant?.since).toBe(project.created_at);
    expect((await readAllApiKeys(embedded.table, project.id))[0]?.revoked_at).toBeNull();
  });
});

describe('34: the owner of a live project', () => {
  test.each([
    [{ calling_hours: { opens: '07:59' } }, 'invalid_request', 'within 08:00 and 21:00'],
    [{ calling_hours: { closes: '21:01' } }, 'invalid_request', 'within 08:00 and 21:00'],
    [{ max_concurrent_calls: 11 }, 'invalid_request', '10 concurrent calls at most'],
    [{ allowed_countries: ['US', 'JM'] }, 'invalid_request', 'may call only US, CA'],
    [{ redial_policy: { max_attempts: 11 } }, 'invalid_request', 'from 1 to 10'],
    [{ caller_number: '+12025550151' }, 'forbidden', 'is changed by an operator'],
    [{ carrier: 'sandbox' }, 'conflict', 'grants live calls'],
  ] as const)('cannot lift the bounds: %j', async (patch, code, detail) => {
    const project = await newProject();
    await grantLive(services, project.id, { caller_number: ours });
    await expect(change(project, structuredClone(patch) as Patch)).rejects.toMatchObject({
      code,
      detail: expect.stringContaining(detail),
    });
  });

  test('can stay below its limits', async () => {
    const project = await newProject();
    await grantLive(services, project.id, { caller_number: ours });
    const changed = await change(project, {
      calling_hours: { opens: '09:00', closes: '17:00' },
      max_concurrent_calls: 2,
      allowed_countries: ['ca'],
      carrier: 'live',
    });
    expect(changed).toMatchObject({
      calling_hours: { opens: '09:00', closes: '17:00' },
      max_concurrent_calls: 2,
      allowed_countries: ['CA'],
    });
  });
});
