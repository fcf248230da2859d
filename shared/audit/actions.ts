import type { Erasure } from '#shared/domain/erasure.ts';
import type { FollowUp } from '#shared/domain/follow-up.ts';
import type { AuditAction } from './access-entry.ts';

/* Reads and changes of patients and tasks, by clients and by people. */

interface Identified {
  readonly id: string;
}

interface OfPatient extends Identified {
  readonly patient_id: string;
}

export function patientCreated({ id }: Identified): AuditAction {
  return { action: 'patient.created', target: { type: 'patient', id }, patientIds: [id] };
}

export function patientSeen(id: string): AuditAction {
  return { action: 'patient.viewed', target: { type: 'patient', id }, patientIds: [id] };
}

export function patientsSeen(projectId: string, patients: readonly Identified[]): AuditAction {
  const ids = patients.map(({ id }) => id);
  return {
    action: 'patients.listed',
    target: { type: 'project', id: projectId },
    after: { patient_ids: ids },
    patientIds: ids,
  };
}

/** @param fields names of what was changed, not the values */
export function patientChanged(id: string, fields: readonly string[]): AuditAction {
  return {
    action: 'patient.changed',
    target: { type: 'patient', id },
    after: { fields },
    patientIds: [id],
  };
}

/** An export of all data about a patient was requested. */
export function exportOrdered(patientId: string): AuditAction {
  return { action: 'export.ordered', target: { type: 'patient', id: patientId }, patientIds: [patientId] };
}

/** The file was downloaded. */
export function patientExported(patientId: string): AuditAction {
  return { action: 'patient.exported', target: { type: 'patient', id: patientId }, patientIds: [patientId] };
}

/** Two patients were merged; the kept one has the tasks of both. */
export function patientsMerged(
  { id }: Identified,
  duplicateId: string,
  { fields, taskIds }: { readonly fields: readonly string[]; readonly taskIds: readonly string[] },
): AuditAction {
  return {
    action: 'patient.merged',
    target: { type: 'patient', id },
    after: { merged_patient_id: duplicateId, fields, task_ids: taskIds },
    patientIds: [id, duplicateId],
  };
}

/** Results of a search: patients themselves, and tasks with their patients. */
export function searchSeen(
  projectId: string,
  patients: readonly Identified[],
  tasks: readonly OfPatient[],
): AuditAction {
  const seen = patientsSeen(projectId, patients);
  return tasks.length === 0
    ? seen
    : {
        ...seen,
        after: { ...seen.after, task_ids: tasks.map(({ id }) => id) },
        patientIds: [...patients.map(({ id }) => id), ...tasks.map(({ patient_id }) => patient_id)],
      };
}

export function taskCreated({ id, patient_id }: OfPatient): AuditAction {
  return { action: 'task.created', target: { type: 'task', id }, patientIds: [patient_id] };
}

export function taskCancelled({ id, patient_id }: OfPatient): AuditAction {
  return { action: 'task.cancelled', target: { type: 'task', id }, patientIds: [patient_id] };
}

/** @param counts items by their initial state */
export function taskBatchCreated(
  { id }: Identified,
  counts: Readonly<Record<'accepted' | 'replayed' | 'rejected', number>>,
): AuditAction {
  return { action: 'task-batch.created', target: { type: 'task-batch', id }, after: counts };
}

/** Each task it cancels has its own entry. */
export function taskBatchCancelled({ id }: Identified): AuditAction {
  return { action: 'task-batch.cancelled', target: { type: 'task-batch', id } };
}

/** A batch item canceled before its task was created; only its ID ever existed. */
export function taskNotCreated(task: OfPatient): AuditAction {
  return { ...taskCancelled(task), after: { created: false } };
}

export function taskSeen(
  { id, patient_id, calls }: OfPatient & { readonly calls: readonly Identified[] },
  { includeTranscript }: { readonly includeTranscript: boolean },
): AuditAction {
  return {
    action: includeTranscript ? 'transcript.viewed' : 'task.viewed',
    target: { type: 'task', id },
    after: { call_ids: calls.map((call) => call.id) },
    patientIds: [patient_id],
  };
}

/** A webhook endpoint with full payloads received a task. */
export function taskSent({ id, patient_id }: OfPatient, webhookId: string): AuditAction {
  return {
    action: 'task.sent',
    target: { type: 'task', id },
    after: { webhook_id: webhookId },
    patientIds: [patient_id],
  };
}

export function tasksSeen(projectId: string, tasks: readonly OfPatient[]): AuditAction {
  return {
    action: 'tasks.listed',
    target: { type: 'project', id: projectId },
    after: { task_ids: tasks.map(({ id }) => id) },
    patientIds: tasks.map(({ patient_id }) => patient_id),
  };
}

/** Tasks exported as one file. */
export function tasksExported(projectId: string, tasks: readonly OfPatient[]): AuditAction {
  return { ...tasksSeen(projectId, tasks), action: 'tasks.exported' };
}

export function followUpChanged(
  { id, patient_id }: OfPatient,
  { assignee, due, done_at }: Pick<FollowUp, 'assignee' | 'due' | 'done_at'>,
): AuditAction {
  return {
    action: 'follow-up.changed',
    target: { type: 'task', id },
    after: { assignee, due, done: done_at !== null },
    patientIds: [patient_id],
  };
}

/** What will be erased, and its patient, if it is one patient's data. */
export interface ThingToErase extends Pick<Erasure, 'target' | 'id'> {
  readonly patientIds: readonly string[];
}

export function erasureOrdered({ target, id, patientIds }: ThingToErase): AuditAction {
  return { action: 'erasure.ordered', target: { type: target, id }, patientIds };
}

/** The project's retention period has ended for all entries up to this one. */
export function entriesExpired(projectId: string, through: string): AuditAction {
  return { action: 'audit-log.expired', target: { type: 'project', id: projectId }, after: { through } };
}

/** The call implies the patient of a recording. */
export function recordingSeen(callId: string): AuditAction {
  return { action: 'recording.viewed', target: { type: 'call', id: callId } };
}

/** The service starts on a task, whose facts its agent may disclose on the call. */
export function callClaimed({
  id,
  patient_id,
  task_id,
}: OfPatient & { readonly task_id: string }): AuditAction {
  return {
    action: 'call.claimed',
    target: { type: 'call', id },
    after: { task_id },
    patientIds: [patient_id],
  };
}
