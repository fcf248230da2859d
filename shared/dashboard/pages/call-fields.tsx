import type { DirectoryEntry } from '#shared/domain/directory-entry.ts';
import { may } from '#shared/domain/permissions.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import type { NewTaskForm } from '../forms/new-task-form.ts';
import { lineKindNames } from '../layout/destination-words.ts';
import { Select, TextArea, TextField } from '../layout/fields.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { SandboxNumbers } from './first-steps.tsx';

/** A line that a task can call. */
export type OfferedDestination = Pick<DirectoryEntry, 'phone_number' | 'name' | 'kind'>;

/** The call's goal, and the number: of a saved destination or typed. */
export function CallFields({
  view: { links, project, role },
  form,
  destinations,
  errors,
}: {
  readonly view: ProjectView;
  readonly form: NewTaskForm;
  readonly destinations: readonly OfferedDestination[];
  readonly errors: FieldErrors;
}) {
  const isOffered = destinations.length > 0;
  return (
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
      {isOffered ? (
        <Select
          name="destination"
          label="Destination"
          value={form.destination}
          short={false}
          options={[
            { value: '', label: 'None: enter a number below' },
            ...destinations.map(({ phone_number, name, kind }) => ({
              value: phone_number,
              label: `${name} · ${lineKindNames[kind]} · ${phoneNumberText(phone_number)}`,
            })),
          ]}
        />
      ) : null}
      <TextField
        name="phone_number"
        label="Number to call"
        hint={
          isOffered
            ? 'Leave empty to call the destination. For example, (202) 555-0142.'
            : 'For example, (202) 555-0142.'
        }
        type="tel"
        value={form.phone_number}
        error={errors.phone_number}
        required={!isOffered}
      />
      {isOffered || !may(role, 'destinations.change') ? null : (
        <p class="quiet">
          {'Calling the same lines often? '}
          <a href={links.destinations(project.id)}>Save them as destinations</a>
        </p>
      )}
      {project.carrier === 'sandbox' ? (
        <details>
          <summary class="more">Numbers to try in the sandbox</summary>
          <SandboxNumbers />
        </details>
      ) : null}
    </section>
  );
}
