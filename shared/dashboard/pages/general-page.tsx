import { longestCallSeconds } from '#shared/domain/call.ts';
import { RedialledResult } from '#shared/domain/project.ts';
import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import type { ProjectSettings } from '#shared/projects/project-settings.ts';
import { projectLimits } from '#shared/projects/project-settings.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { type SettingsField, type SettingsForm, ticked, toSettingsForm } from '../forms/settings-form.ts';
import { Choices, TextField } from '../layout/fields.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { carrierNames, ProjectPage, type ProjectView } from '../layout/project-page.tsx';

export const taskTypeNames: Readonly<Record<TaskType, string>> = {
  SCHEDULE_APPOINTMENT: 'Schedule an appointment',
  VERIFY_INSURANCE: 'Verify insurance',
  REIMBURSEMENT: 'Chase a reimbursement',
  CUSTOM_TASK: 'Ask a list of questions',
};

const resultNames: Readonly<Record<RedialledResult, string>> = {
  BUSY: 'Busy',
  NO_ANSWER: 'No answer',
  VOICEMAIL: 'Voicemail',
  FAILED: 'The call failed',
  CANCELLED: 'The call was cancelled',
  SUCCESS: 'A conversation that decided nothing',
};

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const longestHoldMinutes = longestCallSeconds / 60;
const longestDelayMinutes = projectLimits.redialDelaySeconds / 60;

/** What each field asks for, said where it was not given. */
export const settingsProblems: Readonly<Record<SettingsField, string>> = {
  name: `Give the project a name of 1 to ${projectLimits.nameCharacters} characters`,
  enabled_task_types: 'Choose among the kinds of tasks that there are',
  caller_number: 'Give the caller number with its country, such as +12025550142',
  max_concurrent_calls: `Calls at the same time must be a whole number from 1 to ${projectLimits.concurrentCalls}`,
  opens: 'Give the first time for calls as HH:MM, earlier than the last one',
  closes: 'Give the last time for calls as HH:MM; 24:00 is the end of the day',
  days: 'Choose at least one day of the week',
  on_holidays: 'Say whether calls are made on public holidays',
  max_attempts: `Calls per task must be a whole number from 1 to ${projectLimits.attempts}`,
  delays_minutes: `Give the minutes between calls as numbers with commas, each at most ${longestDelayMinutes}`,
  redialled_results: 'Choose among the results that there are',
  voicemail: 'Choose what a mailbox hears',
  callback_number: 'Give the number to call back with its country, such as +12025550142, or nothing',
  max_hold_minutes: `The longest time on hold must be at most ${longestHoldMinutes} minutes`,
  recording_retention_days: `Recordings are kept for 1 to ${projectLimits.recordingRetentionDays} days; leave it empty to keep them`,
};

/** Project Settings > General: a form for owners, the same facts for viewers. */
export function GeneralPage({
  view,
  values,
  errors,
  done,
}: {
  readonly view: ProjectView;
  readonly values: SettingsForm;
  readonly errors: FieldErrors;
  readonly done: string | undefined;
}) {
  const { project, role } = view;
  return (
    <ProjectPage view={view} section="General" intro={`${carrierNames[project.carrier]} project`}>
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      {role === 'owner' ? (
        <SettingsFields view={view} values={values} errors={errors} />
      ) : (
        <Facts values={values} />
      )}
      <section class="card">
        <h2>For integrators</h2>
        <dl class="facts">
          <dt>Project ID</dt>
          <dd>
            <code>{project.id}</code>
          </dd>
        </dl>
      </section>
    </ProjectPage>
  );
}

export function settingsFormOf(settings: ProjectSettings): SettingsForm {
  return toSettingsForm(settings);
}

function SettingsFields({
  view,
  values,
  errors,
}: {
  readonly view: ProjectView;
  readonly values: SettingsForm;
  readonly errors: FieldErrors;
}) {
  return (
    <PostForm view={view} action={view.links.general(view.project.id)}>
      <section class="card">
        <h2>The project</h2>
        <TextField name="name" label="Name" value={values.name} error={errors.name} required />
        <Choices
          kind="checkbox"
          name="enabled_task_types"
          label="Kinds of tasks"
          hint="Others are refused."
          error={errors.enabled_task_types}
          chosen={values.enabled_task_types}
          choices={taskTypes.map((value) => ({ value, label: taskTypeNames[value] }))}
        />
        <TextField
          name="caller_number"
          label="Caller number"
          hint="That those who are called see."
          type="tel"
          value={values.caller_number}
          error={errors.caller_number}
          required
        />
        <TextField
          name="max_concurrent_calls"
          label="Calls at the same time"
          short
          inputMode="numeric"
          value={values.max_concurrent_calls}
          error={errors.max_concurrent_calls}
        />
      </section>
      <section class="card">
        <h2>Calling hours</h2>
        <p class="quiet">By the clocks and the calendar of the place that is called.</p>
        <TextField
          name="opens"
          label="First call not before"
          hint="HH:MM"
          short
          value={values.opens}
          error={errors.opens}
        />
        <TextField
          name="closes"
          label="Last call before"
          hint="HH:MM; 24:00 is the end of the day."
          short
          value={values.closes}
          error={errors.closes}
        />
        <Choices
          kind="checkbox"
          name="days"
          label="Days"
          inRow
          error={errors.days}
          chosen={values.days}
          choices={dayNames.map((label, index) => ({ value: String(index + 1), label }))}
        />
        <Choices
          kind="checkbox"
          name="on_holidays"
          label="Public holidays"
          error={errors.on_holidays}
          chosen={values.on_holidays}
          choices={[{ value: ticked, label: 'Call on public holidays, too' }]}
        />
      </section>
      <section class="card">
        <h2>Attempts</h2>
        <TextField
          name="max_attempts"
          label="Calls per task"
          hint="The first one included."
          short
          inputMode="numeric"
          value={values.max_attempts}
          error={errors.max_attempts}
        />
        <TextField
          name="delays_minutes"
          label="Minutes between them"
          hint="With commas: 5, 30 waits 5 minutes before the second call and 30 before each further one."
          value={values.delays_minutes}
          error={errors.delays_minutes}
        />
        <Choices
          kind="checkbox"
          name="redialled_results"
          label="Call again after"
          error={errors.redialled_results}
          chosen={values.redialled_results}
          choices={RedialledResult.options.map((value) => ({ value, label: resultNames[value] }))}
        />
      </section>
      <section class="card">
        <h2>Voicemail and hold</h2>
        <Choices
          kind="radio"
          name="voicemail"
          label="A mailbox hears"
          error={errors.voicemail}
          chosen={[values.voicemail]}
          choices={[
            { value: 'leave-message', label: 'A neutral message with a number to call back' },
            { value: 'hang-up', label: 'Nothing: the agent hangs up' },
          ]}
        />
        <TextField
          name="callback_number"
          label="Number to call back"
          hint="Empty: the caller number."
          type="tel"
          value={values.callback_number}
          error={errors.callback_number}
        />
        <TextField
          name="max_hold_minutes"
          label="Longest time on hold, in minutes"
          short
          inputMode="decimal"
          value={values.max_hold_minutes}
          error={errors.max_hold_minutes}
        />
      </section>
      <section class="card">
        <h2>Recordings</h2>
        <TextField
          name="recording_retention_days"
          label="Days to keep recordings"
          hint="Empty: for ever."
          short
          inputMode="numeric"
          value={values.recording_retention_days}
          error={errors.recording_retention_days}
        />
      </section>
      <p class="save">
        <button type="submit">Save settings</button>
      </p>
    </PostForm>
  );
}

function Facts({ values }: { readonly values: SettingsForm }) {
  const facts: readonly (readonly [string, string])[] = [
    ['Name', values.name],
    [
      'Kinds of tasks',
      taskTypes
        .filter((type) => values.enabled_task_types.includes(type))
        .map((type) => taskTypeNames[type])
        .join(', ') || 'None',
    ],
    ['Caller number', values.caller_number],
    ['Calls at the same time', values.max_concurrent_calls],
    ['Calling hours', `${values.opens} to ${values.closes}`],
    ['Days', dayNames.filter((_, index) => values.days.includes(String(index + 1))).join(', ')],
    ['Public holidays', values.on_holidays.includes(ticked) ? 'Calls are made' : 'No calls'],
    ['Calls per task', values.max_attempts],
    ['Minutes between them', values.delays_minutes === '' ? 'None' : values.delays_minutes],
    [
      'Call again after',
      RedialledResult.options
        .filter((result) => values.redialled_results.includes(result))
        .map((result) => resultNames[result])
        .join(', ') || 'Nothing',
    ],
    ['A mailbox hears', values.voicemail === 'hang-up' ? 'Nothing' : 'A neutral message'],
    ['Number to call back', values.callback_number === '' ? values.caller_number : values.callback_number],
    ['Longest time on hold', `${values.max_hold_minutes} minutes`],
    [
      'Recordings',
      values.recording_retention_days === ''
        ? 'Kept for ever'
        : `Kept for ${values.recording_retention_days} days`,
    ],
  ];
  return (
    <section class="card">
      <h2>Settings</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
