import { type PatientName, patientsSearched } from '#shared/admin/task-search.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Day } from '../layout/day.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { type SearchedFrom, SearchForm } from '../layout/search-form.tsx';

/** Whom a search by name has found. It is the answer to a form, so that no name stands in an address. */
export function FoundPatientsPage({
  view,
  from,
  text,
  patients,
  isAll,
}: {
  readonly view: ProjectView;
  readonly from: SearchedFrom;
  readonly text: string;
  readonly patients: readonly PatientName[];
  readonly isAll: boolean;
}) {
  const { links, project } = view;
  return (
    <ProjectPage view={view} section={from === 'tasks' ? 'Tasks' : 'Patients'} title="Search">
      <section class="card">
        <SearchForm view={view} from={from} text={text} />
        {patients.length === 0 ? (
          <p class="quiet">Nothing was found.</p>
        ) : (
          <DataTable
            label="Patients found"
            columns={['Name', 'Date of birth', 'Tasks']}
            rows={patients.map(({ id, first_name, last_name, date_of_birth }) => [
              <a href={links.patient(project.id, id)}>{`${first_name} ${last_name}`}</a>,
              <Day on={date_of_birth} />,
              <a
                href={`${links.tasks(project.id)}?patient_id=${id}`}
              >{`Tasks of ${first_name} ${last_name}`}</a>,
            ])}
          />
        )}
        {isAll ? null : (
          <p class="hint">{`Only the newest ${patientsSearched} patients were searched by name.`}</p>
        )}
      </section>
    </ProjectPage>
  );
}
