import type { ErasureReceipt } from '#shared/erasure/order-erasure.ts';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** Changes with the receipt's content. */
export function receiptVersion({ status, waiting_for }: ErasureReceipt): string {
  return `${status} ${waiting_for ?? ''}`;
}

const erased: Readonly<Record<ErasureReceipt['target'], string>> = {
  patient: 'The patient, with every task, call, transcript and recording',
  task: 'The task, with its calls, transcripts and recordings',
  project: 'The project, with everything in it',
};

/** The receipt of an erasure, with its progress. It names no one, so that it can stay. */
export function ErasurePage({
  view,
  receipt,
}: {
  readonly view: ProjectView;
  readonly receipt: ErasureReceipt;
}) {
  const { links, project } = view;
  const isDone = receipt.status === 'DONE';
  const address = links.erasure(project.id, receipt.id);
  return (
    <ProjectPage
      view={view}
      section={receipt.target === 'patient' ? 'Patients' : 'Tasks'}
      title="Erasure"
      intro="This receipt remains after the data is gone."
    >
      <Live versionAddress={isDone ? null : `${address}/version`} version={receiptVersion(receipt)}>
        <section class="card" id="receipt">
          <h2>{isDone ? 'Erased' : 'Being erased'}</h2>
          <dl class="facts">
            <dt>What</dt>
            <dd>{erased[receipt.target]}</dd>
            <dt>Status</dt>
            <dd {...(isDone ? { 'data-news': 'The erasure is done.' } : {})}>
              <span class={isDone ? 'state good' : 'state'}>{isDone ? 'Done' : 'In progress'}</span>
              {receipt.waiting_for === null ? null : <span class="hint">{receipt.waiting_for}</span>}
            </dd>
            <dt>Requested</dt>
            <dd>
              <Moment at={receipt.requested_at} seconds />
            </dd>
            <dt>Completed</dt>
            <dd>
              {receipt.completed_at === null ? 'Not yet' : <Moment at={receipt.completed_at} seconds />}
            </dd>
            <dt>ID</dt>
            <dd>
              <code>{receipt.id}</code>
            </dd>
          </dl>
          {isDone ? null : (
            <noscript>
              <a class="button second small" href={address}>
                Refresh
              </a>
            </noscript>
          )}
        </section>
      </Live>
    </ProjectPage>
  );
}
