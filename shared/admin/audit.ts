import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { auditEntryItem, writeAuditEntry } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import type { ProjectAccess } from './enter-project.ts';

/** What was done; `before` and `after` are settings without secrets and without health information. */
export interface Deed extends Pick<AuditEntry, 'action' | 'target'> {
  readonly before?: AuditEntry['before'];
  readonly after?: AuditEntry['after'];
}

/** The audit entry of a change, to be written in the transaction that makes it. */
export function auditItem(
  table: Table,
  { caller, project }: Pick<ProjectAccess, 'caller'> & { readonly project: { readonly id: string } },
  deed: Deed,
  now: Date = new Date(),
): TransactionItem {
  return auditEntryItem(table, toEntry(caller, project.id, deed, now));
}

/** Writes down that a person is about to see something. Awaited before the answer: what is not written is not shown. */
export async function auditView(
  table: Table,
  { caller, project }: ProjectAccess,
  deed: Deed,
  now: Date = new Date(),
): Promise<void> {
  await writeAuditEntry(table, toEntry(caller, project.id, deed, now));
}

function toEntry(
  { person: { subject, email }, requestId }: AdminCaller,
  projectId: string,
  { action, target, before = null, after = null }: Deed,
  now: Date,
): AuditEntry {
  return {
    id: uuidv7(now.getTime()),
    project_id: projectId,
    at: now.toISOString(),
    actor: { kind: 'person', subject, email },
    action,
    target,
    before,
    after,
    request_id: requestId,
  };
}
