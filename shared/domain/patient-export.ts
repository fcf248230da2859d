import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** One file with all that is kept of a patient. A patient has one at a time; it holds no health information itself. */
export const PatientExport = z.object({
  id: Uuid,
  project_id: Uuid,
  patient_id: Uuid,
  status: z.enum(['PENDING', 'DONE', 'FAILED']),
  /** How many recordings are in the file so far, and how many there are; null before they have been counted. */
  recordings_done: z.int(),
  recordings_total: z.nullable(z.int()),
  /** Size of the file; null until it is whole. */
  bytes: z.nullable(z.int()),
  requested_at: Timestamp,
  completed_at: z.nullable(Timestamp),
  /** When the file is deleted; null while it is being made. */
  expires_at: z.nullable(Timestamp),
  /** How often making it was begun; each run has the file to itself until it is due. */
  runs: z.int(),
  /** When it is worked on next: made, made anew because a run has died, or deleted. */
  due_at: Timestamp,
});
export type PatientExport = z.infer<typeof PatientExport>;

/** Long enough to fetch it, short enough that copies of a patient do not pile up. */
export const exportLifetimeMs = 24 * 60 * 60 * 1000;

/** Longer than the function that makes it can run. */
export const exportLeaseMs = 16 * 60 * 1000;

/** An export that is to be made at once. */
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
