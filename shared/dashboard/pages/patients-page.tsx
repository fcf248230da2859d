import { may } from '#shared/domain/permissions.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import type { PatientResource } from '#shared/patients/patient-resource.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Day } from '../layout/day.tsx';
import { Moment } from '../layout/moment.tsx';
import { OlderLink } from '../layout/older-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { SearchForm } from '../layout/search-form.tsx';

/** The project's patients, newest first. @param next URL of the next page */
export function PatientsPage({
  view,
  patients,
  isFirstPage,
  next,
}: {
  readonly view: ProjectView;
  readonly patients: readonly PatientResource[];
  readonly isFirstPage: boolean;
  readonly next: string | null;
}) {
  const { links, project, role } = view;
  return (
    <ProjectPage
      view={view}
      section="Patients"
      intro="People on whose behalf calls are made."
      action={
        may(role, 'patients.write') ? (
          <div class="actions">
            {may(role, 'tasks.write') ? (
              <a class="button second small" href={links.imports(project.id)}>
                Import CSV
              </a>
            ) : null}
            <a class="button small" href={links.newPatient(project.id)}>
              New patient
            </a>
          </div>
        ) : null
      }
    >
      <section class="card" aria-label="Find a patient">
        <SearchForm view={view} from="patients" />
      </section>
      <section class="card">
        <h2>{isFirstPage ? 'Patients' : 'Older patients'}</h2>
        {patients.length === 0 ? (
          <div class="empty">
            <p class="quiet">{isFirstPage ? 'No patients yet.' : 'There are no older patients.'}</p>
            {isFirstPage && may(role, 'patients.write') ? (
              <a class="button small" href={links.newPatient(project.id)}>
                Add a patient
              </a>
            ) : null}
          </div>
        ) : (
          <DataTable
            label="Patients"
            columns={['Name', 'Date of birth', 'MRN', 'Phone number', 'Added']}
            rows={patients.map(
              ({ id, first_name, last_name, date_of_birth, phone_number, created_at, external_id }) => [
                <a href={links.patient(project.id, id)}>{`${first_name} ${last_name}`}</a>,
                <Day on={date_of_birth} />,
                external_id,
                phoneNumberText(phone_number),
                <Moment at={created_at} />,
              ],
            )}
          />
        )}
        <OlderLink next={next} what="patients" />
      </section>
    </ProjectPage>
  );
}
