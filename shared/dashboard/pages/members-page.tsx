import type { MemberResource } from '#shared/admin/members.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { Choices, fieldsOf, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { type FormPageProps, OwnersForm } from '../layout/owners-form.tsx';
import { ProjectPage, roleNames } from '../layout/project-page.tsx';

export interface MemberForm {
  readonly email: string;
  readonly role: string;
}

export interface MembersPageProps extends FormPageProps<MemberForm> {
  readonly members: readonly MemberResource[];
}

/** Project Settings > Members: who may enter the project, and as what. */
export function MembersPage({ view, members, values, errors, done }: MembersPageProps) {
  const { links, project, role } = view;
  const field = fieldsOf(values, errors);
  return (
    <ProjectPage
      view={view}
      section="Members"
      intro="Owners change the project, viewers read it. Members sign in with this email."
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>People</h2>
        <DataTable
          label="Members"
          columns={['Email', 'Role', 'Since', ...(role === 'owner' ? [''] : [])]}
          rows={members.map((member) => [
            member.email,
            roleNames[member.role],
            <Moment at={member.created_at} />,
            ...(role === 'owner'
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
      <OwnersForm
        view={view}
        title="Add a member or change a role"
        action={links.members(project.id)}
        button="Save member"
      >
        <TextField {...field('email')} label="Email" type="email" required />
        <Choices
          kind="radio"
          {...field('role')}
          label="Role"
          choices={[
            { value: 'viewer', label: 'Viewer', hint: 'Reads everything but secrets.' },
            { value: 'owner', label: 'Owner', hint: 'Reads and changes everything.' },
          ]}
        />
      </OwnersForm>
    </ProjectPage>
  );
}
