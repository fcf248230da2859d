import type { PatientName } from '#shared/admin/task-search.ts';
import type { PatientResource } from '#shared/patients/patient-resource.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { insuranceKinds } from '../forms/patient-form.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Day } from '../layout/day.tsx';
import { insuranceNames } from '../layout/insurance-words.ts';
import { ErrorSummary, Notice } from '../layout/notices.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { SearchField } from '../layout/search-form.tsx';
import { type Fact, factsOf } from './patient-page.tsx';

export interface PatientMergePageProps {
  readonly view: ProjectView;
  /** The patient to keep. */
  readonly kept: PatientResource;
  /** The search text; may be empty. */
  readonly text: string;
  /** Patients with the same name and date of birth, or the search results. */
  readonly candidates: readonly PatientName[];
}

const title = 'Merge duplicate';

/** Asks which patient is the duplicate. */
export function PatientMergePage({ view, kept, text, candidates }: PatientMergePageProps) {
  const { links, project } = view;
  const address = links.patient(project.id, kept.id, '/merge');
  return (
    <ProjectPage
      view={view}
      section="Patients"
      title={title}
      intro={
        <>
          {'Which patient is a duplicate of '}
          <a href={links.patient(project.id, kept.id)}>{`${kept.first_name} ${kept.last_name}`}</a>?
        </>
      }
    >
      <section class="card">
        {candidates.length === 0 ? (
          <p class="quiet">
            {text === ''
              ? 'No other patient has this name and date of birth.'
              : 'No other patient was found.'}
          </p>
        ) : (
          <DataTable
            label="Possible duplicates"
            columns={['Name', 'Date of birth', 'MRN']}
            rows={candidates.map(({ id, first_name, last_name, date_of_birth, external_id }) => [
              <a href={`${address}?with=${id}`}>{`${first_name} ${last_name}`}</a>,
              <Day on={date_of_birth} />,
              external_id,
            ])}
          />
        )}
      </section>
      <section class="card">
        <PostForm view={view} action={`${address}/search`}>
          <SearchField
            label="Find another patient"
            hint="Name, phone number, date of birth or ID."
            button="Find"
            text={text}
          />
        </PostForm>
      </section>
    </ProjectPage>
  );
}

/** Compares both patients and says what will happen to each. */
export function MergePreviewPage({
  view,
  kept,
  duplicate,
  errors,
}: {
  readonly view: ProjectView;
  readonly kept: PatientResource;
  readonly duplicate: PatientResource;
  readonly errors: FieldErrors;
}) {
  const { links, project } = view;
  const address = (id: string): string => links.patient(project.id, id, '/merge');
  const known = new Map(allFacts(duplicate));
  return (
    <ProjectPage view={view} section="Patients" title={title} intro="Check that both are the same person.">
      <ErrorSummary errors={errors} />
      <section class="card">
        <DataTable
          label="Both patients"
          columns={['Field', 'Keep', 'Duplicate']}
          rows={allFacts(kept).map(([name, value]) => [name, shown(value), shown(known.get(name))])}
        />
        <p>
          <a href={`${address(duplicate.id)}?with=${kept.id}`}>Keep the other one instead</a>
        </p>
      </section>
      <Notice kind="warn" title="This cannot be undone">
        <ul>
          <li>
            Tasks of the duplicate, with their calls and recordings, become tasks of the patient you keep.
          </li>
          <li>What only the duplicate has, such as an address, is added. Where both differ, “Keep” wins.</li>
          <li>The duplicate is deleted. Software that uses its ID will no longer find it.</li>
        </ul>
      </Notice>
      <div class="actions">
        <PostForm view={view} action={address(kept.id)}>
          <input type="hidden" name="duplicate_id" value={duplicate.id} />
          <button type="submit">Merge patients</button>
        </PostForm>
        <a href={links.patient(project.id, kept.id)}>Back without merging</a>
      </div>
    </ProjectPage>
  );
}

function allFacts(patient: PatientResource): Fact[] {
  return [
    ['Name', `${patient.first_name} ${patient.last_name}`],
    ...factsOf(patient),
    ...insuranceKinds.map(
      (kind): Fact => [
        insuranceNames[kind],
        patient.insurance?.[kind]?.map(({ company_name }) => company_name ?? 'Insurance').join(', ') || null,
      ],
    ),
  ];
}

function shown(value: Fact[1]): Fact[1] {
  return value ?? <span class="quiet">Not given</span>;
}
