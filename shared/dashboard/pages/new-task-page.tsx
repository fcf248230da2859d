import type { PatientName } from '#shared/admin/task-search.ts';
import type { QuestionTemplate } from '#shared/domain/question-template.ts';
import { formKeyField } from '../forms/form-key.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { taskSections } from '../forms/new-task-fields.ts';
import { intentField, intents, isQuestions, type NewTaskForm } from '../forms/new-task-form.ts';
import { dayText } from '../layout/day.tsx';
import { Select, TextArea, TextField } from '../layout/fields.tsx';
import { FormPart } from '../layout/form-part.tsx';
import { ErrorSummary } from '../layout/notices.tsx';
import { EnterButton, PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';
import { CallFields, type OfferedDestination } from './call-fields.tsx';
import { SaveTemplate, TemplateChoice } from './question-templates.tsx';
import { GroupFields, isFilled, RowFields } from './task-data-fields.tsx';

/** The patients offered for a new task. */
export interface PatientChoice {
  readonly patients: readonly PatientName[];
  /** The searched name or ID; empty when the newest patients are offered. */
  readonly searched: string;
  /** Whether some patients were not searched. */
  readonly isAll: boolean;
  /** Why no one was found. */
  readonly problem: string | null;
}

export interface NewTaskPageProps {
  readonly view: ProjectView;
  readonly form: NewTaskForm;
  readonly formKey: string;
  readonly choice: PatientChoice;
  readonly destinations: readonly OfferedDestination[];
  readonly templates: readonly QuestionTemplate[];
  /** Name of the template just saved; null for none. */
  readonly savedTemplate: string | null;
  /** Empty entries to offer at the end of each list. */
  readonly spareEntries: number;
  readonly errors: FieldErrors;
}

/** The form of a new task. */
export function NewTaskPage({
  view,
  form,
  formKey,
  choice,
  destinations,
  templates,
  savedTemplate,
  spareEntries,
  errors,
}: NewTaskPageProps) {
  const { links, project } = view;
  const address = links.newTask(project.id);
  const others = links.newTask(project.id, form.patient_id === '' ? {} : { patient_id: form.patient_id });
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title="New task"
      intro={taskTypeNames[form.task_type]}
      action={
        <a class="button second small" href={others}>
          Change type
        </a>
      }
    >
      <ErrorSummary errors={errors} />
      <PostForm view={view} action={address}>
        <EnterButton name={intentField} value={intents.enter}>
          Create task
        </EnterButton>
        <input type="hidden" name={formKeyField} value={formKey} />
        <input type="hidden" name="task_type" value={form.task_type} />
        <PatientFields view={view} form={form} choice={choice} errors={errors} />
        <CallFields view={view} form={form} destinations={destinations} errors={errors} />
        {taskSections[form.task_type].map((section, position) => (
          <FormPart title={section.title} isOpen={position === 0 || isFilled(section, form, errors)}>
            {section.hint === undefined ? null : <p class="quiet">{section.hint}</p>}
            {isQuestions(section) ? (
              <TemplateChoice view={view} templates={templates} errors={errors} />
            ) : null}
            {section.kind === 'fields' ? (
              <GroupFields group={section} form={form} errors={errors} />
            ) : (
              <RowFields
                rows={section}
                form={form}
                errors={errors}
                spareEntries={spareEntries}
                address={address}
              />
            )}
            {isQuestions(section) ? (
              <SaveTemplate view={view} form={form} saved={savedTemplate} errors={errors} />
            ) : null}
          </FormPart>
        ))}
        <FormPart title="Developer data" isOpen={form.further !== '' || errors.further !== undefined}>
          <TextArea
            name="further"
            label="Additional data for the agent"
            hint="A JSON object, for developers."
            rows={6}
            value={form.further}
            error={errors.further}
          />
        </FormPart>
        <p class="save">
          <button type="submit">Create task</button>
        </p>
      </PostForm>
    </ProjectPage>
  );
}

function PatientFields({
  view,
  form,
  choice,
  errors,
}: {
  readonly view: ProjectView;
  readonly form: NewTaskForm;
  readonly choice: PatientChoice;
  readonly errors: FieldErrors;
}) {
  const { links, project } = view;
  const { patients, searched, problem } = choice;
  const address = links.newTask(project.id);
  return (
    <section class="card">
      <h2>Patient</h2>
      <Select
        name="patient_id"
        label="Patient"
        hint={choiceHint(choice)}
        short={false}
        error={errors.patient_id}
        value={form.patient_id}
        options={[
          { value: '', label: 'Choose a patient' },
          ...patients.map((patient) => ({ value: patient.id, label: nameText(patient) })),
        ]}
      />
      <div class="row">
        <TextField
          name="patient_search"
          enterPresses="find-patient"
          label="Find another patient"
          hint="Name, phone number, date of birth or ID."
          value={problem === null ? '' : searched}
          error={errors.patient_search ?? problem ?? undefined}
        />
        <div class="field at-end">
          <button
            type="submit"
            id="find-patient"
            class="second"
            name={intentField}
            value={intents.find}
            formaction={`${address}#patient_id`}
          >
            Find
          </button>
        </div>
      </div>
      <p class="quiet">
        {'Not registered yet? '}
        <a href={links.newPatient(project.id)} target="_blank" rel="noopener">
          Add a patient (in a new tab)
        </a>
        {', then find them here.'}
      </p>
    </section>
  );
}

function choiceHint({ patients, searched, isAll, problem }: PatientChoice): string {
  if (searched === '' || problem !== null) return 'Most recently added.';
  const found = `${patients.length} ${patients.length === 1 ? 'patient' : 'patients'} found for “${searched}”.`;
  return isAll ? found : `${found} There may be more: enter more of the name, or the date of birth.`;
}

function nameText({ first_name, last_name, date_of_birth, external_id }: PatientName): string {
  const name = `${first_name} ${last_name}, born ${dayText(date_of_birth)}`;
  return external_id == null ? name : `${name}, MRN ${external_id}`;
}
