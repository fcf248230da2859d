import { ObstacleReason } from '#shared/domain/call-result.ts';
import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import type { TaskListQuery } from '../forms/task-list-query.ts';
import { Select, TextField } from '../layout/fields.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { taskStatusNames, taskTypeNames } from '../layout/task-words.tsx';
import { sortChoices } from './task-sort-words.ts';

/** All that a list of tasks can be narrowed by; without scripts, too. */
export function TaskFilters({
  view: { links, project },
  query,
  phoneNumber,
}: {
  readonly view: ProjectView;
  readonly query: TaskListQuery;
  readonly phoneNumber: string | null;
}) {
  const { task_type, obstacle, result, from, to, sort, patient_id, number_of } = query;
  const set = [task_type, obstacle, result, from, to, sort, patient_id, number_of].filter(
    (value) => value !== undefined,
  );
  return (
    <details {...(set.length > 0 ? { open: true } : {})}>
      <summary class="more">More filters{set.length === 0 ? '' : ` (${set.length})`}</summary>
      <form method="get" action={links.tasks(project.id)} class="row">
        <Select
          name="status"
          label="Status"
          value={query.status ?? ''}
          options={[
            { value: '', label: 'All' },
            ...TaskStatus.options.map((value) => ({ value, label: taskStatusNames[value] })),
          ]}
        />
        <Select
          name="task_type"
          label="Type"
          value={task_type ?? ''}
          options={[
            { value: '', label: 'All' },
            ...TaskType.options.map((value) => ({ value, label: taskTypeNames[value] })),
          ]}
        />
        <Select
          name="needs"
          label="Needs"
          value={query.needs ?? ''}
          options={[
            { value: '', label: 'Anything' },
            { value: 'review', label: 'Review' },
            { value: 'follow-up', label: 'Follow-up' },
          ]}
        />
        <Select
          name="result"
          label="Result"
          value={result ?? ''}
          options={[
            { value: '', label: 'Any' },
            { value: 'finished', label: 'Finished' },
            { value: 'person', label: 'Reached a person' },
            { value: 'goal', label: 'Goal reached' },
          ]}
        />
        <Select
          name="obstacle"
          label="Obstacle"
          value={obstacle ?? ''}
          options={[
            { value: '', label: 'Any or none' },
            ...ObstacleReason.options.map((value) => ({ value, label: obstacleSentences[value] })),
          ]}
        />
        <TextField name="from" label="Created from" type="date" short value={from ?? ''} />
        <TextField name="to" label="Created to" type="date" short value={to ?? ''} />
        <Select
          name="sort"
          label="Sort"
          value={sort ?? ''}
          options={patient_id === undefined ? sortChoices : sortChoices.slice(0, 2)}
        />
        {patient_id === undefined ? null : <input type="hidden" name="patient_id" value={patient_id} />}
        {number_of === undefined ? null : <input type="hidden" name="number_of" value={number_of} />}
        <div class="field at-end">
          <button type="submit" class="second">
            Filter
          </button>
        </div>
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
