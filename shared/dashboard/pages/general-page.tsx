import { may } from '#shared/domain/permissions.ts';
import { RedialledResult } from '#shared/domain/project.ts';
import { taskTypes } from '#shared/domain/task-type.ts';
import { type SettingsForm, ticked } from '../forms/settings-form.ts';
import { Choices, fieldsOf, TextField } from '../layout/fields.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import type { FormPageProps } from '../layout/permitted-form.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { carrierNames, ProjectPage } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';
import { AgentSection, agentFacts } from './agent-section.tsx';

const resultNames: Readonly<Record<RedialledResult, string>> = {
  BUSY: 'Busy',
  NO_ANSWER: 'No answer',
  VOICEMAIL: 'Voicemail',
  FAILED: 'The call failed',
  CANCELLED: 'The call was cancelled',
  SUCCESS: 'A conversation that decided nothing',
};

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Project Settings > General: a form for owners, the same facts for viewers. */
export function GeneralPage({ view, values, errors, done }: FormPageProps<SettingsForm>) {
  const { project, role } = view;
  return (
    <ProjectPage view={view} section="General" intro={`${carrierNames[project.carrier]} project`}>
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      {may(role, 'settings.change') ? (
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

function SettingsFields({ view, values, errors }: Omit<FormPageProps<SettingsForm>, 'done'>) {
  const field = fieldsOf(values, errors);
  return (
    <PostForm view={view} action={view.links.general(view.project.id)}>
      <section class="card">
        <h2>The project</h2>
        <TextField {...field('name')} label="Name" required />
        <Choices
          kind="checkbox"
          {...field('enabled_task_types')}
          label="Kinds of tasks"
          hint="Others are refused."
          choices={taskTypes.map((value) => ({ value, label: taskTypeNames[value] }))}
        />
        <TextField
          {...field('caller_number')}
          label="Caller number"
          hint="That those who are called see."
          type="tel"
          required
        />
        <TextField
          {...field('max_concurrent_calls')}
          label="Calls at the same time"
          short
          inputMode="numeric"
        />
      </section>
      <section class="card">
        <h2>Calling hours</h2>
        <p class="quiet">By the clocks and the calendar of the place that is called.</p>
        <TextField {...field('opens')} label="First call not before" hint="HH:MM" short />
        <TextField
          {...field('closes')}
          label="Last call before"
          hint="HH:MM; 24:00 is the end of the day."
          short
        />
        <Choices
          kind="checkbox"
          {...field('days')}
          label="Days"
          inRow
          choices={dayNames.map((label, index) => ({ value: String(index + 1), label }))}
        />
        <Choices
          kind="checkbox"
          {...field('on_holidays')}
          label="Public holidays"
          choices={[{ value: ticked, label: 'Call on public holidays, too' }]}
        />
      </section>
      <section class="card">
        <h2>Attempts</h2>
        <TextField
          {...field('max_attempts')}
          label="Calls per task"
          hint="The first one included."
          short
          inputMode="numeric"
        />
        <TextField
          {...field('delays_minutes')}
          label="Minutes between them"
          hint="With commas: 5, 30 waits 5 minutes before the second call and 30 before each further one."
        />
        <Choices
          kind="checkbox"
          {...field('redialled_results')}
          label="Call again after"
          choices={RedialledResult.options.map((value) => ({ value, label: resultNames[value] }))}
        />
      </section>
      <section class="card">
        <h2>Voicemail and hold</h2>
        <Choices
          kind="radio"
          {...field('voicemail')}
          label="A mailbox hears"
          choices={[
            { value: 'leave-message', label: 'A neutral message with a number to call back' },
            { value: 'hang-up', label: 'Nothing: the agent hangs up' },
          ]}
        />
        <TextField
          {...field('callback_number')}
          label="Number to call back"
          hint="Empty: the caller number."
          type="tel"
        />
        <TextField
          {...field('max_hold_minutes')}
          label="Longest time on hold, in minutes"
          short
          inputMode="decimal"
        />
      </section>
      <AgentSection values={values} errors={errors} />
      <section class="card">
        <h2>Recordings</h2>
        <TextField
          {...field('recording_retention_days')}
          label="Days to keep recordings"
          hint="Empty: for ever."
          short
          inputMode="numeric"
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
    ...agentFacts(values),
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
