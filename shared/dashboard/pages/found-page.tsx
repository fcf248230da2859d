import type { PatientName } from '#shared/admin/task-search.ts';
import { wallTime } from '#shared/calling-hours/zone-clock.ts';
import { may } from '#shared/domain/permissions.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import type { TaskRow } from '#shared/table/task-rows.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Day } from '../layout/day.tsx';
import { Moment } from '../layout/moment.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { type SearchedFrom, SearchForm } from '../layout/search-form.tsx';
import { nameText } from './selected-tasks-page.tsx';
import { RowState } from './task-row-state.tsx';

/** Search results. */
export function FoundPage({
  view,
  from,
  text,
  patients,
  tasks,
  names,
  phoneNumber,
  isAll,
  now,
}: {
  readonly view: ProjectView;
  readonly from: SearchedFrom;
  readonly text: string;
  readonly patients: readonly PatientName[];
  readonly tasks: readonly TaskRow[];
  /** Of the tasks' patients. */
  readonly names: ReadonlyMap<string, PatientName>;
  /** The E.164 number searched for; null for any other search. */
  readonly phoneNumber: string | null;
  readonly isAll: boolean;
  readonly now: Date;
}) {
  const { links, project, role } = view;
  const [firstTask] = tasks;
  const today = wallTime(view.timeZone, now).date;
  // Names are found by their first two letters.
  const isTooShort = text.length < 2;
  return (
    <ProjectPage view={view} section={from === 'tasks' ? 'Tasks' : 'Patients'} title="Search">
      <section class="card">
        <SearchForm view={view} from={from} text={text} />
        {patients.length + tasks.length > 0 ? null : (
          <div class="empty">
            <p class="quiet">{isTooShort ? 'Enter at least two letters or digits.' : 'No matches.'}</p>
            {may(role, 'patients.write') && !isTooShort ? (
              <a class="button second small" href={links.newPatient(project.id)}>
                Add a patient
              </a>
            ) : null}
          </div>
        )}
        {isAll ? null : (
          <p class="hint">Only the newest matches are shown. Add a word to narrow the search.</p>
        )}
      </section>
      {patients.length === 0 ? null : (
        <section class="card">
          <h2>Patients</h2>
          <DataTable
            label="Patients found"
            columns={['Name', 'Date of birth', 'MRN', 'Tasks']}
            rows={patients.map(({ id, first_name, last_name, date_of_birth, external_id }) => [
              <a href={links.patient(project.id, id)}>{`${first_name} ${last_name}`}</a>,
              <Day on={date_of_birth} />,
              external_id,
              <a
                href={links.tasks(project.id, { patient_id: id })}
              >{`Tasks of ${first_name} ${last_name}`}</a>,
            ])}
          />
        </section>
      )}
      {firstTask === undefined ? null : (
        <section class="card">
          <h2>Tasks</h2>
          <DataTable
            label="Tasks found"
            kind="rows"
            columns={['Patient', 'What for', 'Number', 'State', 'Created']}
            rows={tasks.map((task) => [
              nameText(names.get(task.patient_id)),
              <a href={links.task(project.id, task.id)} data-row="" title={task.task}>
                {task.task}
              </a>,
              <span class="number">{phoneNumberText(task.phone_number)}</span>,
              <RowState row={task} today={today} />,
              <Moment at={task.created_at} near={now} />,
            ])}
          />
          {phoneNumber === null || isAll ? null : (
            <p>
              <a href={links.tasks(project.id, { number_of: firstTask.id })}>
                All tasks that call this number
              </a>
            </p>
          )}
        </section>
      )}
    </ProjectPage>
  );
}
