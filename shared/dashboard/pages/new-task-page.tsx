import { type PatientName, searchedAtMost } from '#shared/admin/task-search.ts';
import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { formKeyField } from '../forms/form-key.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import {
  type FieldGroup,
  type FieldRows,
  type FieldSection,
  type TaskField,
  taskSections,
} from '../forms/new-task-fields.ts';
import {
  entryCount,
  fieldName,
  furtherName,
  intentField,
  intents,
  type NewTaskForm,
  no,
  yes,
} from '../forms/new-task-form.ts';
import { dayText } from '../layout/day.tsx';
import { Choices, Select, TextArea, TextField } from '../layout/fields.tsx';
import { FormPart } from '../layout/form-part.tsx';
import { relationshipNames } from '../layout/insurance-words.ts';
import { ErrorSummary, Notice } from '../layout/notices.tsx';
import { EnterButton, PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';

const purposes: Readonly<Record<TaskType, string>> = {
  SCHEDULE_APPOINTMENT: 'Schedule an appointment for the patient, or reschedule one.',
  VERIFY_INSURANCE: 'Ask an insurer what it covers, and whether prior authorization is needed.',
  REIMBURSEMENT: 'Ask an insurer or a biller about the status of a claim or a bill.',
  CUSTOM_TASK: 'Anything else that a call can settle, with a list of questions to ask.',
};

/** Which of the types a new task is of. */
export function TaskTypePage({
  view,
  enabled,
  patientId,
  refused,
}: {
  readonly view: ProjectView;
  readonly enabled: readonly TaskType[];
  /** Whom the task is going to be about; null when that is not known yet. */
  readonly patientId: string | null;
  /** Type that was asked for although the project does not have it. */
  readonly refused: TaskType | null;
}) {
  const { links, project } = view;
  const others = taskTypes.filter((type) => !enabled.includes(type));
  return (
    <ProjectPage view={view} section="Tasks" title="New task">
      {refused === null ? null : (
        <Notice kind="warn" title="This type is not enabled">
          <p>{`This project takes no tasks of the type “${taskTypeNames[refused]}”.`}</p>
        </Notice>
      )}
      <section class="card">
        <h2>What do you need done?</h2>
        <ul class="choices">
          {taskTypes
            .filter((type) => enabled.includes(type))
            .map((type) => (
              <li>
                <a
                  href={links.newTask(project.id, {
                    type,
                    ...(patientId === null ? {} : { patient_id: patientId }),
                  })}
                >
                  {taskTypeNames[type]}
                </a>
                <span class="hint">{purposes[type]}</span>
              </li>
            ))}
        </ul>
        {others.length === 0 ? null : (
          <p class="quiet">
            {`Not enabled for this project: ${others.map((type) => taskTypeNames[type]).join(', ')}. `}
            <a href={links.general(project.id)}>Change it in the settings</a>
          </p>
        )}
      </section>
    </ProjectPage>
  );
}

/** Among whom the patient of a new task is chosen. */
export interface PatientChoice {
  readonly patients: readonly PatientName[];
  /** The name or identifier that was looked for; empty when the newest patients are offered. */
  readonly searched: string;
  /** Whether there are patients who were not looked at. */
  readonly isAll: boolean;
  /** Why nobody was found. */
  readonly problem: string | null;
}

export interface NewTaskPageProps {
  readonly view: ProjectView;
  readonly form: NewTaskForm;
  readonly formKey: string;
  readonly choice: PatientChoice;
  /** Empty entries to offer at the end of each list. */
  readonly spareEntries: number;
  readonly errors: FieldErrors;
}

/** The form of a new task. */
export function NewTaskPage({ view, form, formKey, choice, spareEntries, errors }: NewTaskPageProps) {
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
        <section class="card">
          <h2>The call</h2>
          <TextArea
            name="task"
            label="Goal"
            hint="Include every detail the agent needs."
            value={form.task}
            error={errors.task}
            required
          />
          <TextField
            name="phone_number"
            label="Number to call"
            hint="For example, (202) 555-0142."
            type="tel"
            value={form.phone_number}
            error={errors.phone_number}
            required
          />
        </section>
        {taskSections[form.task_type].map((section, position) => (
          <FormPart title={section.title} isOpen={position === 0 || isFilled(section, form, errors)}>
            {section.hint === undefined ? null : <p class="quiet">{section.hint}</p>}
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

function isFilled(section: FieldSection, form: NewTaskForm, errors: FieldErrors): boolean {
  const names =
    section.kind === 'fields' ? section.fields.map(({ path }) => fieldName(path)) : [fieldName(section.path)];
  return [...Object.keys(form.data), ...Object.keys(errors)].some((name) =>
    names.some((one) => name === one || name.startsWith(`${one}.`)),
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
  return isAll ? found : `${found} Only the newest ${searchedAtMost} patients were searched.`;
}

function nameText({ first_name, last_name, date_of_birth }: PatientName): string {
  return `${first_name} ${last_name}, born ${dayText(date_of_birth)}`;
}

function GroupFields({
  group,
  form,
  errors,
}: {
  readonly group: FieldGroup;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
}) {
  return (
    <fieldset>
      <legend class="unseen">{group.title}</legend>
      <div class="pairs">
        {group.fields.map((field) => (
          <Field field={field} name={fieldName(field.path)} form={form} errors={errors} />
        ))}
      </div>
    </fieldset>
  );
}

function RowFields({
  rows,
  form,
  errors,
  spareEntries,
  address,
}: {
  readonly rows: FieldRows;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
  readonly spareEntries: number;
  readonly address: string;
}) {
  const count = entryCount(form, rows) + spareEntries;
  const [firstField] = rows.fields;
  // The first of those that are added, unless some of those that there are were left empty.
  const next = fieldName(firstField?.path ?? '', rows, count);
  return (
    <div>
      {Array.from({ length: count }, (_, position) => (
        <fieldset class="entry">
          <legend>{`${rows.entry} ${position + 1}`}</legend>
          <div class="pairs">
            {rows.fields.map((field) => (
              <Field field={field} name={fieldName(field.path, rows, position)} form={form} errors={errors} />
            ))}
          </div>
          <FurtherOfEntry name={furtherName(rows, position)} form={form} errors={errors} />
        </fieldset>
      ))}
      <button
        type="submit"
        class="second small"
        name={intentField}
        value={intents.moreEntries}
        formaction={`${address}#${next}`}
      >
        {`Add ${rows.entry.toLowerCase()}`}
      </button>
    </div>
  );
}

/** Only where something stands in it: such data comes from a task that the API was asked for. */
function FurtherOfEntry({
  name,
  form,
  errors,
}: {
  readonly name: string;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
}) {
  const value = form.data[name];
  return value === undefined ? null : (
    <TextArea name={name} label="Further data" hint="A JSON object." value={value} error={errors[name]} />
  );
}

function Field({
  field: { label, hint, kind, choices = [] },
  name,
  form,
  errors,
}: {
  readonly field: TaskField;
  readonly name: string;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
}) {
  const value = form.data[name] ?? '';
  const shared = { name, label, value, error: errors[name], ...(hint === undefined ? {} : { hint }) };
  switch (kind) {
    case 'text':
      return <TextArea {...shared} />;
    case 'choice':
      return (
        <Select
          {...shared}
          options={[
            { value: '', label: 'Not specified' },
            ...choices,
            // An earlier task may have said something else, by the API.
            ...(value === '' || choices.some((choice) => choice.value === value)
              ? []
              : [{ value, label: value }]),
          ]}
        />
      );
    case 'line':
    case 'npi':
    case 'amount':
    case 'codes':
      // In a field of one line the browser would run the lines of an earlier task's text together.
      return value.includes('\n') ? <TextArea {...shared} /> : <TextField {...shared} />;
    case 'date':
      return <TextField {...shared} type="date" short />;
    case 'phone-number':
      return <TextField {...shared} type="tel" />;
    case 'relationship':
      return (
        <Select
          {...shared}
          options={[
            { value: '', label: 'Not specified' },
            ...Object.entries(relationshipNames).map(([one, name]) => ({ value: one, label: name })),
          ]}
        />
      );
    case 'yes-no':
      return (
        <Choices
          {...shared}
          kind="radio"
          inRow
          choices={[
            { value: '', label: 'Not specified' },
            { value: yes, label: 'Yes' },
            { value: no, label: 'No' },
          ]}
        />
      );
    default:
      return kind satisfies never;
  }
}
