import type { MemberResource } from '#shared/admin/members.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { Choices, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView, roleNames } from '../layout/project-page.tsx';

export interface MemberForm {
  readonly email: string;
  readonly role: string;
}

/** Project Settings > Members: who may enter the project, and as what. */
export function MembersPage({
  view,
  members,
  values,
  errors,
  done,
}: {
  readonly view: ProjectView;
  readonly members: readonly MemberResource[];
  readonly values: MemberForm;
  readonly errors: FieldErrors;
  readonly done: string | undefined;
}) {
  const { links, project, role } = view;
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
      {role === 'owner' ? (
        <section class="card">
          <h2>Add somebody, or change their role</h2>
          <PostForm view={view} action={links.members(project.id)}>
            <TextField
              name="email"
              label="E-mail address"
              type="email"
              value={values.email}
              error={errors.email}
              required
            />
            <Choices
              kind="radio"
              name="role"
              label="Role"
              error={errors.role}
              chosen={[values.role]}
              choices={[
                { value: 'viewer', label: 'Viewer', hint: 'Reads everything but secrets.' },
                { value: 'owner', label: 'Owner', hint: 'Reads and changes everything.' },
              ]}
            />
            <button type="submit">Save member</button>
          </PostForm>
        </section>
      ) : null}
    </ProjectPage>
  );
}
