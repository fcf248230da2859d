import * as z from 'zod/mini';
import type { ThingToErase } from '#shared/audit/actions.ts';
import { Erasure, newErasure } from '#shared/domain/erasure.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { Table } from '#shared/table/client.ts';
import { createErasureItem, getErasure } from '#shared/table/erasure.ts';
import { deletePatientItems, getPatient } from '#shared/table/patient.ts';
import { checkNoLegalHold, getProject } from '#shared/table/project.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { getTask } from '#shared/table/task.ts';
import {
  type Alongside,
  nothingAlongside,
  refusedAs,
  TransactionConditionFailed,
  type TransactionItem,
  writeContendedTransaction,
} from '#shared/table/transaction.ts';
import { knownAs, rowsOf } from './erase-import-rows.ts';
import { erasedItem } from './erasure-audit.ts';

/** The receipt of an erasure, as clients and people read it. */
export const ErasureReceipt = z.pick(Erasure, {
  id: true,
  project_id: true,
  target: true,
  status: true,
  waiting_for: true,
  requested_at: true,
  completed_at: true,
});
export type ErasureReceipt = z.infer<typeof ErasureReceipt>;

export interface ErasureOrder {
  /** The caller's project. */
  readonly projectId: string;
  /** Of the patient or task. */
  readonly id: string;
  readonly requestedBy: Erasure['requested_by'];
  readonly now?: Date;
  /** Such as the audit entry of the request. */
  readonly alongside?: Alongside<ThingToErase>;
}

/**
 * Orders the erasure of a patient with all tasks. The patient is gone at once, so that no new task can be created; the
 * rest follows. Idempotent. Throws `not_found`, and `conflict` under a legal hold.
 */
export function orderPatientErasure(table: Table, order: ErasureOrder): Promise<Erasure> {
  const { projectId, id, requestedBy, now = new Date() } = order;
  // The patient may be renamed meanwhile.
  return retryOnConflict(async () => {
    const patient = await getPatient(table, id);
    if (patient === null || patient.project_id !== projectId) return earlierOrThrow(table, 'patient', order);
    const [known_as, rows] = await Promise.all([knownAs(table, patient), rowsOf(table, patient)]);
    const items = [
      ...deletePatientItems(table, patient),
      ...rows.items,
      erasedItem(table, { projectId, type: 'patient', id, patientId: id, cause: requestedBy }, now),
    ];
    const thing = { target: 'patient', id, patientIds: [id] } as const;
    return write(table, thing, order, items, { known_as, row_keys: rows.row_keys });
  });
}

/**
 * Orders the erasure of a task with its calls; an unfinished one is canceled first. Idempotent. Throws `not_found`,
 * and `conflict` under a legal hold.
 */
export async function orderTaskErasure(table: Table, order: ErasureOrder): Promise<Erasure> {
  const task = await getTask(table, order.id);
  if (task === null || task.project_id !== order.projectId) return earlierOrThrow(table, 'task', order);
  const thing = { target: 'task', id: task.id, patientIds: [task.patient_id] } as const;
  return write(table, thing, order, []);
}

/**
 * Orders the erasure of a whole project by the operator's command. Idempotent. Throws `not_found`, and `conflict`
 * under a legal hold.
 */
export async function orderProjectErasure(
  table: Table,
  { projectId, now = new Date(), alongside = nothingAlongside }: Omit<ErasureOrder, 'id' | 'requestedBy'>,
): Promise<Erasure> {
  const order = { projectId, id: projectId, requestedBy: 'command', now, alongside } as const;
  const earlier = await earlierOrder(table, 'project', order);
  if (earlier !== null) return earlier;
  if ((await getProject(table, projectId)) === null) throw notFound('Project');
  return write(table, { target: 'project', id: projectId, patientIds: [] }, order, []);
}

/** The receipt. Throws the same `not_found` for another project's as for an unknown one. */
export async function getErasureReceipt(
  table: Table,
  projectId: string,
  id: string,
): Promise<ErasureReceipt> {
  const erasure = await getErasure(table, id);
  if (erasure === null || erasure.project_id !== projectId) throw notFound('Erasure');
  return erasure;
}

/** It may be gone because it was erased. */
async function earlierOrThrow(
  table: Table,
  target: 'patient' | 'task',
  order: ErasureOrder,
): Promise<Erasure> {
  const earlier = await earlierOrder(table, target, order);
  if (earlier === null) throw notFound(target === 'patient' ? 'Patient' : 'Task');
  return earlier;
}

async function earlierOrder(
  table: Table,
  target: Erasure['target'],
  { id, projectId }: ErasureOrder,
): Promise<Erasure | null> {
  const erasure = await getErasure(table, id);
  return erasure?.target === target && erasure.project_id === projectId ? erasure : null;
}

async function write(
  table: Table,
  thing: ThingToErase,
  order: ErasureOrder,
  items: readonly TransactionItem[],
  more: Pick<Erasure, 'known_as' | 'row_keys'> = {},
): Promise<Erasure> {
  const { target, id } = thing;
  const { projectId, requestedBy, now = new Date(), alongside = nothingAlongside } = order;
  const erasure = newErasure({ id, project_id: projectId, target, requested_by: requestedBy, ...more }, now);
  try {
    await writeContendedTransaction(table, [
      ...alongside(thing),
      refusedAs(checkNoLegalHold(table, projectId), onHold),
      createErasureItem(table, erasure),
      ...items,
    ]);
    return erasure;
  } catch (error) {
    // The same was ordered at the same moment.
    const other =
      error instanceof TransactionConditionFailed ? await earlierOrder(table, target, order) : null;
    if (other === null) throw error;
    return other;
  }
}

function onHold(): ServiceError {
  return new ServiceError('conflict', 'The project is under a legal hold: nothing can be erased');
}

function notFound(what: string): ServiceError {
  return new ServiceError('not_found', `${what} not found`);
}
