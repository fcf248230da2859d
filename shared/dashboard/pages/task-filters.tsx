import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { addressHash } from '#shared/table/address-hash.ts';
import { namesMember, type TaskListQuery } from '../forms/task-list-query.ts';
import { choicesOf, FilterButton, Select, TextField } from '../layout/fields.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { taskStatusNames, taskTypeNames } from '../layout/task-words.tsx';
import { sortChoices } from './task-sort-words.ts';

/** The filters of a list of tasks. Works without scripts. */
export function TaskFilters({
  view: { links, project, session },
  query,
  assignees,
  phoneNumber,
}: {
  readonly view: ProjectView;
  readonly query: TaskListQuery;
  /** Email addresses. */
  readonly assignees: readonly string[];
  readonly phoneNumber: string | null;
}) {
  const { task_type, obstacle, result, from, to, sort, patient_id, number_of } = query;
  const member = namesMember(query) ? query.assigned : undefined;
  const set = [task_type, member, obstacle, result, from, to, sort, patient_id, number_of].filter(
    (value) => value !== undefined,
  );
  const isReversed = from !== undefined && to !== undefined && to < from;
  return (
    <details {...(set.length > 0 ? { open: true } : {})}>
      <summary class="more">More filters{set.length === 0 ? '' : ` (${set.length})`}</summary>
      <form method="get" action={links.tasks(project.id)} class="row">
        <Select
          name="status"
          label="Status"
          value={query.status ?? ''}
          options={choicesOf('All', taskStatusNames)}
        />
        <Select
          name="task_type"
          label="Type"
          value={task_type ?? ''}
          options={choicesOf('All', taskTypeNames)}
        />
        <Select
          name="needs"
          label="Needs"
          value={query.needs ?? ''}
          options={choicesOf('Anything', { review: 'Review', 'follow-up': 'Follow-up' })}
        />
        <Select
          name="assigned"
          label="Assignee"
          value={query.assigned ?? ''}
          options={[
            { value: '', label: 'Anybody' },
            { value: 'me', label: 'Me' },
            { value: 'unassigned', label: 'Unassigned' },
            ...assignees
              .filter((email) => email !== session.person.email)
              .map((email) => ({ value: addressHash(email), label: email })),
          ]}
        />
        <Select
          name="result"
          label="Result"
          value={result ?? ''}
          options={choicesOf('Any', {
            finished: 'Finished',
            person: 'Reached a person',
            goal: 'Goal reached',
          })}
        />
        <Select
          name="obstacle"
          label="Obstacle"
          value={obstacle ?? ''}
          options={choicesOf('Any or none', obstacleSentences)}
        />
        <TextField name="from" label="Created from" type="date" short value={from ?? ''} />
        <TextField
          name="to"
          label="Created to"
          type="date"
          short
          value={to ?? ''}
          error={isReversed ? 'Enter a day that is not before “Created from”' : undefined}
        />
        <Select
          name="sort"
          label="Sort"
          value={sort ?? ''}
          options={patient_id === undefined ? sortChoices : sortChoices.slice(0, 2)}
        />
        {patient_id === undefined ? null : <input type="hidden" name="patient_id" value={patient_id} />}
        {number_of === undefined ? null : <input type="hidden" name="number_of" value={number_of} />}
        <FilterButton />
      </form>
      {patient_id === undefined ? null : (
        <p>
          Only tasks of one patient. <a href={links.tasks(project.id)}>Show all</a>
        </p>
      )}
      {phoneNumber === null ? null : (
        <p>
          {`Only tasks that call ${phoneNumberText(phoneNumber)}. `}
          <a href={links.tasks(project.id)}>Show all</a>
        </p>
      )}
    </details>
  );
}
