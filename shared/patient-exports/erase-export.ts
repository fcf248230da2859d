import { isBeingMade } from '#shared/domain/patient-export.ts';
import type { Delay, ErasureServices } from '#shared/erasure/erasure-services.ts';
import { deletePatientExportItem, getPatientExport } from '#shared/table/patient-export.ts';
import { isConflict } from '#shared/table/retry-on-conflict.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { patientExportKey } from './export-store.ts';

/**
 * Erases a patient's export, if any: first all versions of the file, then the item. Returns what blocks it, or null
 * when nothing is left.
 */
export async function erasePatientExport(
  { table, recordings, now }: Pick<ErasureServices, 'table' | 'recordings' | 'now'>,
  patientId: string,
): Promise<Delay | null> {
  const found = await getPatientExport(table, patientId);
  if (found === null) return null;
  if (isBeingMade(found, now())) return { reason: exportInTheWay, until: new Date(found.due_at) };
  await recordings.erase(patientExportKey(found.project_id, patientId));
  try {
    await writeTransaction(table, [deletePatientExportItem(table, found)]);
    return null;
  } catch (error) {
    if (!isConflict(error)) throw error;
    return exportAppeared;
  }
}

const exportInTheWay = 'An export of the patient is in progress.';

/** It was requested, started or deleted concurrently. */
export const exportAppeared: Delay = { reason: exportInTheWay, until: null };
