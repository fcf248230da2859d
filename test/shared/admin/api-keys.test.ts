import { describe, expect, test } from 'vitest';
import { createApiKey, readApiKeys, revokeApiKey, rotateApiKey } from '#shared/admin/api-keys.ts';
import { hashApiKey } from '#shared/api-keys/key-format.ts';
import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller, Role } from '#shared/domain/person.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { refusal } from '../../support/refusal.ts';
import { sampleProject } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';

const embedded = await forThisFile(startEmbeddedTable());

const now = new Date('2026-03-02T15:00:00.000Z');
const inDays = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString();
const firstPage = { limit: 50, cursor: null, openBudget: openResponseBudget };
const hidden = { limit: 50, before: null };

const callerOf = (email: string): AdminCaller => ({
  person: { subject: `subject of ${email}`, email, name: null },
  requestId: 'request-1',
});

/** A new project with an owner and a viewer. */
async function newProject(table: Table = embedded.table) {
  const project = sampleProject({ id: uuidv7() });
  const [owner, viewer] = ['owner', 'viewer'].map((name) => callerOf(`${name}.${project.id}@example.com`));
  if (owner === undefined || viewer === undefined) throw new Error('there are two people');
  const member = ({ person }: AdminCaller, role: Role) =>
    addMemberItem(table, {
      project_id: project.id,
      email: person.email,
      role,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    });
  await writeTransaction(table, [
    putProject(table, project),
    member(owner, 'owner'),
    member(viewer, 'viewer'),
  ]);
  const list = async (caller: AdminCaller = owner) =>
    (await readApiKeys(table, caller, project.id, firstPage)).api_keys;
  const audit = async () => (await listAuditEntries(table, project.id, hidden)).items;
  return { table, projectId: project.id, owner, viewer, list, audit };
}

function isTaken(table: Table, key: string, at: Date): Promise<boolean> {
  return apiKeyAuthentication(table, () => at.getTime())({
    headers: { authorization: `Bearer ${key}` },
  }).then(
    () => true,
    () => false,
  );
}

describe('an API key', () => {
  test('works once created, only for its project', async () => {
    const { table, projectId, owner } = await newProject();
    const { key } = await createApiKey(table, owner, projectId, { name: 'Scheduler' }, now);
    const authenticate = apiKeyAuthentication(table);
    expect(await authenticate({ headers: { authorization: `Bearer ${key}` } })).toMatchObject({ projectId });
  });

  test('is never in the table after creation, rotation and use: only its SHA-256', async () => {
    const table = await embedded.newTable();
    const { projectId, owner } = await newProject(table);
    const created = await createApiKey(table, owner, projectId, { name: 'Scheduler' }, now);
    const rotated = await rotateApiKey(table, owner, { projectId, apiKeyId: created.id }, {}, now);
    const keys = [created.key, rotated.key];
    for (const key of keys) expect(await isTaken(table, key, now)).toBe(true);
    const dump = JSON.stringify(await scanTable(table));
    for (const key of keys) {
      expect(dump).toContain(hashApiKey(key));
      // Lists show the first thirteen characters; of the others, not even a few consecutive ones are stored.
      for (let start = 13; start + 8 <= key.length; start += 1) {
        expect(dump).not.toContain(key.slice(start, start + 8));
      }
    }
  });

  test('is listed by its prefix, newest first, to viewers too', async () => {
    const { table, projectId, owner, viewer, list } = await newProject();
    const first = await createApiKey(table, owner, projectId, { name: 'First' }, now);
    const second = await createApiKey(
      table,
      owner,
      projectId,
      { name: 'Second', expires_at: '2026-04-01T02:00:00+02:00' },
      new Date(now.getTime() + 1000),
    );
    expect(await list(viewer)).toEqual([
      {
        id: second.id,
        name: 'Second',
        prefix: second.key.slice(0, 13),
        created_at: '2026-03-02T15:00:01.000Z',
        created_by: owner.person.email,
        expires_at: '2026-04-01T00:00:00.000Z',
        revoked_at: null,
        replaced_by: null,
        scopes: null,
        allowed_addresses: null,
        last_used_at: null,
      },
      expect.objectContaining({ id: first.id, name: 'First', expires_at: null }),
    ]);
  });

  test('keeps its scopes and addresses on rotation, which the audit log shows', async () => {
    const { table, projectId, owner, audit } = await newProject();
    const limits = { scopes: ['tasks:read' as const], allowed_addresses: ['198.51.100.0/24'] };
    const { id } = await createApiKey(table, owner, projectId, { name: 'Limited', ...limits }, now);
    expect(await rotateApiKey(table, owner, { projectId, apiKeyId: id }, {}, now)).toMatchObject(limits);
    const created = (await audit()).find(({ action }) => action === 'api-key.created');
    expect(created?.after).toMatchObject(limits);
  });

  test('cannot be created with a past expiration', async () => {
    const { table, projectId, owner, audit } = await newProject();
    const wish = { name: 'Late', expires_at: now.toISOString() };
    expect(await refusal(createApiKey(table, owner, projectId, wish, now))).toEqual(
      invalidField('expires_at', 'expires_at must be in the future'),
    );
    expect(await audit()).toEqual([]);
  });

  test('expires on time', async () => {
    const { table, projectId, owner } = await newProject();
    const wish = { name: 'Short', expires_at: inDays(1) };
    const { key } = await createApiKey(table, owner, projectId, wish, now);
    expect(await isTaken(table, key, new Date(Date.parse(inDays(1)) - 1))).toBe(true);
    expect(await isTaken(table, key, new Date(inDays(1)))).toBe(false);
  });
});

describe('revoking an API key', () => {
  test('is final and idempotent, with any number of concurrent requests', async () => {
    const { table, projectId, owner, audit } = await newProject();
    const { id, key } = await createApiKey(table, owner, projectId, { name: 'Leaked' }, now);
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    const answers = await Promise.all(
      [1, 2, 3].map((seconds) => revokeApiKey(table, owner, { projectId, apiKeyId: id }, at(seconds))),
    );
    const again = await revokeApiKey(table, owner, { projectId, apiKeyId: id }, at(60));
    expect(new Set([...answers, again].map(({ revoked_at }) => revoked_at)).size).toBe(1);
    expect(again.revoked_at).not.toBeNull();
    expect(await isTaken(table, key, at(4))).toBe(false);
    expect((await audit()).filter(({ action }) => action === 'api-key.revoked')).toHaveLength(1);
  });
});

describe('rotating an API key', () => {
  test('creates one with the same name, and the old one works for another day', async () => {
    const { table, projectId, owner, list } = await newProject();
    const old = await createApiKey(table, owner, projectId, { name: 'Scheduler' }, now);
    const rotated = await rotateApiKey(table, owner, { projectId, apiKeyId: old.id }, {}, now);
    expect(rotated).toMatchObject({ name: 'Scheduler', expires_at: null });
    expect(rotated.replaced).toMatchObject({ id: old.id, expires_at: inDays(1) });
    expect((await list()).map(({ id }) => id).sort()).toEqual([old.id, rotated.id].sort());
    const lastMoment = new Date(Date.parse(inDays(1)) - 1);
    for (const key of [old.key, rotated.key]) expect(await isTaken(table, key, lastMoment)).toBe(true);
    expect(await isTaken(table, old.key, new Date(inDays(1)))).toBe(false);
    expect(await isTaken(table, rotated.key, new Date(inDays(1)))).toBe(true);
  });

  test.each([
    { expires_at: undefined, overlap_hours: 0, end: inDays(0) },
    { expires_at: undefined, overlap_hours: 168, end: inDays(7) },
    { expires_at: inDays(2), overlap_hours: 168, end: inDays(2) },
    { expires_at: inDays(30), overlap_hours: 48, end: inDays(2) },
  ])(
    'with $overlap_hours h of overlap ends one that expires $expires_at at $end',
    async ({ expires_at, overlap_hours, end }) => {
      const { table, projectId, owner } = await newProject();
      const wish = { name: 'Scheduler', ...(expires_at === undefined ? {} : { expires_at }) };
      const { id } = await createApiKey(table, owner, projectId, wish, now);
      const { replaced } = await rotateApiKey(
        table,
        owner,
        { projectId, apiKeyId: id },
        { overlap_hours },
        now,
      );
      expect(replaced.expires_at).toBe(end);
    },
  );

  test('is refused for an inactive key', async () => {
    const { table, projectId, owner } = await newProject();
    const revoked = await createApiKey(table, owner, projectId, { name: 'Leaked' }, now);
    await revokeApiKey(table, owner, { projectId, apiKeyId: revoked.id }, now);
    const expired = await createApiKey(table, owner, projectId, { name: 'Old', expires_at: inDays(1) }, now);
    for (const { id } of [revoked, expired]) {
      const rotation = rotateApiKey(table, owner, { projectId, apiKeyId: id }, {}, new Date(inDays(2)));
      expect(await refusal(rotation)).toMatchObject({ code: 'conflict' });
    }
  });

  test.each([
    { rotation: {}, end: inDays(30) },
    { rotation: { expires_at: inDays(90) }, end: inDays(90) },
  ])('that expires in 30 days by $rotation creates one that expires at $end', async ({ rotation, end }) => {
    const { table, projectId, owner } = await newProject();
    const wish = { name: 'Trial', expires_at: inDays(30) };
    const { id } = await createApiKey(table, owner, projectId, wish, now);
    const rotated = await rotateApiKey(table, owner, { projectId, apiKeyId: id }, rotation, now);
    expect(rotated.expires_at).toBe(end);
    expect(await isTaken(table, rotated.key, new Date(Date.parse(end) - 1))).toBe(true);
    expect(await isTaken(table, rotated.key, new Date(end))).toBe(false);
  });

  test('is refused for a rotated key, which no longer has its original expiration', async () => {
    const { table, projectId, owner, list } = await newProject();
    const { id } = await createApiKey(table, owner, projectId, { name: 'Scheduler' }, now);
    const rotated = await rotateApiKey(table, owner, { projectId, apiKeyId: id }, {}, now);
    expect(rotated).toMatchObject({ replaced_by: null, replaced: { id, replaced_by: rotated.id } });
    expect(await refusal(rotateApiKey(table, owner, { projectId, apiKeyId: id }, {}, now))).toEqual(
      new ServiceError('conflict', 'The API key has been replaced: rotate its replacement'),
    );
    expect(await list()).toHaveLength(2);
  });

  test.each([
    { what: 'never expires', expires_at: undefined },
    { what: 'expires before the overlap is over', expires_at: inDays(0.01) },
  ])('that $what, with concurrent requests, creates one key', async ({ expires_at }) => {
    const { table, projectId, owner, list } = await newProject();
    const wish = { name: 'Scheduler', ...(expires_at === undefined ? {} : { expires_at }) };
    const { id } = await createApiKey(table, owner, projectId, wish, now);
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((overlap_hours) =>
        rotateApiKey(table, owner, { projectId, apiKeyId: id }, { overlap_hours }, now),
      ),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(3);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'conflict' });
    expect(await list()).toHaveLength(2);
  });
});

describe('access to API keys', () => {
  const changes = (table: Table, caller: AdminCaller, projectId: string, id: string) => [
    () => createApiKey(table, caller, projectId, { name: 'x' }, now),
    () => revokeApiKey(table, caller, { projectId, apiKeyId: id }, now),
    () => rotateApiKey(table, caller, { projectId, apiKeyId: id }, {}, now),
  ];

  test('a viewer may not change anything', async () => {
    const { table, projectId, owner, viewer, list } = await newProject();
    const { id } = await createApiKey(table, owner, projectId, { name: 'Scheduler' }, now);
    const before = await list();
    for (const change of changes(table, viewer, projectId, id)) {
      expect(await refusal(change())).toMatchObject({ code: 'forbidden' });
    }
    expect(await list()).toEqual(before);
  });

  test('strangers find no project, and owners no key of another project', async () => {
    const { table, projectId, owner } = await newProject();
    const { id } = await createApiKey(table, owner, projectId, { name: 'Scheduler' }, now);
    const other = await newProject();
    const list = refusal(readApiKeys(table, other.owner, projectId, firstPage));
    expect(await list).toEqual(new ServiceError('not_found', 'Project not found'));
    for (const change of changes(table, other.owner, projectId, id)) {
      expect(await refusal(change())).toEqual(new ServiceError('not_found', 'Project not found'));
    }
    for (const apiKeyId of [id, uuidv7()]) {
      const [, revoke, rotate] = changes(table, other.owner, other.projectId, apiKeyId);
      for (const change of [revoke, rotate]) {
        expect(await refusal(Promise.resolve(change?.()))).toEqual(
          new ServiceError('not_found', 'API key not found'),
        );
      }
    }
  });

  test('every change is audited without the key', async () => {
    const { table, projectId, owner, audit } = await newProject();
    const created = await createApiKey(table, owner, projectId, { name: 'Scheduler' }, now);
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    const rotated = await rotateApiKey(
      table,
      owner,
      { projectId, apiKeyId: created.id },
      { overlap_hours: 1 },
      at(1),
    );
    await revokeApiKey(table, owner, { projectId, apiKeyId: created.id }, at(2));
    const entries = await audit();
    const target = { type: 'api-key', id: created.id };
    expect(entries).toMatchObject([
      { action: 'api-key.revoked', target, before: { revoked_at: null } },
      {
        action: 'api-key.rotated',
        target,
        before: { expires_at: null },
        after: { expires_at: at(3601).toISOString(), replaced_by: rotated.id },
      },
      { action: 'api-key.created', target, before: null, after: { name: 'Scheduler', expires_at: null } },
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor: { email: owner.person.email }, request_id: 'request-1' });
    }
    for (const key of [created.key, rotated.key]) {
      expect(JSON.stringify(entries)).not.toContain(key.slice(13, 25));
      expect(JSON.stringify(entries)).not.toContain(hashApiKey(key));
    }
  });
});
