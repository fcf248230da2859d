import { describe, expect, test } from 'vitest';
import { readMembers, removeMember, setMember } from '#shared/admin/members.ts';
import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller, Role } from '#shared/domain/person.ts';
import { listAuditLogLinked } from '#shared/http/admin-lists.ts';
import { readMemberEmail } from '#shared/http/admin-requests.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { getSession, putSession } from '#shared/table/session.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { refusal } from '../../support/refusal.ts';
import { sampleProject } from '../../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

const olive = 'olive@clinic.example.com';
const otto = 'otto@clinic.example.com';
const victor = 'victor@clinic.example.com';
const nora = 'nora@clinic.example.com';

const as = (email: string): AdminCaller => ({
  person: { subject: `subject of ${email}`, email, name: null },
  requestId: 'request-1',
});

/** A new project with these members. */
async function newProject(roles: Readonly<Record<string, Role>>) {
  const { table } = embedded;
  const project = sampleProject({ id: uuidv7() });
  const at = '2026-03-02T15:00:00.000Z';
  await writeTransaction(table, [
    putProject(table, project),
    ...Object.entries(roles).map(([email, role]) =>
      addMemberItem(table, { project_id: project.id, email, role, created_at: at, updated_at: at }),
    ),
  ]);
  return {
    table,
    id: project.id,
    roles: async () => {
      const { members } = await readMembers(table, as(olive), project.id);
      return Object.fromEntries(members.map(({ email, role }) => [email, role]));
    },
    auditLog: async (caller = olive, limit = 50, cursor: string | null = null) =>
      listAuditLogLinked({ table, publicBaseUrl: 'https://api.example.test' }, as(caller), project.id, {
        limit,
        cursor,
        openBudget: openResponseBudget,
      }),
  };
}

const lastOwner = new ServiceError(
  'conflict',
  'The project must keep an owner: make someone else an owner first',
);

describe('members of a project', () => {
  test('are added, changed and removed by an owner, and each change is audited', async () => {
    const { table, id, roles, auditLog } = await newProject({ [olive]: 'owner', [victor]: 'viewer' });
    expect(await setMember(table, as(olive), id, { email: nora, role: 'viewer' })).toMatchObject({
      email: nora,
      role: 'viewer',
    });
    await setMember(table, as(olive), id, { email: nora, role: 'owner' });
    await setMember(table, as(olive), id, { email: nora, role: 'owner' });
    await removeMember(table, as(nora), id, victor);
    expect(await roles()).toEqual({ [olive]: 'owner', [nora]: 'owner' });
    const { entries } = (await auditLog()).body;
    expect(
      entries.map(({ action, actor, target, before, after }) => [action, actor, target, before, after]),
    ).toEqual([
      [
        'member.removed',
        { kind: 'person', subject: `subject of ${nora}`, email: nora },
        { type: 'member', id: victor },
        { role: 'viewer' },
        null,
      ],
      [
        'member.changed',
        { kind: 'person', subject: `subject of ${olive}`, email: olive },
        { type: 'member', id: nora },
        { role: 'viewer' },
        { role: 'owner' },
      ],
      [
        'member.added',
        { kind: 'person', subject: `subject of ${olive}`, email: olive },
        { type: 'member', id: nora },
        null,
        { role: 'viewer' },
      ],
    ]);
  });

  test('are visible to a viewer, who cannot change them', async () => {
    const { table, id, roles, auditLog } = await newProject({ [olive]: 'owner', [victor]: 'viewer' });
    expect((await readMembers(table, as(victor), id)).members).toHaveLength(2);
    const forbidden = new ServiceError('forbidden', 'Only an owner of the project may do this');
    const self = { email: victor, role: 'owner' } as const;
    expect(await refusal(setMember(table, as(victor), id, self))).toEqual(forbidden);
    expect(await refusal(removeMember(table, as(victor), id, olive))).toEqual(forbidden);
    expect(await roles()).toEqual({ [olive]: 'owner', [victor]: 'viewer' });
    expect((await auditLog(victor)).body.entries).toEqual([]);
  });

  test('are invisible to nonmembers, who cannot tell the project from a missing one', async () => {
    const { table, id, auditLog } = await newProject({ [olive]: 'owner' });
    const notFound = new ServiceError('not_found', 'Project not found');
    const refused = await Promise.all(
      [
        readMembers(table, as(nora), id),
        setMember(table, as(nora), id, { email: nora, role: 'owner' }),
        removeMember(table, as(nora), id, olive),
        auditLog(nora),
        readMembers(table, as(olive), uuidv7()),
      ].map(refusal),
    );
    expect(refused).toEqual(refused.map(() => notFound));
  });

  test('cannot be removed from a project they are not in', async () => {
    const { table, id } = await newProject({ [olive]: 'owner' });
    expect(await refusal(removeMember(table, as(olive), id, nora))).toEqual(
      new ServiceError('not_found', 'Member not found'),
    );
  });

  test('are signed out on leaving their last project only: no owner signs people out of other projects', async () => {
    const nina = 'nina@clinic.example.com';
    const [first, second] = [
      await newProject({ [olive]: 'owner', [nina]: 'staff' }),
      await newProject({ [otto]: 'owner', [nina]: 'viewer' }),
    ];
    const { table } = embedded;
    const { person } = as(nina);
    const at = '2026-03-02T15:00:00.000Z';
    const session = { id: uuidv7(), person, started_at: at, seen_at: at, expires_at_seconds: 4e9 };
    await putSession(table, 'hash', session);
    await removeMember(table, as(olive), first.id, nina);
    expect(await getSession(table, 'hash')).toEqual(session);
    await removeMember(table, as(otto), second.id, nina);
    expect(await getSession(table, 'hash')).toBeNull();
  });

  test('always include an owner: the last one can neither leave nor become a viewer', async () => {
    const { table, id, roles } = await newProject({ [olive]: 'owner', [victor]: 'viewer' });
    expect(await refusal(removeMember(table, as(olive), id, olive))).toEqual(lastOwner);
    expect(await refusal(setMember(table, as(olive), id, { email: olive, role: 'viewer' }))).toEqual(
      lastOwner,
    );
    expect(await roles()).toEqual({ [olive]: 'owner', [victor]: 'viewer' });
    await setMember(table, as(olive), id, { email: victor, role: 'owner' });
    await removeMember(table, as(olive), id, olive);
    expect((await readMembers(table, as(victor), id)).members).toMatchObject([
      { email: victor, role: 'owner' },
    ]);
  });

  test.each(['each other', 'themselves'])(
    'always have an owner among them, also when two owners take out %s at the same moment',
    async (whom) => {
      for (let round = 0; round < 5; round += 1) {
        const { table, id } = await newProject({ [olive]: 'owner', [otto]: 'owner', [victor]: 'viewer' });
        const outcomes = await Promise.allSettled([
          removeMember(table, as(olive), id, whom === 'themselves' ? olive : otto),
          removeMember(table, as(otto), id, whom === 'themselves' ? otto : olive),
        ]);
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        const { members } = await readMembers(table, as(victor), id);
        expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
      }
    },
  );

  test('are named by an email address in the path, in any case', () => {
    expect(readMemberEmail({ pathParameters: { email: 'Nora@Clinic.example.com' } })).toBe(nora);
    for (const email of ['', 'nora', '@example.com', 'a b@example.com']) {
      expect(() => readMemberEmail({ pathParameters: { email } })).toThrow(
        invalidField('email', 'Invalid email address format'),
      );
    }
  });
});

describe('the audit log', () => {
  test('comes newest first in pages, also for viewers, and a cursor works only in its own project', async () => {
    const { table, id, auditLog } = await newProject({ [olive]: 'owner', [victor]: 'viewer' });
    const { auditLog: otherLog } = await newProject({ [olive]: 'owner' });
    for (const role of ['viewer', 'owner', 'viewer'] as const) {
      await setMember(table, as(olive), id, { email: nora, role });
    }
    const first = await auditLog(victor, 2);
    expect(first.body.entries.map(({ after }) => after)).toEqual([{ role: 'viewer' }, { role: 'owner' }]);
    expect(first.headers.Link).toContain(`/admin/projects/${id}/audit-log?limit=2&cursor=`);
    const second = await auditLog(victor, 2, first.body.next_cursor);
    expect(second.body.entries.map(({ after }) => after)).toEqual([{ role: 'viewer' }]);
    expect(second.body.next_cursor).toBeNull();
    expect(await refusal(otherLog(olive, 2, first.body.next_cursor))).toBeInstanceOf(ServiceError);
  });
});
