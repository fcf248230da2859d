import { importKeptDays } from '#shared/admin/imports.ts';
import type { ProjectPatientBody } from '#shared/admin/patients.ts';
import type { Import, ImportCounts, ImportRow } from '#shared/domain/import.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { problemText } from '../forms/import-csv.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { Day } from '../layout/day.tsx';
import { Live } from '../layout/live.tsx';
import { DoneNotice, ErrorSummary, Notice } from '../layout/notices.tsx';
import { numberText } from '../layout/number.ts';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** Bounds the page; the file has all of them. */
export const problemsShown = 100;
/** Enough to notice that dates are read in another order than they were written. */
export const patientsShown = 3;

const stateNames: Readonly<Record<Import['status'], string>> = {
  ready: 'Not started',
  running: 'In progress',
  stopped: 'Stopped',
  done: 'Done',
};
const stateKinds: Readonly<Record<Import['status'], string>> = {
  ready: 'plain',
  running: 'warn',
  stopped: 'bad',
  done: 'good',
};

export function ImportState({ status }: Pick<Import, 'status'>) {
  return <span class={`state ${stateKinds[status]}`}>{stateNames[status]}</span>;
}

/** One import: its plan, progress and results. */
export function ImportPage({
  view,
  one,
  firstPatients,
  wrongRows,
  version,
  done,
  errors,
}: {
  readonly view: ProjectView;
  readonly one: Import;
  /** Of those to be added; empty once the import has started. */
  readonly firstPatients: readonly ProjectPatientBody[];
  /** The first rows with problems or refused; empty while the import runs. */
  readonly wrongRows: readonly ImportRow[];
  readonly version: string;
  readonly done: string | undefined;
  readonly errors: FieldErrors;
}) {
  const { links, project } = view;
  const address = (rest: string): string => links.import(project.id, one.id, rest);
  const isRunning = one.status === 'running';
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title="Import"
      intro={one.file_name}
      action={
        <a class="button second small" href={links.imports(project.id)}>
          All imports
        </a>
      }
    >
      <DoneNotice done={isRunning ? undefined : done} />
      <ErrorSummary errors={errors} />
      <Live versionAddress={isRunning ? address('/version') : null} version={version}>
        {one.status === 'ready' ? (
          <Plan view={view} one={one} patients={firstPatients} wrongRows={wrongRows} />
        ) : (
          <Progress view={view} one={one} />
        )}
        {isRunning ? null : <Problems one={one} rows={wrongRows} file={address('/rows-file')} />}
      </Live>
    </ProjectPage>
  );
}

function Plan({
  view,
  one,
  patients,
  wrongRows,
}: {
  readonly view: ProjectView;
  readonly one: Import;
  readonly patients: readonly ProjectPatientBody[];
  readonly wrongRows: readonly ImportRow[];
}) {
  const { links, project } = view;
  const good = one.rows - one.bad_rows;
  const news = good - one.expected.repeated;
  const blamed = new Set(wrongRows.flatMap(({ problems }) => problems.flatMap(({ column }) => column ?? [])));
  const missing = [...blamed].filter((column) => !one.columns.includes(column));
  return (
    <section class="card">
      <h2>What this import will do</h2>
      <p>
        {`${rowsText(one.rows)}: ${numberText(good)} valid, ${numberText(one.bad_rows)} with problems. ` +
          'Nothing has been created yet.'}
      </p>
      <Lines
        counts={{ ...one.expected, bad: one.bad_rows }}
        words={{
          tasks_created: [
            'task will be created; its calls start as soon as calling hours allow',
            'tasks will be created; their calls start as soon as calling hours allow',
          ],
          patients_created: ['patient will be added', 'patients will be added'],
          patients_found: [
            'patient already exists and does not change',
            'patients already exist and do not change',
          ],
          repeated: [
            'row was already imported or repeats an earlier row, and creates nothing',
            'rows were already imported or repeat an earlier row, and create nothing',
          ],
          refused: ['', ''],
          bad: ['row with problems will be skipped', 'rows with problems will be skipped'],
        }}
      />
      {missing.length === 0 ? null : (
        <Notice kind="warn" title="Columns that are missing">
          <p>{`${missing.join(', ')}. If the file has them, give them these headings.`}</p>
        </Notice>
      )}
      {one.ignored_columns.length === 0 ? null : (
        <Notice kind="warn" title="Columns that are ignored">
          <p>{one.ignored_columns.join(', ')}</p>
        </Notice>
      )}
      {patients.length === 0 ? null : (
        <>
          <p>The first new patients, as read from the file. Check their dates of birth:</p>
          <DataTable
            label="First new patients"
            columns={['Name', 'Date of birth', 'Phone number']}
            rows={patients.map(({ first_name, last_name, date_of_birth, phone_number }) => [
              `${first_name} ${last_name}`,
              <Day on={date_of_birth} />,
              phoneNumberText(phone_number),
            ])}
          />
        </>
      )}
      {good > 0 && news === 0 ? <p>There is nothing new to import.</p> : null}
      {news === 0 ? null : (
        <PostForm view={view} action={links.import(project.id, one.id, '/start')}>
          <button type="submit">{`Import ${rowsText(news)}`}</button>
        </PostForm>
      )}
      <p class="hint">{`If you do not import it, the file is deleted after ${importKeptDays} days.`}</p>
    </section>
  );
}

function Progress({ view, one }: { readonly view: ProjectView; readonly one: Import }) {
  const { links, project } = view;
  const address = (rest: string): string => links.import(project.id, one.id, rest);
  return (
    <section class="card">
      <h2>
        <ImportState status={one.status} />
        <span class="unseen"> import</span>
      </h2>
      <p>
        <label for="progress">{`${numberText(one.rows_done)} of ${rowsText(one.rows)} done`}</label>{' '}
        <progress id="progress" max={one.rows} value={one.rows_done} />
      </p>
      <Lines
        counts={{ ...one.counts, bad: one.bad_rows }}
        words={{
          tasks_created: ['task was created', 'tasks were created'],
          patients_created: ['patient was added', 'patients were added'],
          patients_found: [
            'row is for a patient who already existed',
            'rows are for patients who already existed',
          ],
          repeated: [
            'row was already imported and created nothing',
            'rows were already imported and created nothing',
          ],
          refused: ['row was refused, as listed below', 'rows were refused, as listed below'],
          bad: ['row with problems is skipped', 'rows with problems are skipped'],
        }}
      />
      {one.stopped_because === null ? null : <p class="wrong">{one.stopped_because}</p>}
      {one.status === 'running' ? (
        <>
          <p class="quiet">You can close this page; the import continues.</p>
          <div class="actions">
            {/* With scripts the page keeps itself up to date. */}
            <noscript>
              <a class="button second small" href={address('')}>
                Refresh
              </a>
            </noscript>
            <Confirm
              view={view}
              id="stop"
              label="Stop import"
              about={one.file_name}
              question="Created patients and tasks stay; you can import the other rows later."
              action={address('/stop')}
            />
          </div>
        </>
      ) : null}
      {one.status === 'stopped' ? (
        <PostForm view={view} action={address('/start')}>
          <button type="submit">{`Import the other ${rowsText(one.rows - one.rows_done)}`}</button>
        </PostForm>
      ) : null}
      {one.status === 'done' || one.status === 'stopped' ? (
        <p class="actions">
          <a href={`${address('/rows-file')}?rows=all`}>Download the result of each row (CSV)</a>
          <a href={links.tasks(project.id)}>Tasks</a>
        </p>
      ) : null}
    </section>
  );
}

type Line = keyof ImportCounts | 'bad';

function Lines({
  counts,
  words,
}: {
  readonly counts: Readonly<Record<Line, number>>;
  /** For one and for several. */
  readonly words: Readonly<Record<Line, readonly [one: string, several: string]>>;
}) {
  const names = [
    'tasks_created',
    'patients_created',
    'patients_found',
    'repeated',
    'refused',
    'bad',
  ] as const;
  return (
    <ul>
      {names.map((name) =>
        counts[name] === 0 ? null : (
          <li>{`${numberText(counts[name])} ${words[name][counts[name] === 1 ? 0 : 1]}`}</li>
        ),
      )}
    </ul>
  );
}

function Problems({
  one,
  rows,
  file,
}: {
  readonly one: Import;
  readonly rows: readonly ImportRow[];
  readonly file: string;
}) {
  const count = one.bad_rows + one.counts.refused;
  if (count === 0) return null;
  return (
    <section class="card">
      <h2>{`${rowsText(count)} to fix`}</h2>
      <p>
        <a href={file}>Download these rows (CSV)</a>
        {`, correct them, and ${one.status === 'ready' ? 'import that file as well' : 'import that file'}. `}
        Rows that were already imported are not imported twice.
      </p>
      <DataTable
        label="Rows to fix"
        columns={['Row', 'Problem']}
        rows={rows.map((row) => [String(row.number), problemText(row)])}
      />
      {count <= rows.length ? null : (
        <p class="quiet">{`Only the first ${problemsShown} are shown; the file has all of them.`}</p>
      )}
    </section>
  );
}

function rowsText(count: number): string {
  return `${numberText(count)} ${count === 1 ? 'row' : 'rows'}`;
}
