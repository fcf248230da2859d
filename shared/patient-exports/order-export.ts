import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { newPatientExport, PatientExport } from '#shared/domain/patient-export.ts';
import type { Table } from '#shared/table/client.ts';
import { checkPatientItem } from '#shared/table/patient.ts';
import { createPatientExportItem, getPatientExport } from '#shared/table/patient-export.ts';
import {
  type Alongside,
  refusedAs,
  TransactionConditionFailed,
  writeContendedTransaction,
} from '#shared/table/transaction.ts';

/** The state of an export as people read it. */
export const PatientExportResource = z.omit(PatientExport, { runs: true, due_at: true });
export type PatientExportResource = z.infer<typeof PatientExportResource>;

export interface ExportOrder {
  /** The caller's project. */
  readonly projectId: string;
  readonly patientId: string;
  readonly now: Date;
  /** Writes the audit entry of the request. */
  readonly alongside: Alongside<PatientExport>;
}

/**
 * Requests the export of a patient. Idempotent while an export is being made; afterwards a new one replaces
 * the earlier one. Throws `not_found`, and `conflict` while an earlier one is being deleted.
 */
export async function orderPatientExport(
  table: Table,
  { projectId, patientId, now, alongside }: ExportOrder,
): Promise<PatientExport> {
  const ordered = newPatientExport(
    { id: uuidv7(now.getTime()), project_id: projectId, patient_id: patientId },
    now,
  );
  try {
    await writeContendedTransaction(table, [
      ...alongside(ordered),
      refusedAs(checkPatientItem(table, patientId, projectId), patientNotFound),
      createPatientExportItem(table, ordered, now),
    ]);
    return ordered;
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    const earlier = await getPatientExport(table, patientId);
    if (earlier?.status === 'PENDING') return earlier;
    throw new ServiceError('conflict', 'An earlier export is being deleted; try again in a minute');
  }
}

export function patientNotFound(): ServiceError {
  return new ServiceError('not_found', 'Patient not found');
}

export function toPatientExportResource({
  runs: _,
  due_at: __,
  ...resource
}: PatientExport): PatientExportResource {
  return resource;
}
