import type { MemberResource } from '#shared/admin/members.ts';
import { may } from '#shared/domain/permissions.ts';
import type { Role } from '#shared/domain/person.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { Choices, fieldsOf, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { type FormPageProps, PermittedForm } from '../layout/permitted-form.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView, roleNames } from '../layout/project-page.tsx';

export interface MemberForm {
  readonly email: string;
  readonly role: string;
}

export interface MembersPageProps extends FormPageProps<MemberForm> {
  readonly members: readonly MemberResource[];
}

const roleHints: Readonly<Record<Role, string>> = {
  viewer: 'Sees everything except secrets.',
  staff: 'Adds patients, creates tasks and follows up. Sees only the general settings.',
  auditor: 'Sees the audit log and who saw a patient, but no patients or tasks.',
  manager: 'Does everything that staff can, and changes settings and webhooks, but not keys or members.',
  owner: 'Sees and changes everything.',
};
const roleChoices = (['viewer', 'staff', 'auditor', 'manager', 'owner'] as const).map((role) => ({
  value: role,
  label: roleNames[role],
  hint: roleHints[role],
}));

/** Project Settings > Members: members and invitations, with roles. */
export function MembersPage({ view, members, values, errors, done }: MembersPageProps) {
  const { role, sendsMail } = view;
  const field = fieldsOf(values, errors);
  return (
    <ProjectPage
      view={view}
      section="Members"
      intro="What members may do depends on their role. Members sign in with this email."
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>People</h2>
        <DataTable
          label="Members"
          columns={['Email', 'Role', 'Since', ...(may(role, 'members.change') ? [''] : [])]}
          rows={members.map((member) => [
            member.email,
            roleNames[member.role],
            <Since member={member} />,
            ...(may(role, 'members.change') ? [<MemberActions view={view} member={member} />] : []),
          ])}
        />
      </section>
      <PermittedForm
        view={view}
        needed="members.change"
        title="Add a member or change a role"
        action={view.links.members(view.project.id)}
        button="Save member"
      >
        {sendsMail ? (
          <p class="quiet">
            New members get an email with a link. They become members when they open it and sign in.
          </p>
        ) : null}
        <TextField {...field('email')} label="Email" type="email" required />
        <Choices kind="radio" {...field('role')} label="Role" choices={roleChoices} />
      </PermittedForm>
    </ProjectPage>
  );
}

function Since({ member: { created_at, invitation } }: { readonly member: MemberResource }) {
  if (invitation === null) return <Moment at={created_at} />;
  const { state, expires_at } = invitation;
  if (state === 'failed') return <span class="state bad">The invitation doesn’t work: send it again</span>;
  if (Date.parse(expires_at) <= Date.now())
    return <span class="state bad">The invitation has expired: send it again</span>;
  return state === 'sending' ? (
    <span class="state plain">The invitation is being sent</span>
  ) : (
    <>
      <span class="state plain">Invited</span> Expires <Moment at={expires_at} />
    </>
  );
}

function MemberActions({
  view,
  member: { email, role, invitation },
}: {
  readonly view: ProjectView;
  readonly member: MemberResource;
}) {
  const { links, project, sendsMail } = view;
  return (
    <div class="actions">
      {invitation !== null && sendsMail ? (
        <PostForm view={view} action={links.members(project.id)}>
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="role" value={role} />
          <button type="submit" class="small second">
            Resend<span class="unseen"> to {email}</span>
          </button>
        </PostForm>
      ) : null}
      <Confirm
        view={view}
        label={invitation === null ? 'Remove' : 'Revoke'}
        about={email}
        question={
          invitation === null ? `${email} will lose access.` : `The link sent to ${email} will stop working.`
        }
        action={links.members(project.id, '/remove')}
      >
        <input type="hidden" name="email" value={email} />
      </Confirm>
    </div>
  );
}
