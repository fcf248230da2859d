import { may } from '#shared/domain/permissions.ts';
import { type QuestionTemplate, templateLimits } from '#shared/domain/question-template.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { intentField, intents, type NewTaskForm, templateField } from '../forms/new-task-form.ts';
import { Select, TextField } from '../layout/fields.tsx';
import { Notice } from '../layout/notices.tsx';
import { numberText } from '../layout/number.ts';
import type { ProjectView } from '../layout/project-page.tsx';

/** Where the notice of a saved template stands. */
const noticeId = 'templates';

/** To take questions from a template, and to keep those that are typed as one. */
export function QuestionTemplates({
  view: { links, project, role },
  form,
  templates,
  saved,
  errors,
}: {
  readonly view: ProjectView;
  readonly form: NewTaskForm;
  readonly templates: readonly QuestionTemplate[];
  /** Name of the template that was saved just now. */
  readonly saved: string | null;
  readonly errors: FieldErrors;
}) {
  const address = `${links.newTask(project.id)}#${noticeId}`;
  return (
    <div id={noticeId}>
      {saved === null ? null : (
        <Notice kind="good" title="Template saved">
          <p>{`“${saved}” can be chosen in new tasks now.`}</p>
        </Notice>
      )}
      {templates.length === 0 ? null : (
        <div class="row">
          <Select
            name={templateField}
            label="Template"
            value=""
            short={false}
            error={errors[templateField]}
            options={[
              { value: '', label: 'Choose a template' },
              ...templates.map(({ id, name, questions }) => ({
                value: id,
                label: `${name} (${numberText(questions.length)})`,
              })),
            ]}
          />
          <div class="field at-end">
            <button
              type="submit"
              class="second"
              name={intentField}
              value={intents.useTemplate}
              formaction={address}
            >
              Add its questions
            </button>
          </div>
        </div>
      )}
      {may(role, 'templates.change') ? (
        <details {...(form.template_name === '' && errors.template_name === undefined ? {} : { open: true })}>
          <summary class="more">Save these questions as a template</summary>
          <div class="row">
            <TextField
              name="template_name"
              enterPresses="save-template"
              label="Template name"
              hint={`Up to ${templateLimits.nameCharacters} characters. Leave out anything about a patient.`}
              value={form.template_name}
              error={errors.template_name}
            />
            <div class="field at-end">
              <button
                type="submit"
                id="save-template"
                class="second"
                name={intentField}
                value={intents.saveTemplate}
                formaction={address}
              >
                Save template
              </button>
            </div>
          </div>
        </details>
      ) : null}
    </div>
  );
}
