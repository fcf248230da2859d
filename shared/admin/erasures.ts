import { erasureOrdered } from '#shared/audit/actions.ts';
import type { Erasure } from '#shared/domain/erasure.ts';
import { type ErasureOrder, orderPatientErasure, orderTaskErasure } from '#shared/erasure/order-erasure.ts';
import type { Table } from '#shared/table/client.ts';
import { auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** Orders a patient to be erased. Throws what `orderPatientErasure` throws. */
export function erasePatientOf(table: Table, access: ProjectAccess, patientId: string): Promise<Erasure> {
  return orderPatientErasure(table, orderOf(table, access, patientId));
}

/** Orders a task to be erased. Throws what `orderTaskErasure` throws. */
export function eraseTaskOf(table: Table, access: ProjectAccess, taskId: string): Promise<Erasure> {
  return orderTaskErasure(table, orderOf(table, access, taskId));
}

function orderOf(table: Table, access: ProjectAccess, id: string): ErasureOrder {
  return {
    projectId: access.project.id,
    id,
    requestedBy: 'person',
    alongside: (thing) => [auditItem(table, access, erasureOrdered(thing))],
  };
}
