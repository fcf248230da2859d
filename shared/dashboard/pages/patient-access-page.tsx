import type * as z from 'zod/mini';
import type { AuditEntryResource } from '#shared/admin/audit-log.ts';
import { may } from '#shared/domain/permissions.ts';
import { OlderLink } from '../layout/older-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { EntryTable } from './audit-log-page.tsx';

/** Who saw or changed a patient's data. Shows only the patient's ID. */
export function PatientAccessPage({
  view,
  patientId,
  entries,
  keyNames,
  next,
}: {
  readonly view: ProjectView;
  readonly patientId: string;
  readonly entries: readonly z.infer<typeof AuditEntryResource>[];
  /** Of API keys, by their IDs. */
  readonly keyNames: ReadonlyMap<string, string>;
  readonly next: string | null;
}) {
  return (
    <ProjectPage
      view={view}
      section={may(view.role, 'patients.read') ? 'Patients' : 'Audit Log'}
      title="Who saw this patient"
      intro={
        <>
          Who saw or changed data of patient <code>{patientId}</code>. Repeated views within minutes appear
          once.
        </>
      }
    >
      <section class="card">
        {entries.length === 0 ? (
          <p class="quiet">No access recorded.</p>
        ) : (
          <EntryTable view={view} label="Who saw this patient" entries={entries} keyNames={keyNames} />
        )}
      </section>
      <OlderLink next={next} what="entries" />
    </ProjectPage>
  );
}
