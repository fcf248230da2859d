import { may } from '#shared/domain/permissions.ts';
import { type QuestionTemplate, templateLimits } from '#shared/domain/question-template.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { intentField, intents, type NewTaskForm, templateField } from '../forms/new-task-form.ts';
import { Select, TextField } from '../layout/fields.tsx';
import { Notice } from '../layout/notices.tsx';
import { countText } from '../layout/number.ts';
import type { ProjectView } from '../layout/project-page.tsx';

/** Anchor of the notice about a saved template. */
const noticeId = 'template-saved';

/** Adds a template's questions above the typed ones. */
export function TemplateChoice({
  view: { links, project },
  templates,
  errors,
}: {
  readonly view: ProjectView;
  readonly templates: readonly QuestionTemplate[];
  readonly errors: FieldErrors;
}) {
  return templates.length === 0 ? null : (
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
            label: `${name} (${countText(questions.length, 'question')})`,
          })),
        ]}
      />
      <div class="field at-end">
        <button
          type="submit"
          class="second"
          name={intentField}
          value={intents.useTemplate}
          formaction={`${links.newTask(project.id)}#${templateField}`}
        >
          Add its questions
        </button>
      </div>
    </div>
  );
}

/** Saves the typed questions as a template. */
export function SaveTemplate({
  view: { links, project, role },
  form,
  saved,
  errors,
}: {
  readonly view: ProjectView;
  readonly form: NewTaskForm;
  /** Name of the template just saved. */
  readonly saved: string | null;
  readonly errors: FieldErrors;
}) {
  if (!may(role, 'templates.change')) return null;
  return (
    <div class="after" id={noticeId}>
      {saved === null ? null : (
        <Notice kind="good" title="Template saved">
          <p>{`You can choose “${saved}” in new tasks now.`}</p>
        </Notice>
      )}
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
              formaction={`${links.newTask(project.id)}#${noticeId}`}
            >
              Save template
            </button>
          </div>
        </div>
      </details>
    </div>
  );
}
