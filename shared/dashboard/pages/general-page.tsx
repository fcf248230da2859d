import { findGrantProblem, liveHours } from '#shared/domain/live-bounds.ts';
import { may } from '#shared/domain/permissions.ts';
import { RedialledResult } from '#shared/domain/project.ts';
import { taskTypes } from '#shared/domain/task-type.ts';
import { countryChoices } from '#shared/domain/written-phone-number.ts';
import { timeOfDayOf } from '../forms/form-values.ts';
import { type SettingsForm, ticked } from '../forms/settings-form.ts';
import { dayChoices, dayNames, hoursText, zoneOptions } from '../layout/clock-words.ts';
import { type Choice, Choices, fieldsOf, Select, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import type { FormPageProps } from '../layout/permitted-form.tsx';
import { OpenedValues, PostForm } from '../layout/post-form.tsx';
import { carrierNames, ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';
import { AgentSection, agentFacts } from './agent-section.tsx';

export const voicemailChoices: readonly Choice[] = [
  { value: 'leave-message', label: 'A neutral message with a number to call back' },
  { value: 'hang-up', label: 'No message; the agent hangs up' },
];

/** Results of a call that lead to a redial. */
export const resultNames: Readonly<Record<RedialledResult, string>> = {
  BUSY: 'Busy',
  NO_ANSWER: 'No answer',
  VOICEMAIL: 'Voicemail',
  FAILED: 'The call failed',
  CANCELLED: 'The call was canceled',
  SUCCESS: 'Inconclusive conversation',
};

const ownZone = 'Each member’s own';

interface GeneralPageProps extends FormPageProps<SettingsForm> {
  readonly opened: SettingsForm;
}

/** Project Settings > General: a form for owners, the same facts for viewers. */
export function GeneralPage({ view, values, opened, errors, done }: GeneralPageProps) {
  const { project, role } = view;
  return (
    <ProjectPage view={view} section="General" intro={`${carrierNames[project.carrier]} project`}>
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      {may(role, 'settings.change') ? (
        <SettingsFields view={view} values={values} opened={opened} errors={errors} />
      ) : (
        <Facts values={values} />
      )}
      <LiveFacts project={project} />
      <section class="card">
        <h2>Developer details</h2>
        <dl class="facts">
          <dt>Project ID</dt>
          <dd>
            <code>{project.id}</code>
          </dd>
          <dt>API</dt>
          <dd>
            <a href={view.links.docs(project.id)}>API documentation</a>
          </dd>
        </dl>
      </section>
    </ProjectPage>
  );
}

/** The operator's grant, which no owner can change. */
function LiveFacts({ project }: { readonly project: ProjectView['project'] }) {
  const { carrier, live_grant: grant } = project;
  const problem = findGrantProblem(project);
  return (
    <section class="card">
      <h2>Real calls</h2>
      {carrier === 'sandbox' ? (
        <p class="quiet">
          No real calls are placed. An operator of this service can make the project live; its tasks then stay
          in the sandbox, and its API keys are revoked.
        </p>
      ) : null}
      {problem === null ? null : <p class="quiet">{problem}</p>}
      {grant === null ? null : (
        <dl class="facts">
          <dt>Live since</dt>
          <dd>
            <Moment at={grant.since} />
          </dd>
          <dt>Countries</dt>
          <dd>{grant.countries.join(', ')}</dd>
          <dt>Hours</dt>
          <dd>
            {hoursText(liveHours)} in the recipient’s local time
            {grant.shared_lines === 'own-clock' ? '; toll-free numbers by the project’s clock' : ''}
          </dd>
          <dt>Calls per day</dt>
          <dd>{grant.calls_per_day}</dd>
          <dt>Minutes per day</dt>
          <dd>{grant.minutes_per_day}</dd>
          <dt>Concurrent calls</dt>
          <dd>{grant.max_concurrent_calls}</dd>
        </dl>
      )}
    </section>
  );
}

function SettingsFields({ view, values, opened, errors }: Omit<GeneralPageProps, 'done'>) {
  const field = fieldsOf(values, errors);
  return (
    <PostForm view={view} action={view.links.general(view.project.id)}>
      <input type="hidden" name="read_at" value={values.read_at} />
      <OpenedValues values={opened} />
      <section class="card">
        <h2>The project</h2>
        <TextField {...field('name')} label="Name" required />
        <Choices
          kind="checkbox"
          {...field('enabled_task_types')}
          label="Allowed task types"
          choices={taskTypes.map((value) => ({ value, label: taskTypeNames[value] }))}
        />
        <TextField
          {...field('caller_number')}
          label="Caller number"
          hint={
            view.project.carrier === 'live'
              ? 'Caller ID shown to the person you call. An operator of this service changes it.'
              : 'Caller ID shown to the person you call.'
          }
          type="tel"
          required
        />
        <Select
          {...field('default_country')}
          label="Default country"
          hint="For phone numbers without a country code, and for dates such as 02/01/1980 in imports."
          options={countryOptions(values.default_country)}
        />
        <Select
          {...field('time_zone')}
          label="Time zone"
          hint="For the days, hours and filters of the dashboard."
          options={zoneOptions(values.time_zone, ownZone)}
          short={false}
        />
        <TextField
          {...field('allowed_countries')}
          label="Allowed countries"
          hint={`Two-letter codes, separated by commas: US, CA. Leave empty to allow ${
            view.project.carrier === 'live' ? 'all that the operator has granted.' : 'every number.'
          }`}
        />
        <TextField {...field('max_concurrent_calls')} label="Concurrent calls" short inputMode="numeric" />
      </section>
      <section class="card">
        <h2>Calling hours</h2>
        <p class="quiet">In the recipient’s local time.</p>
        <TextField {...field('opens')} label="Start time" hint="For example, 9:00 AM." short />
        <TextField
          {...field('closes')}
          label="End time"
          hint="For example, 5:00 PM; 24:00 is the end of the day."
          short
        />
        <Choices kind="checkbox" {...field('days')} label="Days" inRow choices={dayChoices} />
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
          hint="Including the first."
          short
          inputMode="numeric"
        />
        <TextField
          {...field('delays_minutes')}
          label="Retry delays (minutes)"
          hint="Separate with commas: 5, 30 waits 5 minutes before the second call and 30 minutes before later ones."
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
        <Choices kind="radio" {...field('voicemail')} label="On voicemail" choices={voicemailChoices} />
        <TextField
          {...field('callback_number')}
          label="Callback number"
          hint="Leave empty to use the caller number."
          type="tel"
        />
        <TextField
          {...field('max_hold_minutes')}
          label="Maximum hold time (minutes)"
          short
          inputMode="decimal"
        />
        <TextField
          {...field('shared_line_max_hold_minutes')}
          label="Maximum hold time on shared lines (minutes)"
          hint="Toll-free numbers, and payers and call centers in a directory."
          short
          inputMode="decimal"
        />
        <TextField
          {...field('max_call_minutes')}
          label="Maximum call length (minutes)"
          short
          inputMode="decimal"
        />
      </section>
      <AgentSection values={values} errors={errors} />
      <section class="card">
        <h2>Retention</h2>
        <TextField
          {...field('recording_retention_days')}
          label="Days to keep recordings"
          hint="Leave empty to keep forever."
          short
          inputMode="numeric"
        />
        <TextField
          {...field('task_retention_days')}
          label="Days to keep tasks"
          hint="After they end; includes transcripts, results and recordings. Leave empty to keep forever."
          short
          inputMode="numeric"
        />
        <TextField
          {...field('patient_retention_days')}
          label="Days to keep patients without tasks"
          hint="After their last task is created. Leave empty to keep forever."
          short
          inputMode="numeric"
        />
        <TextField
          {...field('audit_retention_days')}
          label="Days to keep the audit log"
          hint="At least 365. Leave empty to keep forever."
          short
          inputMode="numeric"
        />
        <Choices
          kind="checkbox"
          {...field('legal_hold')}
          label="Legal hold"
          choices={[{ value: ticked, label: 'Erase nothing until this is turned off' }]}
        />
      </section>
      <p class="save">
        <button type="submit">Save settings</button>
      </p>
    </PostForm>
  );
}

/** Includes the project's own zone, which the API may have set to any. */
function countryOptions(chosen: string): readonly Choice[] {
  const choices = countryChoices();
  const isOffered = choices.some(({ value }) => value === chosen);
  return isOffered ? choices : [...choices, { value: chosen, label: chosen }];
}

function Facts({ values }: { readonly values: SettingsForm }) {
  const facts: readonly (readonly [string, string])[] = [
    ['Name', values.name],
    [
      'Allowed task types',
      taskTypes
        .filter((type) => values.enabled_task_types.includes(type))
        .map((type) => taskTypeNames[type])
        .join(', ') || 'None',
    ],
    ['Caller number', values.caller_number],
    [
      'Default country',
      countryOptions(values.default_country).find(({ value }) => value === values.default_country)?.label ??
        '',
    ],
    [
      'Time zone',
      zoneOptions(values.time_zone, ownZone).find(({ value }) => value === values.time_zone)?.label ?? '',
    ],
    ['Allowed countries', values.allowed_countries === '' ? 'All' : values.allowed_countries],
    ['Concurrent calls', values.max_concurrent_calls],
    ['Calling hours', hoursText({ opens: timeOfDayOf(values.opens), closes: timeOfDayOf(values.closes) })],
    ['Days', dayNames.filter((_, index) => values.days.includes(String(index + 1))).join(', ')],
    ['Public holidays', values.on_holidays.includes(ticked) ? 'Calls are made' : 'No calls'],
    ['Calls per task', values.max_attempts],
    ['Retry delays (minutes)', values.delays_minutes === '' ? 'None' : values.delays_minutes],
    [
      'Call again after',
      RedialledResult.options
        .filter((result) => values.redialled_results.includes(result))
        .map((result) => resultNames[result])
        .join(', ') || 'Nothing',
    ],
    ['On voicemail', values.voicemail === 'hang-up' ? 'Nothing' : 'A neutral message'],
    [
      'Callback number for voicemails',
      values.callback_number === '' ? values.caller_number : values.callback_number,
    ],
    ['Maximum hold time', `${values.max_hold_minutes} minutes`],
    ['Maximum hold time on shared lines', `${values.shared_line_max_hold_minutes} minutes`],
    ['Maximum call length', `${values.max_call_minutes} minutes`],
    ['Recordings', kept(values.recording_retention_days)],
    ['Ended tasks', kept(values.task_retention_days)],
    ['Patients without tasks', kept(values.patient_retention_days)],
    ['Audit log', kept(values.audit_retention_days)],
    ['Legal hold', values.legal_hold.includes(ticked) ? 'Nothing is erased' : 'Off'],
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

function kept(days: string): string {
  return days === '' ? 'Kept forever' : `Kept for ${days} days`;
}
