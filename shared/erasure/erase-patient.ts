import { erasePatientExport } from '#shared/patient-exports/erase-export.ts';
import { indexLagMs } from '#shared/table/indexes.ts';
import { deletePatientItems, getPatient } from '#shared/table/patient.ts';
import { checkNoPatientExport } from '#shared/table/patient-export.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { changeSearchTerms } from '#shared/table/search-term.ts';
import { isPatientInBatch } from '#shared/table/task-batch.ts';
import { patientTaskIds } from '#shared/table/task-list.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { eraseEach } from './erase-each.ts';
import { eraseTask } from './erase-task.ts';
import { type ErasedThing, type ErasureCause, erasedItem } from './erasure-audit.ts';
import type { Delay, ErasureServices } from './erasure-services.ts';
import { legalHold } from './legal-hold.ts';

export interface PatientToErase {
  readonly id: string;
  readonly projectId: string;
  readonly cause: ErasureCause;
  /** Since when no task can be created for the patient. */
  readonly since: Date;
}

/**
 * Erases all tasks of a patient and the patient. Returns what blocks it, or null when nothing is left: when a late
 * enough search finds no task that could have been created before.
 */
export async function erasePatient(
  services: ErasureServices,
  { id, projectId, cause, since }: PatientToErase,
): Promise<Delay | null> {
  const taskIds = patientTaskIds(services.table, projectId, id);
  const { found, delay } = await eraseEach(services, projectId, taskIds, (taskId) =>
    eraseTask(services, taskId, cause),
  );
  const blocked = await deletePatient(services, { projectId, type: 'patient', id, patientId: id, cause });
  if (blocked !== null) return blocked;
  if (await isPatientInBatch(services.table, projectId, id)) {
    return { reason: 'A batch with tasks for the patient is in progress.', until: null };
  }
  return delay ?? lastSearch(services.now(), since, found);
}

/** Nothing is left only when a late enough search has found nothing. */
export function lastSearch(now: Date, since: Date, found: number): Delay | null {
  const certainAt = new Date(since.getTime() + indexLagMs);
  if (certainAt <= now && found === 0) return null;
  return { reason: 'A final search for remaining data follows.', until: certainAt > now ? certainAt : now };
}

/** Deletes the patient's export and items and audits it. Returns what blocks it, or null when the patient is gone. */
function deletePatient(services: ErasureServices, thing: ErasedThing): Promise<Delay | null> {
  const { table, now } = services;
  return retryOnConflict(async () => {
    const blocked =
      (await legalHold(table, thing.projectId)) ?? (await erasePatientExport(services, thing.id));
    if (blocked !== null) return blocked;
    const patient = await getPatient(table, thing.id);
    if (patient === null || patient.project_id !== thing.projectId) return null;
    // Not left to the stream, as with a task.
    await changeSearchTerms(table, { type: 'patient', ...patient }, null);
    await writeTransaction(table, [
      ...deletePatientItems(table, patient),
      checkNoPatientExport(table, thing.id),
      erasedItem(table, thing, now()),
    ]);
    return null;
  });
}
