import type { PatientName } from '#shared/admin/task-search.ts';
import { may } from '#shared/domain/permissions.ts';
import { isTerminalTaskStatus, TaskStatus } from '#shared/domain/task.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import type { TaskFilter } from '#shared/table/task-list.ts';
import type { ListedTask } from '#shared/tasks/task-resource.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Select } from '../layout/fields.tsx';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { OlderLink } from '../layout/older-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { SearchForm } from '../layout/search-form.tsx';
import { TaskState, taskStatusNames, taskTypeNames } from '../layout/task-words.tsx';
import type { NewTaskBeginning } from '../links.ts';

export interface TasksPageProps {
  readonly view: ProjectView;
  readonly tasks: readonly ListedTask[];
  readonly names: ReadonlyMap<string, PatientName>;
  readonly filter: TaskFilter;
  readonly isFirstPage: boolean;
  readonly next: string | null;
  readonly version: string;
}

/** The project's tasks, newest first. */
export function TasksPage({ view, tasks, names, filter, isFirstPage, next, version }: TasksPageProps) {
  const { links, project, role } = view;
  const address = links.tasks(project.id);
  const query = filterQuery(filter);
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      intro="What patients’ calls are made for, the newest first."
      action={
        <div class="actions">
          {may(role, 'tasks.write') ? (
            <a class="button small" href={links.newTask(project.id, beginningOf(filter))}>
              New task
            </a>
          ) : null}
          {/* With scripts the page keeps itself up to date. */}
          <noscript>
            <a class="button second small" href={`${address}${query}`}>
              Refresh
            </a>
          </noscript>
        </div>
      }
    >
      <section class="card" aria-label="Find tasks">
        <form method="get" action={address} class="row">
          <Select
            name="status"
            label="Status"
            value={filter.status ?? ''}
            options={[
              { value: '', label: 'All' },
              ...TaskStatus.options.map((value) => ({ value, label: taskStatusNames[value] })),
            ]}
          />
          <Select
            name="task_type"
            label="Type"
            value={filter.taskType ?? ''}
            options={[
              { value: '', label: 'All' },
              ...TaskType.options.map((value) => ({ value, label: taskTypeNames[value] })),
            ]}
          />
          {filter.patientId === null ? null : (
            <input type="hidden" name="patient_id" value={filter.patientId} />
          )}
          <div class="field at-end">
            <button type="submit" class="second">
              Filter
            </button>
          </div>
        </form>
        <SearchForm view={view} from="tasks" />
        {filter.patientId === null ? null : (
          <p>
            Only tasks of one patient. <a href={address}>Show all</a>
          </p>
        )}
      </section>
      <Live
        versionAddress={isFirstPage ? `${links.tasksVersion(project.id)}${query}` : null}
        version={version}
      >
        <section class="card">
          <h2>{isFirstPage ? 'Tasks' : 'Older tasks'}</h2>
          {tasks.length === 0 ? (
            <p class="quiet">There is no such task.</p>
          ) : (
            <DataTable
              label="Tasks"
              columns={['Task', 'Patient', 'Status', 'Created']}
              ids={tasks.map((task) => task.id)}
              rows={tasks.map((task) => [
                <>
                  <a href={links.task(project.id, task.id)}>{task.task}</a>
                  <span class="hint">{taskTypeNames[task.task_type]}</span>
                </>,
                nameText(names.get(task.patient_id)),
                <>
                  <span {...newsOf(task)}>
                    <TaskState status={task.status} />
                  </span>
                  {task.next_attempt_at === null ? null : (
                    <span class="hint">{task.next_attempt_reason}</span>
                  )}
                </>,
                <Moment at={task.created_at} />,
              ])}
            />
          )}
          <OlderLink next={next} what="tasks" />
        </section>
      </Live>
    </ProjectPage>
  );
}

function newsOf({ task, status }: ListedTask): { 'data-news'?: string } {
  return isTerminalTaskStatus(status) ? { 'data-news': `${taskStatusNames[status]}: ${task}` } : {};
}

function nameText(name: PatientName | undefined): string {
  return name === undefined ? '–' : `${name.first_name} ${name.last_name}`;
}

function beginningOf({ taskType, patientId }: TaskFilter): NewTaskBeginning {
  return {
    ...(taskType === null ? {} : { type: taskType }),
    ...(patientId === null ? {} : { patient_id: patientId }),
  };
}

function filterQuery({ status, taskType, patientId }: TaskFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ status, task_type: taskType, patient_id: patientId })) {
    if (value !== null) query.set(name, value);
  }
  return query.size === 0 ? '' : `?${query}`;
}
