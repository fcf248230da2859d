import { directoryLimits, LineKind } from '#shared/domain/directory-entry.ts';
import { type DestinationForm, offeredWindows, type WindowForm } from '../forms/destination-form.ts';
import { dayChoices, zoneOptions } from '../layout/clock-words.ts';
import { lineKindNames } from '../layout/destination-words.ts';
import { Choices, fieldsOf, Select, TextField } from '../layout/fields.tsx';
import { ErrorSummary } from '../layout/notices.tsx';
import type { FormPageProps } from '../layout/permitted-form.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage } from '../layout/project-page.tsx';

/** A new destination, or one to edit, whose number cannot change. */
export function DestinationFormPage({
  view,
  values,
  errors,
  action,
}: Omit<FormPageProps<DestinationForm>, 'done'> & {
  readonly action: string;
}) {
  const { links, project } = view;
  const isNew = values.read_at === '';
  const field = fieldsOf(values, errors);
  return (
    <ProjectPage view={view} section="Destinations" title={isNew ? 'New destination' : 'Edit destination'}>
      <ErrorSummary errors={errors} />
      <PostForm view={view} action={action}>
        <input type="hidden" name="read_at" value={values.read_at} />
        <section class="card">
          <h2>The line</h2>
          <TextField
            {...field('name')}
            label="Name"
            hint="For example, “Example Health, provider line”."
            required
          />
          <Select
            {...field('kind')}
            label="Kind"
            options={[
              { value: '', label: 'Choose a kind' },
              ...LineKind.options.map((value) => ({ value, label: lineKindNames[value] })),
            ]}
          />
          {isNew ? (
            <TextField
              {...field('phone_number')}
              label="Phone number"
              hint="For example, (202) 555-0142."
              type="tel"
              required
            />
          ) : (
            <dl class="facts">
              <dt>Phone number</dt>
              <dd>{values.phone_number}</dd>
            </dl>
          )}
          <TextField
            {...field('last_phone_number')}
            label="Last number of a range"
            hint="Optional, for consecutive numbers."
            type="tel"
          />
        </section>
        <section class="card">
          <h2>Hours</h2>
          <p class="quiet">
            When the line answers. Leave them empty to call within the project’s calling hours.
          </p>
          <Select
            {...field('time_zone')}
            label="Time zone"
            options={zoneOptions(values.time_zone, 'Not known')}
            short={false}
          />
          {offeredWindows(values).map((window, position) => (
            <Window window={window} position={position} errors={errors} />
          ))}
        </section>
        <section class="card">
          <h2>Limits</h2>
          <div class="pairs">
            {limits.map(({ name, label, most }) => (
              <TextField
                {...field(name)}
                label={label}
                hint={`1 to ${most}. Optional.`}
                short
                inputMode="numeric"
              />
            ))}
          </div>
          <p class="hint">Limits can only be stricter than the operator’s.</p>
        </section>
        <p class="save actions">
          <button type="submit">Save destination</button>
          <a href={links.destinations(project.id)}>Cancel</a>
        </p>
      </PostForm>
    </ProjectPage>
  );
}

const limits = [
  { name: 'concurrent_calls', label: 'Concurrent calls', most: directoryLimits.concurrentCalls },
  { name: 'max_hold_minutes', label: 'Maximum hold time (minutes)', most: directoryLimits.callMinutes },
  { name: 'max_call_minutes', label: 'Maximum call length (minutes)', most: directoryLimits.callMinutes },
] as const;

function Window({
  window: { days, opens, closes },
  position,
  errors,
}: {
  readonly window: WindowForm;
  readonly position: number;
  readonly errors: Readonly<Record<string, string>>;
}) {
  const shown = (name: string, value: string) => ({ name, value, error: errors[name] });
  return (
    <fieldset class="entry">
      <legend>{`Hours ${position + 1}`}</legend>
      <Choices
        kind="checkbox"
        name={`days-${position}`}
        label="Days"
        value={days}
        error={errors[`days-${position}`]}
        choices={dayChoices}
        inRow
      />
      <div class="row">
        <TextField {...shown(`opens-${position}`, opens)} label="Opens" hint="For example, 8:00 AM." short />
        <TextField
          {...shown(`closes-${position}`, closes)}
          label="Closes"
          hint="For example, 5:00 PM."
          short
        />
      </div>
    </fieldset>
  );
}
