import type * as z from 'zod/mini';
import type { AuditEntryResource } from '#shared/admin/audit-log.ts';
import { may } from '#shared/domain/permissions.ts';
import { OlderLink } from '../layout/older-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { EntryTable } from './audit-log-page.tsx';

/** Who saw or changed what is known of a patient. The page tells nothing of the patient but an identifier. */
export function PatientAccessPage({
  view,
  patientId,
  entries,
  next,
}: {
  readonly view: ProjectView;
  readonly patientId: string;
  readonly entries: readonly z.infer<typeof AuditEntryResource>[];
  readonly next: string | null;
}) {
  return (
    <ProjectPage
      view={view}
      section={may(view.role, 'patients.read') ? 'Patients' : 'Audit Log'}
      title="Who saw this patient"
      intro={
        <>
          Everybody and everything that saw or changed data of the patient <code>{patientId}</code>. What was
          looked at again within some minutes is told once.
        </>
      }
    >
      <section class="card">
        {entries.length === 0 ? (
          <p class="quiet">Nobody has, since this is written down.</p>
        ) : (
          <EntryTable view={view} label="Who saw this patient" entries={entries} />
        )}
      </section>
      <OlderLink next={next} what="entries" />
    </ProjectPage>
  );
}
