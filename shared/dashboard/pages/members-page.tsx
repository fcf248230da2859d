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
      intro="Owners change the project, viewers read it. People are known by their e-mail address."
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>People</h2>
        <DataTable
          label="Members"
          columns={['E-mail address', 'Role', 'Since', ...(role === 'owner' ? [''] : [])]}
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
                    question={`${member.email} can no longer enter the project.`}
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
        title="Add somebody, or change their role"
        action={links.members(project.id)}
        button="Save member"
      >
        <TextField {...field('email')} label="E-mail address" type="email" required />
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
