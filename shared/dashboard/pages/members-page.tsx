import type { MemberResource } from '#shared/admin/members.ts';
import { may } from '#shared/domain/permissions.ts';
import type { Role } from '#shared/domain/person.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { Choices, fieldsOf, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { type FormPageProps, PermittedForm } from '../layout/permitted-form.tsx';
import { ProjectPage, roleNames } from '../layout/project-page.tsx';

export interface MemberForm {
  readonly email: string;
  readonly role: string;
}

export interface MembersPageProps extends FormPageProps<MemberForm> {
  readonly members: readonly MemberResource[];
}

const roleHints: Readonly<Record<Role, string>> = {
  viewer: 'Reads everything but secrets.',
  staff: 'Adds patients and creates tasks, and sees no settings but the general ones.',
  auditor: 'Reads the audit log and who saw a patient, and no patient or task.',
  manager: 'Works as staff do, and changes settings and webhooks, but neither keys nor members.',
  owner: 'Reads and changes everything.',
};
const roleChoices = (['viewer', 'staff', 'auditor', 'manager', 'owner'] as const).map((role) => ({
  value: role,
  label: roleNames[role],
  hint: roleHints[role],
}));

/** Project Settings > Members: who may enter the project, and as what. */
export function MembersPage({ view, members, values, errors, done }: MembersPageProps) {
  const { links, project, role } = view;
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
            <Moment at={member.created_at} />,
            ...(may(role, 'members.change')
              ? [
                  <Confirm
                    view={view}
                    label="Remove"
                    about={member.email}
                    question={`${member.email} will lose access.`}
                    action={links.members(project.id, '/remove')}
                  >
                    <input type="hidden" name="email" value={member.email} />
                  </Confirm>,
                ]
              : []),
          ])}
        />
      </section>
      <PermittedForm
        view={view}
        needed="members.change"
        title="Add a member or change a role"
        action={links.members(project.id)}
        button="Save member"
      >
        <TextField {...field('email')} label="Email" type="email" required />
        <Choices kind="radio" {...field('role')} label="Role" choices={roleChoices} />
      </PermittedForm>
    </ProjectPage>
  );
}
