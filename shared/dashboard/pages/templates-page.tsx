import { may } from '#shared/domain/permissions.ts';
import { type QuestionTemplate, templateLimits } from '#shared/domain/question-template.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { fieldsOf, TextArea, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { type FormPageProps, PermittedForm } from '../layout/permitted-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** A template as its form shows it. */
export interface TemplateForm {
  readonly name: string;
  /** One per line. */
  readonly questions: string;
}

/** Project Settings > Templates: reusable questions. */
export function TemplatesPage({
  view,
  templates,
  values,
  errors,
  done,
}: FormPageProps<TemplateForm> & { readonly templates: readonly QuestionTemplate[] }) {
  const { links, project, role } = view;
  const mayChange = may(role, 'templates.change');
  return (
    <ProjectPage
      view={view}
      section="Templates"
      intro="Questions you ask again and again, to choose from in a new task."
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>Question templates</h2>
        {templates.length === 0 ? (
          <p class="empty quiet">No templates yet.</p>
        ) : (
          <DataTable
            label="Question templates"
            columns={['Name', 'Questions', 'Changed', ...(mayChange ? [''] : [])]}
            rows={templates.map((template) => [
              template.name,
              <ol class="plain">
                {template.questions.map((question) => (
                  <li>{question}</li>
                ))}
              </ol>,
              <>
                <Moment at={template.updated_at} />
                <span class="hint">{template.updated_by}</span>
              </>,
              ...(mayChange ? [<Change view={view} template={template} />] : []),
            ])}
          />
        )}
      </section>
      <PermittedForm
        view={view}
        needed="templates.change"
        title="Add a template"
        action={links.templates(project.id)}
        button="Add template"
      >
        <TemplateFields values={values} errors={errors} />
      </PermittedForm>
    </ProjectPage>
  );
}

/** A template to edit. */
export function TemplatePage({
  view,
  template,
  values,
  errors,
}: Omit<FormPageProps<TemplateForm>, 'done'> & { readonly template: QuestionTemplate }) {
  const { links, project } = view;
  return (
    <ProjectPage view={view} section="Templates" title="Edit template">
      <ErrorSummary errors={errors} />
      <PermittedForm
        view={view}
        needed="templates.change"
        title={template.name}
        action={links.templates(project.id, `/${template.id}`)}
        button="Save template"
      >
        <input type="hidden" name="read_at" value={template.updated_at} />
        <TemplateFields values={values} errors={errors} />
      </PermittedForm>
      <p>
        <a href={links.templates(project.id)}>Back to all templates</a>
      </p>
    </ProjectPage>
  );
}

function TemplateFields({ values, errors }: Pick<FormPageProps<TemplateForm>, 'values' | 'errors'>) {
  const field = fieldsOf(values, errors);
  return (
    <>
      <TextField {...field('name')} label="Name" hint="For example, “Benefits of an MRI.”" required />
      <TextArea
        {...field('questions')}
        label="Questions"
        hint={`One per line, up to ${templateLimits.questions}. Leave out anything about a patient.`}
        rows={8}
        required
      />
    </>
  );
}

function Change({
  view,
  template: { id, name },
}: {
  readonly view: ProjectView;
  readonly template: QuestionTemplate;
}) {
  const { links, project } = view;
  return (
    <div class="actions">
      <a class="button second small" href={links.templates(project.id, `/${id}`)}>
        Edit<span class="unseen"> {name}</span>
      </a>
      <Confirm
        view={view}
        label="Remove"
        about={name}
        question="Tasks created with it do not change."
        action={links.templates(project.id, `/${id}/remove`)}
      />
    </div>
  );
}
