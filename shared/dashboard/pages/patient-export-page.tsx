import type { PatientExport } from '#shared/domain/patient-export.ts';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** Changes whenever the page's content does. */
export function exportVersion(found: PatientExport | null): string {
  return found === null ? '' : `${found.id} ${found.status} ${found.recordings_done}`;
}

/** A patient's export: contents, progress and link. The page does not name the patient. */
export function PatientExportPage({
  view,
  patientId,
  found,
}: {
  readonly view: ProjectView;
  readonly patientId: string;
  /** The latest export, or null. */
  readonly found: PatientExport | null;
}) {
  const { links, project } = view;
  const address = links.patient(project.id, patientId, '/export');
  const isPending = found?.status === 'PENDING';
  return (
    <ProjectPage
      view={view}
      section="Patients"
      title="Export"
      intro={
        <>
          All data about <a href={links.patient(project.id, patientId)}>this patient</a>, in one zip file.
        </>
      }
    >
      <section class="card">
        <h2>Contents</h2>
        <dl class="facts">
          <dt>patient.json</dt>
          <dd>The patient’s data and its changes</dd>
          <dt>tasks</dt>
          <dd>Each task with its data, results, follow-up, calls and transcripts</dd>
          <dt>recordings</dt>
          <dd>The recordings that are still kept</dd>
          <dt>access.json</dt>
          <dd>Who saw or changed the patient’s data</dd>
          <dt>contents.json</dt>
          <dd>The number of tasks and recordings</dd>
        </dl>
        <p class="hint">
          The file is encrypted and deleted after a day, or when the patient or one of their tasks is erased.
          Downloads are recorded.
        </p>
      </section>
      <Live versionAddress={isPending ? `${address}/version` : null} version={exportVersion(found)}>
        <section class="card" id="export">
          <h2>{found === null ? 'No export yet' : 'Newest export'}</h2>
          {found === null ? null : <ExportFacts found={found} />}
          <div class="actions">
            {found?.status === 'DONE' ? (
              <a class="button" href={`${address}/file`}>
                Download
              </a>
            ) : null}
            {isPending ? (
              <noscript>
                <a class="button second small" href={address}>
                  Refresh
                </a>
              </noscript>
            ) : (
              <PostForm view={view} action={address}>
                <button type="submit" {...(found === null ? {} : { class: 'second' })}>
                  {found === null ? 'Create export' : 'Create new export'}
                </button>
              </PostForm>
            )}
          </div>
        </section>
      </Live>
    </ProjectPage>
  );
}

const states: Readonly<
  Record<PatientExport['status'], { readonly text: string; readonly look: string; readonly news?: string }>
> = {
  PENDING: { text: 'In progress', look: 'state' },
  DONE: { text: 'Ready', look: 'state good', news: 'The export is ready.' },
  FAILED: { text: 'Failed', look: 'state bad', news: 'The export has failed.' },
};

function ExportFacts({ found }: { readonly found: PatientExport }) {
  const { text, look, news } = states[found.status];
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd {...(news === undefined ? {} : { 'data-news': news })}>
        <span class={look}>{text}</span>
      </dd>
      <dt>Recordings</dt>
      <dd>
        {found.recordings_total === null
          ? 'Not counted yet'
          : `${found.recordings_done} of ${found.recordings_total}`}
      </dd>
      <dt>Size</dt>
      <dd>{found.bytes === null ? 'Not known yet' : `${(found.bytes / 1e6).toFixed(1)} MB`}</dd>
      <dt>Requested</dt>
      <dd>
        <Moment at={found.requested_at} seconds />
      </dd>
      {found.expires_at === null ? null : (
        <>
          <dt>Deleted</dt>
          <dd>
            <Moment at={found.expires_at} />
          </dd>
        </>
      )}
    </dl>
  );
}
