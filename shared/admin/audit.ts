import { type AuditAction, type AuditSource, toEntry } from '#shared/audit/access-entry.ts';
import { type VisitLog, visitLog } from '#shared/audit/visits.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { auditEntryItem, writeAuditEntry } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** The audit entry of a change, to write in the same transaction. */
export function auditItem(
  table: Table,
  { caller, project }: Pick<ProjectAccess, 'caller'> & { readonly project: { readonly id: string } },
  action: AuditAction,
  now: Date = new Date(),
): TransactionItem {
  return auditEntryItem(table, toEntry(sourceOf(caller), project.id, action, now));
}

/** The audit entry of a change by an operator's command, to write in the same transaction. */
export function commandAuditItem(
  table: Table,
  projectId: string,
  action: AuditAction,
  now: Date,
): TransactionItem {
  return auditEntryItem(table, toEntry({ actor: { kind: 'command' }, origin: null }, projectId, action, now));
}

/**
 * Records that a person is about to see something, once per visit. Awaited before the response: nothing is shown
 * unrecorded.
 */
export async function auditView(
  table: Table,
  { caller, project }: ProjectAccess,
  action: AuditAction,
  now: Date = new Date(),
): Promise<void> {
  await visitsIn(table)(toEntry(sourceOf(caller), project.id, action, now));
}

/** Records an action that no transaction covers, or that is recorded each time, such as revealing a secret. */
export async function auditAction(
  table: Table,
  { caller, project }: ProjectAccess,
  action: AuditAction,
  now: Date = new Date(),
): Promise<void> {
  await writeAuditEntry(table, toEntry(sourceOf(caller), project.id, action, now));
}

const visitLogs = new WeakMap<Table, VisitLog>();

/** An instance has one table, so it needs one set of visits. */
function visitsIn(table: Table): VisitLog {
  const visits = visitLogs.get(table) ?? visitLog(table);
  visitLogs.set(table, visits);
  return visits;
}

function sourceOf({
  person,
  requestId,
  sourceIp = null,
  reason = null,
  sessionId,
}: AdminCaller): AuditSource {
  const { subject, email } = person;
  return {
    actor: { kind: 'person', subject, email, ...(sessionId === undefined ? {} : { session_id: sessionId }) },
    origin: { requestId, sourceIp, reason },
  };
}
