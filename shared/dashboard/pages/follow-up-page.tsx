import type { FollowUp } from '#shared/domain/follow-up.ts';
import type { Task } from '#shared/domain/task.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { Choices, fieldsOf, Select, TextArea, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { ErrorSummary } from '../layout/notices.tsx';
import { OpenedValues, PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** The values of a follow-up's form. */
export interface FollowUpForm {
  readonly assignee: string;
  readonly due: string;
  readonly note: string;
  readonly state: string;
}

export const doneState = 'done';
export const openState = 'open';

/** A task's follow-up: assignee, due date and notes. */
export function FollowUpPage({
  view,
  task,
  followUp,
  opened,
  members,
  values,
  errors,
}: {
  readonly view: ProjectView;
  readonly task: Task;
  readonly followUp: FollowUp;
  readonly opened: FollowUpForm;
  /** Email addresses. */
  readonly members: readonly string[];
  readonly values: FollowUpForm;
  readonly errors: FieldErrors;
}) {
  const { links, project } = view;
  const field = fieldsOf(values, errors);
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title="Follow-up"
      intro={<a href={links.task(project.id, task.id)}>{task.task}</a>}
    >
      <ErrorSummary errors={errors} />
      <section class="card">
        <PostForm view={view} action={links.task(project.id, task.id, '/follow-up')}>
          <input type="hidden" name="version" value={String(followUp.version)} />
          <OpenedValues values={opened} />
          <div class="row">
            <Select
              {...field('assignee')}
              label="Assignee"
              short={false}
              options={[
                { value: '', label: 'Unassigned' },
                ...members.map((email) => ({ value: email, label: email })),
              ]}
            />
            <TextField {...field('due')} label="Due" type="date" short />
          </div>
          <TextArea {...field('note')} label="Add a note" />
          <Choices
            kind="radio"
            {...field('state')}
            label="State"
            inRow
            choices={[
              { value: openState, label: 'Open' },
              { value: doneState, label: 'Done' },
            ]}
          />
          <button type="submit">Save follow-up</button>
        </PostForm>
      </section>
      <section class="card">
        <h2>Notes</h2>
        <Notes followUp={followUp} />
      </section>
    </ProjectPage>
  );
}

/** Newest first. */
export function Notes({ followUp: { notes } }: { readonly followUp: FollowUp }) {
  return notes.length === 0 ? (
    <p class="quiet">No notes yet.</p>
  ) : (
    <ol class="timeline">
      {notes.toReversed().map(({ at, by, text }) => (
        <li>
          {text}
          <span class="hint">
            {`${by}, `}
            <Moment at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
