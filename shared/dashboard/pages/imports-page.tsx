import { importKeptDays } from '#shared/admin/imports.ts';
import { type Import, importLimits } from '#shared/domain/import.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Moment } from '../layout/moment.tsx';
import { ErrorSummary } from '../layout/notices.tsx';
import { numberText } from '../layout/number.ts';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';
import { ImportState } from './import-page.tsx';

/** Tasks > Import: the upload form and earlier imports. */
export function ImportsPage({
  view,
  imports,
  types,
  errors,
}: {
  readonly view: ProjectView;
  readonly imports: readonly Import[];
  readonly types: readonly TaskType[];
  readonly errors: FieldErrors;
}) {
  const { links, project } = view;
  const problem = errors.file;
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title="Import"
      intro="Patients and tasks from a spreadsheet, one task or patient per row."
    >
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>1. Fill in a template</h2>
        <ul>
          {types.map((type) => (
            <li>
              <a href={links.importTemplate(project.id, type)}>{`${taskTypeNames[type]} (CSV)`}</a>
            </li>
          ))}
          <li>
            <a href={links.importTemplate(project.id, null)}>Patients without tasks (CSV)</a>
          </li>
        </ul>
        <p class="quiet">
          A patient is found by external ID (your MRN), or by name and date of birth, and added if there is
          none. Phone numbers and dates may be written as usual. Leave out columns you do not need.
        </p>
      </section>
      <section class="card">
        <h2>2. Upload it</h2>
        <PostForm view={view} action={links.imports(project.id)} hasFile>
          <div class="field">
            <label for="file">CSV file</label>
            <span class="hint" id="file-hint">
              {`Up to ${numberText(importLimits.rows)} rows and 3 MB. ` +
                'You will see what the import does before anything is created.'}
            </span>
            {problem === undefined ? null : (
              <span class="wrong" id="file-error">
                {problem}
              </span>
            )}
            <input
              id="file"
              name="file"
              type="file"
              accept=".csv,text/csv,text/plain"
              aria-describedby={problem === undefined ? 'file-hint' : 'file-hint file-error'}
              {...(problem === undefined ? {} : { 'aria-invalid': 'true' })}
            />
          </div>
          <button type="submit">Check file</button>
        </PostForm>
      </section>
      {imports.length === 0 ? null : (
        <section class="card">
          <h2>Recent imports</h2>
          <p class="hint">{`Files are deleted after ${importKeptDays} days; the patients and tasks stay.`}</p>
          <DataTable
            label="Recent imports"
            columns={['File', 'Status', 'Rows', 'By', 'Uploaded']}
            rows={imports.map((one) => [
              <a href={links.import(project.id, one.id)}>{one.file_name}</a>,
              <ImportState status={one.status} />,
              numberText(one.rows),
              one.created_by,
              <Moment at={one.created_at} />,
            ])}
          />
        </section>
      )}
    </ProjectPage>
  );
}
