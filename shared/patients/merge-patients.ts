import { ServiceError } from '#shared/domain/errors.ts';
import { clearableMembers, Patient } from '#shared/domain/patient.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import { versionAfter } from '#shared/domain/version-after.ts';
import type { Table } from '#shared/table/client.ts';
import { deleteNameItems, patientName, putExternalIdItem } from '#shared/table/external-id.ts';
import { indexLagMs } from '#shared/table/indexes.ts';
import {
  deleteUnneededPatientItem,
  getPatient,
  getPatientUse,
  replacePatientItem,
} from '#shared/table/patient.ts';
import { checkNoLegalHold } from '#shared/table/project.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { findTasks, moveTaskItem } from '#shared/table/task.ts';
import { isPatientInBatch } from '#shared/table/task-batch.ts';
import { patientTaskIds } from '#shared/table/task-list.ts';
import { type Alongside, refusedAs, writeTransaction } from '#shared/table/transaction.ts';
import { historyKept } from './change-patient.ts';

/** A merge is one transaction, which DynamoDB limits to 100 items. */
export const tasksMergedAtMost = 80;

export interface PatientMerge {
  readonly keptId: string;
  readonly duplicateId: string;
  /** Who makes the change, as shown to people. */
  readonly by: string;
  readonly now?: () => Date;
  readonly alongside: Alongside<MergedPatient>;
}

export interface MergedPatient {
  readonly patient: Patient;
  /** Members that the kept patient gets from the duplicate. */
  readonly fields: readonly string[];
  readonly taskIds: readonly string[];
}

/**
 * Merges two patients in one transaction: the kept one gets the duplicate's tasks and the data it lacks, and the
 * duplicate is deleted. Throws `not_found` for another project's patients, and `conflict` while calls for the
 * duplicate may follow, when the duplicate has too many tasks, and under a legal hold.
 */
export function mergePatients(
  table: Table,
  projectId: string,
  { keptId, duplicateId, by, now = () => new Date(), alongside }: PatientMerge,
): Promise<MergedPatient> {
  return retryOnConflict(async () => {
    if (keptId === duplicateId) throw new ServiceError('conflict', 'Choose two different patients');
    const [kept, duplicate, use] = await Promise.all([
      ownPatient(table, projectId, keptId),
      ownPatient(table, projectId, duplicateId),
      getPatientUse(table, duplicateId),
    ]);
    if (use === null) throw new ServiceError('not_found', 'Patient not found');
    const at = versionAfter(kept, now());
    if (use.last_task_at !== undefined && Date.parse(use.last_task_at) > now().getTime() - indexLagMs) {
      throw new ServiceError('conflict', 'A task was just created for the duplicate; try again in a minute');
    }
    const taskIds = await finishedTaskIds(table, projectId, duplicateId);
    const { next, fields } = filled(kept, duplicate, { at: at.toISOString(), by });
    const name = patientName(duplicate);
    await writeTransaction(table, [
      refusedAs(checkNoLegalHold(table, projectId), onHold),
      replacePatientItem(table, kept, next),
      deleteUnneededPatientItem(table, use),
      ...(fields.includes('external_id') && name !== null
        ? [putExternalIdItem(table, name, keptId, duplicateId)]
        : deleteNameItems(table, name, duplicateId)),
      ...taskIds.map((id) => moveTaskItem(table, id, { projectId, from: duplicateId, to: keptId })),
      ...alongside({ patient: next, fields, taskIds }),
    ]);
    return { patient: next, fields, taskIds };
  });
}

function onHold(): ServiceError {
  return new ServiceError('conflict', 'The project is under a legal hold: patients cannot be merged');
}

async function ownPatient(table: Table, projectId: string, id: string): Promise<Patient> {
  const patient = await getPatient(table, id);
  if (patient?.project_id !== projectId) throw new ServiceError('not_found', 'Patient not found');
  return patient;
}

/** The duplicate's tasks. All are finished, so nothing else writes them. */
async function finishedTaskIds(table: Table, projectId: string, patientId: string): Promise<string[]> {
  if (await isPatientInBatch(table, projectId, patientId)) {
    throw new ServiceError('conflict', 'Tasks for the duplicate are still being created; try again later');
  }
  const ids: string[] = [];
  for await (const page of patientTaskIds(table, projectId, patientId)) {
    ids.push(...page);
    if (ids.length > tasksMergedAtMost) {
      throw new ServiceError(
        'conflict',
        `The duplicate has more than ${tasksMergedAtMost} tasks; keep that patient instead`,
      );
    }
  }
  const tasks = await findTasks(table, ids);
  const open = [...tasks.values()].filter(({ status }) => !isTerminalTaskStatus(status)).length;
  if (open > 0) {
    throw new ServiceError(
      'conflict',
      `The duplicate has ${open} open ${open === 1 ? 'task' : 'tasks'}; let them finish or cancel them first`,
    );
  }
  return [...tasks.keys()];
}

/** The kept patient with the data it lacked and the history of both. */
function filled(kept: Patient, duplicate: Patient, { at, by }: { readonly at: string; readonly by: string }) {
  const fields = clearableMembers.filter((name) => kept[name] === undefined && duplicate[name] !== undefined);
  const history = [...(kept.changes ?? []), ...(duplicate.changes ?? [])];
  history.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const next = Patient.parse({
    ...kept,
    ...Object.fromEntries(fields.map((name) => [name, duplicate[name]])),
    updated_at: at,
    changes: [...history, { at, by, fields: ['merged_with_a_duplicate', ...fields] }].slice(-historyKept),
  });
  return { next, fields };
}
