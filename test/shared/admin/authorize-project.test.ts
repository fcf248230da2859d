import { describe, expect, test } from 'vitest';
import { auditItem, auditView } from '#shared/admin/audit.ts';
import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { type AdminCaller, EmailAddress, type Member, type Role } from '#shared/domain/person.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import {
  addMemberItem,
  checkMemberItem,
  getMember,
  listMembers,
  listMemberships,
  removeMemberItem,
  replaceMemberItem,
} from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { refusal } from '../../support/refusal.ts';
import { sampleProject } from '../../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

const callerOf = (email: string): AdminCaller => ({
  person: { subject: `subject of ${email}`, email, name: null },
  requestId: 'request-1',
});

const memberOf = (projectId: string, email: string, role: Role): Member => ({
  project_id: projectId,
  email,
  role,
  created_at: '2026-03-02T15:00:00.000Z',
  updated_at: '2026-03-02T15:00:00.000Z',
});

/** A new project with an owner and a viewer. */
async function newProject() {
  const { table } = embedded;
  const project = sampleProject({ id: uuidv7() });
  const owner = memberOf(project.id, `owner.${project.id}@clinic.example.com`, 'owner');
  const viewer = memberOf(project.id, `viewer.${project.id}@clinic.example.com`, 'viewer');
  await writeTransaction(table, [
    putProject(table, project),
    addMemberItem(table, owner),
    addMemberItem(table, viewer),
  ]);
  return { table, project, owner, viewer };
}

describe('entering a project', () => {
  test('an owner may do everything, a viewer may read', async () => {
    const { table, project, owner, viewer } = await newProject();
    expect(await authorizeProject(table, callerOf(owner.email), project.id, 'members.change')).toMatchObject({
      project: { id: project.id },
      role: 'owner',
    });
    expect(
      await authorizeProject(table, callerOf(viewer.email), project.id.toUpperCase(), 'patients.read'),
    ).toMatchObject({ role: 'viewer' });
    expect(
      await refusal(authorizeProject(table, callerOf(viewer.email), project.id, 'settings.change')),
    ).toEqual(new ServiceError('forbidden', 'Only an owner or a manager of the project may do this'));
  });

  test('a nonmember cannot tell a project from a missing one', async () => {
    const { table, project } = await newProject();
    const { owner: stranger } = await newProject();
    const answers = await Promise.all(
      [project.id, uuidv7(), 'no UUID', '', '#'].map((id) =>
        refusal(authorizeProject(table, callerOf(stranger.email), id, 'project.read')),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual(new ServiceError('not_found', 'Project not found'));
  });

  test('a removed member loses access at once', async () => {
    const { table, project, viewer } = await newProject();
    await writeTransaction(table, [removeMemberItem(table, viewer)]);
    expect(
      await refusal(authorizeProject(table, callerOf(viewer.email), project.id, 'project.read')),
    ).toBeInstanceOf(ServiceError);
    expect(await getMember(table, project.id, viewer.email)).toBeNull();
  });
});

describe('members', () => {
  test('are listed by project and by person', async () => {
    const { table, project, owner, viewer } = await newProject();
    expect(await listMembers(table, project.id)).toEqual([owner, viewer]);
    expect(await listMemberships(table, owner.email)).toEqual([owner]);
  });

  test('change only if they are as read', async () => {
    const { table, owner, viewer } = await newProject();
    const promoted: Member = { ...viewer, role: 'owner' };
    await writeTransaction(table, [
      replaceMemberItem(table, viewer, promoted),
      checkMemberItem(table, owner),
    ]);
    for (const stale of [
      replaceMemberItem(table, viewer, promoted),
      removeMemberItem(table, viewer),
      checkMemberItem(table, viewer),
      addMemberItem(table, owner),
    ]) {
      await expect(writeTransaction(table, [stale])).rejects.toBeInstanceOf(TransactionConditionFailed);
    }
  });

  test('are known by their lower-case address, whatever the provider sends', () => {
    expect(EmailAddress.parse('Olive.Owner@Clinic.example.com')).toBe('olive.owner@clinic.example.com');
    for (const text of [
      '',
      'olive',
      'olive@',
      '@clinic.test',
      'a b@clinic.test',
      'a#b@clinic.test',
      'a@b@c.test',
      'mi\u212ae@clinic.test',
    ]) {
      expect(EmailAddress.safeParse(text).success, text).toBe(false);
    }
  });
});

describe('the audit log', () => {
  test('shows who did what, when and by which request, newest first, in pages', async () => {
    const { table, project, owner } = await newProject();
    const access = await authorizeProject(table, callerOf(owner.email), project.id, 'members.change');
    const at = new Date('2026-03-02T16:00:00.000Z');
    const later = new Date('2026-03-02T16:00:01.000Z');
    await writeTransaction(table, [
      auditItem(
        table,
        access,
        {
          action: 'project.changed',
          target: { type: 'project', id: project.id },
          before: { name: 'A' },
          after: { name: 'B' },
        },
        at,
      ),
    ]);
    await auditView(table, access, { action: 'patient.viewed', target: { type: 'patient', id: 'p' } }, later);
    const first = await listAuditEntries(table, project.id, { limit: 1, before: null });
    const second = await listAuditEntries(table, project.id, { limit: 5, before: first.next });
    const { subject, email } = access.caller.person;
    expect([...first.items, ...second.items]).toMatchObject([
      {
        action: 'patient.viewed',
        at: later.toISOString(),
        actor: { kind: 'person', subject, email },
        before: null,
        after: null,
      },
      { action: 'project.changed', before: { name: 'A' }, after: { name: 'B' }, request_id: 'request-1' },
    ]);
    expect(second.next).toBeNull();
  });

  test('of one project contains nothing of another', async () => {
    const { table, project } = await newProject();
    expect(await listAuditEntries(table, project.id, { limit: 5, before: null })).toEqual({
      items: [],
      next: null,
    });
  });
});
