import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { readKeyNames } from '#shared/admin/api-keys.ts';
import { type AuditLog, readAuditLog } from '#shared/admin/audit-log.ts';
import { acceptInvitation, readInvitation } from '#shared/admin/invitations.ts';
import { addMember, readMembers, removeMember } from '#shared/admin/members.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { EmailAddress, Role } from '#shared/domain/person.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, type FormProblems, formStatus, textOf } from '../forms/form-values.ts';
import { afterwards } from '../layout/notices.tsx';
import { type AuditKind, AuditLogPage, auditKindOf, auditKinds } from '../pages/audit-log-page.tsx';
import { JoinPage, NotInvitedPage } from '../pages/join-page.tsx';
import { type MemberForm, MembersPage } from '../pages/members-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  callerOf,
  type DashboardContext,
  nextAddress,
  parameterOf,
  positionOf,
  viewOf,
} from './request-context.ts';
import { submitForm } from './submit-form.ts';

const emptyForm: MemberForm = { email: '', role: 'viewer' };
const NewMember = z.object({ email: EmailAddress, role: Role });
const problems: FormProblems = {
  sentences: {
    email: 'Enter an email address, such as name@clinic.example.com',
    role: 'Choose a role',
  },
  refusedAt: 'role',
};

/** The members of a project, and their audit log. */
export function addMemberPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  const show = async (
    context: DashboardContext,
    { values = emptyForm, errors = {} }: { values?: MemberForm; errors?: FieldErrors } = {},
  ) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const { members } = await readMembers(table, callerOf(context, services), project.id);
    return context.html(
      <MembersPage
        view={view}
        members={members}
        values={values}
        errors={errors}
        done={context.req.query('done')}
      />,
      formStatus(errors),
    );
  };

  app.get('/projects/:project_id/members', (context) => show(context));

  app.post('/projects/:project_id/members', async (context) => {
    const form = await context.req.formData();
    const values = { email: textOf(form, 'email'), role: textOf(form, 'role') };
    const projectId = parameterOf(context, 'project_id');
    const saved = await submitForm(NewMember, values, problems, (member) =>
      addMember(services, callerOf(context, services), projectId, member),
    );
    if (!saved.done) return show(context, { values, errors: saved.errors });
    const done = saved.result.invitation === null ? 'member-saved' : 'member-invited';
    return context.redirect(afterwards(links.members(projectId), done), 303);
  });

  app.post('/projects/:project_id/members/remove', async (context) => {
    const projectId = parameterOf(context, 'project_id');
    const caller = callerOf(context, services);
    const email = textOf(await context.req.formData(), 'email');
    const removed = await attempt(() => removeMember(table, caller, projectId, email));
    if (!removed.done) return show(context, { errors: removed.errors });
    // A former member can no longer see the members.
    const next = email === caller.person.email ? links.home : links.members(projectId);
    return context.redirect(afterwards(next, 'member-removed'), 303);
  });

  /** Null if the link leads nowhere, or to another person's invitation. */
  const orNotInvited = async <Result,>(work: Promise<Result>): Promise<Result | null> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return null;
      throw error;
    }
  };

  // Opening the link changes nothing, because email scanners open links, too.
  app.get('/projects/:project_id/join/:token', async (context) => {
    const { caller, projectId, token } = invitationIn(context);
    const view = viewOf(context, services);
    const open = await orNotInvited(readInvitation(table, caller, projectId, token));
    return open === null
      ? context.html(<NotInvitedPage view={view} />, 404)
      : context.html(<JoinPage view={view} token={token} {...open} />);
  });

  app.post('/projects/:project_id/join/:token', async (context) => {
    const { caller, projectId, token } = invitationIn(context);
    const project = await orNotInvited(acceptInvitation(table, caller, projectId, token));
    return project === null
      ? context.html(<NotInvitedPage view={viewOf(context, services)} />, 404)
      : context.redirect(afterwards(links.general(project.id), 'joined'), 303);
  });

  const invitationIn = (context: DashboardContext) => ({
    caller: callerOf(context, services),
    projectId: parameterOf(context, 'project_id'),
    token: parameterOf(context, 'token'),
  });

  app.get('/projects/:project_id/audit-log', async (context) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const kind = auditKinds.find((one) => one === context.req.query('kind')) ?? null;
    const { entries, next } = await auditEntriesOf(kind, positionOf(context), (position) =>
      readAuditLog(table, callerOf(context, services), project.id, position),
    );
    return context.html(
      <AuditLogPage
        view={view}
        entries={entries}
        keyNames={await readKeyNames(table, project.id, entries)}
        kind={kind}
        next={nextAddress(links.auditLog(project.id), next, { kind })}
      />,
    );
  });
}

const auditEntriesAtOnce = 100;
/** How many entries to search for a page, because a kind may be rare. */
const auditReadsAtMost = 10;

/** A page of entries of a kind, and where the next one begins. */
async function auditEntriesOf(
  kind: AuditKind | null,
  position: ListPosition,
  read: (position: ListPosition) => Promise<AuditLog>,
): Promise<{ readonly entries: AuditLog['entries']; readonly next: string | null }> {
  const entries: AuditLog['entries'] = [];
  let { cursor } = position;
  for (let reads = 0; reads < auditReadsAtMost; reads += 1) {
    const page = await read({ ...position, cursor, limit: auditEntriesAtOnce });
    entries.push(...page.entries.filter((entry) => kind === null || auditKindOf(entry) === kind));
    cursor = page.next_cursor;
    if (cursor === null || entries.length >= auditEntriesAtOnce / 4) break;
  }
  return { entries, next: cursor };
}
