import { toEntry } from '#shared/audit/access-entry.ts';
import type { Erasure } from '#shared/domain/erasure.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';

/** The cause of an erasure: a person, a client or the project's retention. */
export type ErasureCause = Erasure['requested_by'] | 'retention';

/** What remains after an erasure: that the data existed, and why it was erased. */
export interface ErasedThing {
  readonly projectId: string;
  readonly type: 'patient' | 'task';
  readonly id: string;
  /** The patients concerned, recorded only here. */
  readonly patientId: string;
  readonly cause: ErasureCause;
  /** How much of each kind went with it. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** The audit entry of the transaction that deletes the last of it. */
export function erasedItem(
  table: Table,
  { projectId, type, id, patientId, cause, counts = {} }: ErasedThing,
  now: Date,
): TransactionItem {
  const action = {
    action: `${type}.erased`,
    target: { type, id },
    after: { requested_by: cause, ...counts },
    patientIds: [patientId],
  } as const;
  return auditEntryItem(table, toEntry({ actor: { kind: 'service' }, origin: null }, projectId, action, now));
}
