import { type PatientName, patientsSearched } from '#shared/admin/task-search.ts';
import { TextField } from '../layout/fields.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** Whom a search by name has found. It is the answer to a form, so that no name stands in an address. */
export function FoundPatientsPage({
  view,
  text,
  patients,
  isAll,
}: {
  readonly view: ProjectView;
  readonly text: string;
  readonly patients: readonly PatientName[];
  readonly isAll: boolean;
}) {
  const { links, project } = view;
  return (
    <ProjectPage view={view} section="Tasks" title="Search">
      <section class="card">
        <PostForm view={view} action={links.find(project.id)}>
          <div class="row">
            <TextField name="text" label="Patient’s name, or an identifier" value={text} />
            <div class="field at-end">
              <button type="submit" class="second">
                Search
              </button>
            </div>
          </div>
        </PostForm>
        {patients.length === 0 ? (
          <p class="quiet">Nothing was found.</p>
        ) : (
          <ul>
            {patients.map(({ id, first_name, last_name }) => (
              <li>
                <a
                  href={`${links.tasks(project.id)}?patient_id=${id}`}
                >{`Tasks of ${first_name} ${last_name}`}</a>
              </li>
            ))}
          </ul>
        )}
        {isAll ? null : (
          <p class="hint">{`Only the newest ${patientsSearched} patients were searched by name.`}</p>
        )}
      </section>
    </ProjectPage>
  );
}
