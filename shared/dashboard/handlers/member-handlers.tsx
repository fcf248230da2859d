import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { readAuditLog } from '#shared/admin/audit-log.ts';
import { readMembers, removeMember, setMember } from '#shared/admin/members.ts';
import { EmailAddress, Role } from '#shared/domain/person.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, type FormProblems, formStatus, textOf } from '../forms/form-values.ts';
import { afterwards } from '../layout/notices.tsx';
import { AuditLogPage, auditKinds } from '../pages/audit-log-page.tsx';
import { type MemberForm, MembersPage } from '../pages/members-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  callerOf,
  type DashboardContext,
  nextAddress,
  parameterOf,
  positionOf,
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

/** Who may enter a project, and what they did there. */
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
      setMember(table, callerOf(context, services), projectId, member),
    );
    return saved.done
      ? context.redirect(afterwards(links.members(projectId), 'member-saved'), 303)
      : show(context, { values, errors: saved.errors });
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

  app.get('/projects/:project_id/audit-log', async (context) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const kind = auditKinds.find((one) => one === context.req.query('kind')) ?? null;
    const page = await readAuditLog(
      table,
      callerOf(context, services),
      project.id,
      // More than a screen of them: looks at the same thing are shown as one line.
      { ...positionOf(context), limit: 100 },
    );
    return context.html(
      <AuditLogPage
        view={view}
        entries={page.entries}
        kind={kind}
        next={nextAddress(links.auditLog(project.id), page.next_cursor, { kind })}
      />,
    );
  });
}
