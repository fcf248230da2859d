import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { dayMs } from './time.ts';
import { Timestamp } from './values.ts';

/** The state of a file with all data about a patient, without health information itself. At most one per patient. */
export const PatientExport = z.object({
  id: Uuid,
  project_id: Uuid,
  patient_id: Uuid,
  status: z.enum(['PENDING', 'DONE', 'FAILED']),
  /** Recordings in the file so far, and in total; null until counted. */
  recordings_done: z.int(),
  recordings_total: z.nullable(z.int()),
  /** Size of the file; null until it is complete. */
  bytes: z.nullable(z.int()),
  requested_at: Timestamp,
  completed_at: z.nullable(Timestamp),
  /** When the file is deleted; null while it is being created. */
  expires_at: z.nullable(Timestamp),
  /** How many runs have started; each holds a lease until `due_at`. */
  runs: z.int(),
  /** When to create it, recreate it after a crashed run, or delete it. */
  due_at: Timestamp,
});
export type PatientExport = z.infer<typeof PatientExport>;

/** Long enough to download it, short enough that copies of patient data do not pile up. */
export const exportLifetimeMs = dayMs;

/** Longer than the function that creates it can run. */
export const exportLeaseMs = 16 * 60 * 1000;

/** A new export, due at once. */
export function newPatientExport(
  ordered: Pick<PatientExport, 'id' | 'project_id' | 'patient_id'>,
  now: Date,
): PatientExport {
  const at = now.toISOString();
  return {
    ...ordered,
    status: 'PENDING',
    recordings_done: 0,
    recordings_total: null,
    bytes: null,
    requested_at: at,
    completed_at: null,
    expires_at: null,
    runs: 0,
    due_at: at,
  };
}

/** Whether a run may be writing the file. */
export function isBeingMade({ status, runs, due_at }: PatientExport, now: Date): boolean {
  return status === 'PENDING' && runs > 0 && Date.parse(due_at) > now.getTime();
}
