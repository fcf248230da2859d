import { makeZip } from 'client-zip';
import { exportLeaseMs, exportLifetimeMs, type PatientExport } from '#shared/domain/patient-export.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import type { ErasureServices } from '#shared/erasure/erasure-services.ts';
import { annotateLog, logError } from '#shared/observability/log.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getPatientExport, replacePatientExportItem } from '#shared/table/patient-export.ts';
import { isConflict } from '#shared/table/retry-on-conflict.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { erasePatientExport } from './erase-export.ts';
import { exportFiles } from './export-files.ts';
import { patientExportKey } from './export-store.ts';

export type ExportServices = Pick<ErasureServices, 'table' | 'recordings' | 'now'>;

/** After this many attempts it fails for good. */
const mostRuns = 5;
const retryAfterMs = 60_000;

/**
 * Creates a patient's export, or deletes an expired one. A run holds a lease on the file; if it crashes, the sweeper
 * finds the export due. Messages may be duplicated, late or concurrent.
 */
export async function carryOutExport(services: ExportServices, patientId: string): Promise<void> {
  const { table, now } = services;
  const found = await getPatientExport(table, patientId);
  if (found === null || Date.parse(found.due_at) > now().getTime()) return;
  annotateLog({ project_id: found.project_id, export_id: found.id });
  if (found.status !== 'PENDING') {
    annotateLog({ export: 'expired' });
    await erasePatientExport(services, patientId);
    return;
  }
  const run = { ...found, runs: found.runs + 1, due_at: timestampAfter(now(), exportLeaseMs) };
  if (!(await replace(services, found, run))) return;
  const next = await makeFile(services, run);
  annotateLog({ export: next.status, export_bytes: next.bytes });
  await replace(services, run, next);
}

/** The state of the export after the run. */
async function makeFile(services: ExportServices, run: PatientExport): Promise<PatientExport> {
  const { table, recordings, now } = services;
  let progress = run;
  let bytes = 0;
  try {
    const patient = await getPatient(table, run.patient_id);
    // The patient was erased since, and the eraser waits only for this run.
    if (patient === null) return over(run, 'FAILED', now());
    const files = exportFiles(services, patient, async (done, total) => {
      const next = { ...progress, recordings_done: done, recordings_total: total };
      if (!(await replace(services, progress, next))) throw new Error('another run holds the export');
      progress = next;
    });
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of makeZip(files)) {
        bytes += chunk.byteLength;
        yield chunk;
      }
    }
    await recordings.put(patientExportKey(run.project_id, run.patient_id), counted(), 'application/zip');
    return { ...over(progress, 'DONE', now()), bytes };
  } catch (error) {
    logError('patient-not-exported', error, { export_id: run.id });
    return run.runs < mostRuns
      ? { ...progress, due_at: timestampAfter(now(), retryAfterMs) }
      : over(progress, 'FAILED', now());
  }
}

function over(run: PatientExport, status: 'DONE' | 'FAILED', now: Date): PatientExport {
  const expiresAt = timestampAfter(now, exportLifetimeMs);
  return { ...run, status, completed_at: now.toISOString(), expires_at: expiresAt, due_at: expiresAt };
}

/** Returns false when the export has changed since it was read. */
async function replace(
  { table }: ExportServices,
  previous: PatientExport,
  next: PatientExport,
): Promise<boolean> {
  try {
    await writeTransaction(table, [replacePatientExportItem(table, previous, next)]);
    return true;
  } catch (error) {
    if (!isConflict(error)) throw error;
    return false;
  }
}
